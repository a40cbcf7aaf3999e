public import Shunt

/// The differences between the files of two rule sets, wherever the sets are.
public enum StructureDifference {
    /// Compares the files of two sets by their places below what was loaded.
    ///
    /// The file of a set of one file is compared with the one of another such set, or with that of its name in a folder,
    /// or with the only one there, whatever it is called.
    public static func between(_ old: RuleArchive, _ new: RuleArchive) -> RuleChanges {
        let common = commonName(old, new)
        return RuleChanges(from: relative(old, calling: common.old), to: relative(new, calling: common.new))
    }

    /// The name that the files of two sets share where a set is one file; nil for a folder.
    private static func commonName(_ old: RuleArchive, _ new: RuleArchive) -> (old: String?, new: String?) {
        let (oldMain, newMain) = (mainFile(of: old), mainFile(of: new))
        let common =
            switch (oldMain, newMain) {
            case (let path?, nil): name(of: path, beside: new)
            case (nil, let path?): name(of: path, beside: old)
            default: newMain.map(last)
            }
        return (oldMain == nil ? nil : common, newMain == nil ? nil : common)
    }

    /// Compares two loaded sets as `between(_:_:)` compares their files; a directive that only went into an included
    /// file, or came out of one, is not a difference.
    public static func between(_ old: LoadedRules, _ new: LoadedRules) -> RuleChanges {
        let changes = between(old.archive, new.archive)
        let rules = changes.added + changes.removed + changes.edited.flatMap { [$0.before, $0.after] }
        guard rules.contains(where: { $0.text.hasPrefix("include ") }) else { return changes }
        let common = commonName(old.archive, new.archive)
        func side(_ set: LoadedRules, _ main: String?) -> (RuleDocument, [String], RuleArchive) {
            let document = set.ruleSet.document
            let name = relativeName(in: set.archive, calling: main)
            return (document, document.files.map { name($0.name) }, relative(set.archive, calling: main))
        }
        return RuleChanges(from: side(old, common.old), to: side(new, common.new))
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
        let name = relativeName(in: archive, calling: main)
        return RuleArchive(path: ".", entries: Dictionary(archive.entries.map { (name($0), $1) }) { $1 })
    }

    /// Returns a function for the name of a file of a set without the folder of the set.
    private static func relativeName(in archive: RuleArchive, calling main: String?) -> (String) -> String {
        let path = plain(archive.path)
        let folder = folder(of: archive) + "/"
        return { name in
            let name = plain(name)
            if name == path, let main { return main }
            return name.hasPrefix(folder) ? String(name.dropFirst(folder.count)) : name
        }
    }

    /// A path without what means nothing in it: a `./` before it, a slash after it.
    private static func plain(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        while path.hasPrefix("./"), path.count > 2 { path.removeFirst(2) }
        return String(path)
    }
}
