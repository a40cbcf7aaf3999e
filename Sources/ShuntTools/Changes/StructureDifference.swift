public import Shunt
import ShuntCore

/// The differences between the files of two rule sets, wherever the sets are.
public enum StructureDifference {
    /// Compares the files of two sets by their places below what was loaded.
    ///
    /// A set of one file is compared with another of one file, whatever the two are called.
    public static func between(_ old: RuleArchive, _ new: RuleArchive) -> RuleChanges {
        let (oldFiles, newFiles) = (relative(old), relative(new))
        return RuleChanges(from: oldFiles, to: newFiles)
    }

    /// The name by which a rule set knows a file that `between(_:_:)` names.
    static func name(of file: String, in archive: RuleArchive) -> String {
        if file == mainFile { return plain(archive.path) }
        let folder = folder(of: archive)
        return folder == "." || file.hasPrefix("/") ? file : "\(folder)/\(file)"
    }

    /// The folder that the names of files begin with: the one of the file where a set is one file.
    private static func folder(of archive: RuleArchive) -> String {
        let path = plain(archive.path)
        guard
            archive.entries.contains(where: { name, entry in
                if case .file = entry { plain(name) == path } else { false }
            })
        else { return path }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? path.hasPrefix("/") ? "/" : "." : folder
    }

    /// The name of the file of a set of one file, so that two such sets have the same.
    private static let mainFile = "main.conf"

    private static func relative(_ archive: RuleArchive) -> RuleArchive {
        let path = plain(archive.path)
        let folder = folder(of: archive)
        var entries: [String: RuleArchive.Entry] = [:]
        for (name, entry) in archive.entries {
            let name = plain(name)
            if name == path, case .file = entry {
                entries[mainFile] = entry
            } else {
                entries[name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.count + 1)) : name] = entry
            }
        }
        return RuleArchive(path: ".", entries: entries)
    }

    /// A path without what means nothing in it: a `./` before it, a slash after it.
    private static func plain(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        while path.hasPrefix("./"), path.count > 2 { path.removeFirst(2) }
        return String(path)
    }
}
