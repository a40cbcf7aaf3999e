#if Fleet
public import Shunt

/// The files of a rule set with their places in a release, and back.
public enum ReleaseFiles {
    /// The directory that a set is loaded from at a node.
    static let directory = "rules"

    /// The files of a rule directory by their paths in it; links are followed.
    ///
    /// - Throws: Where the rules are not a directory, or use files outside of it: a node has nothing but the set.
    public static func contents(of archive: RuleArchive) throws(FleetError) -> [String: [UInt8]] {
        guard archive.entries[archive.path] == .directory else {
            throw FleetError.refusal("\(archive.path): a release needs a directory of rules")
        }
        let files = archive.fileSystem
        var contents: [String: [UInt8]] = [:]
        for (path, entry) in archive.entries {
            if entry == .directory { continue }
            let prefix = archive.path.hasSuffix("/") ? archive.path : archive.path + "/"
            guard path.hasPrefix(prefix) else {
                throw FleetError.refusal("\(path): it lies outside of \(archive.path), and a node would not have it")
            }
            do {
                let target = try files.realPath(path)
                guard try files.attributes(target).kind == .regular else { continue }
                contents[String(path.dropFirst(prefix.count))] = try files.read(target, limit: Int.max)
            } catch {
                throw FleetError("\(path): \(error)")
            }
        }
        return contents
    }

    /// Returns the files that a node compiles.
    static func archive(_ contents: [String: [UInt8]], at directory: String = directory) -> RuleArchive {
        var entries: [String: RuleArchive.Entry] = [directory: .directory]
        for (path, bytes) in contents { entries[directory + "/" + path] = .file(bytes) }
        return RuleArchive(path: directory, entries: entries)
    }
}
#endif
