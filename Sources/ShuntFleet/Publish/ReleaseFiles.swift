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

extension FleetCarrier {
    /// The rules of a release, every byte with the hash in its name, in a directory with its number in the name.
    ///
    /// - Throws: Where a manifest or blob is not there or is another one.
    public func archive(of release: Release, limits: Manifest.Limits = Manifest.Limits()) async throws -> RuleArchive {
        ReleaseFiles.archive(try await files(of: release, limits: limits).contents, at: "release-\(release.sequence)")
    }

    func files(
        of release: Release,
        limits: Manifest.Limits = Manifest.Limits()
    ) async throws -> (manifest: Manifest, contents: [String: [UInt8]]) {
        let bytes = try await manifest(release.set, limit: limits.manifestBytes)
        guard ContentName(of: bytes) == release.set else {
            throw FleetError("release \(release.sequence): the manifest \(release.set) is different")
        }
        let manifest = try Manifest(decoding: bytes, limits: limits)
        var blobs: [ContentName: [UInt8]] = [:]
        for name in manifest.blobs {
            let blob = try await blob(name, limit: manifest.length(of: name) ?? Manifest.blobLength)
            guard ContentName(of: blob) == name else {
                throw FleetError("release \(release.sequence): the blob \(name) is different")
            }
            blobs[name] = blob
        }
        let contents = try manifest.assemble { name throws(DocumentError) in
            guard let bytes = blobs[name] else { throw DocumentError("blob", "\(name) is missing") }
            return bytes
        }
        return (manifest, contents)
    }
}
#endif
