public import Shunt

/// The differences between the files of two rule sets, wherever the sets are.
public enum StructureDifference {
    /// Compares the files of two sets by their places below what was loaded.
    ///
    /// The file of a set of one file is compared with the one of another such set, or with that of its name in a folder,
    /// or with the only one there, whatever it is called.
    public static func between(_ old: RuleArchive, _ new: RuleArchive) -> RuleChanges {
        let (oldMain, newMain) = (mainFile(of: old), mainFile(of: new))
        let common =
            switch (oldMain, newMain) {
            case (let path?, nil): name(of: path, beside: new)
            case (nil, let path?): name(of: path, beside: old)
            default: newMain.map(last)
            }
        return RuleChanges(
            from: relative(old, calling: oldMain == nil ? nil : common),
            to: relative(new, calling: newMain == nil ? nil : common)
        )
    }

    /// The name by which a rule set knows a file that `between(_:_:)` names.
    static func name(of file: String, in archive: RuleArchive) -> String {
        let folder = folder(of: archive)
        let name = folder == "." || file.hasPrefix("/") ? file : "\(folder)/\(file)"
        guard let main = mainFile(of: archive) else { return name }
        return archive.entries.keys.contains { plain($0) == name } ? name : main
    }

    /// The name of the file of a set of one file among those of a folder.
    private static func name(of path: String, beside folder: RuleArchive) -> String {
        let names = relative(folder, calling: nil).entries.keys.filter { $0.hasSuffix(".conf") }
        return names.count == 1 && !names.contains(last(path)) ? names[0] : last(path)
    }

    private static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The path of the file of a set of one file; nil for a folder.
    private static func mainFile(of archive: RuleArchive) -> String? {
        let path = plain(archive.path)
        let isFile = archive.entries.contains { name, entry in
            if case .file = entry { plain(name) == path } else { false }
        }
        return isFile ? path : nil
    }

    /// The folder that the names of files begin with: the one of the file where a set is one file.
    private static func folder(of archive: RuleArchive) -> String {
        guard let path = mainFile(of: archive) else { return plain(archive.path) }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return folder.isEmpty ? path.hasPrefix("/") ? "/" : "." : folder
    }

    private static func relative(_ archive: RuleArchive, calling main: String?) -> RuleArchive {
        let path = plain(archive.path)
        let folder = folder(of: archive)
        var entries: [String: RuleArchive.Entry] = [:]
        for (name, entry) in archive.entries {
            let name = plain(name)
            if name == path, let main {
                entries[main] = entry
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
