#if Gateway
import Shunt
import ShuntTools

/// The rules in use with another text of one file: compiled to be explained, and never saved.
struct DraftRules: Sendable {
    /// The longest text of a file that can be edited, in bytes.
    static let longestText = 256 * 1024

    /// The rules to compile, tests included.
    let archive: RuleArchive

    /// Replaces a file of the rules in use, or adds one to their directory.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of a file as messages have it; a name without a slash that no file has stands for a new file.
    ///   - snapshot: The rules in use.
    /// - Throws: `RequestError` if no such file can be edited.
    init(_ text: [UInt8], named name: String, in snapshot: RuleSnapshot) throws(RequestError) {
        guard text.count <= Self.longestText else {
            throw RequestError("a draft has at most \(Self.longestText) bytes")
        }
        var archive = snapshot.archive
        guard let path = Self.path(of: name, in: snapshot) else {
            throw RequestError("no rule file is named \(RequestFields.quoted(name))")
        }
        archive.entries[path] = .file(text)
        self.archive = archive
    }

    /// Returns the names of the files that can be edited.
    static func names(in snapshot: RuleSnapshot) -> [String] {
        snapshot.ruleSet.files.filter { text(of: $0) != nil && path(of: $0, in: snapshot.archive) != nil }.map(\.name)
    }

    /// Returns the text of such a file; nil if no file has the name.
    static func text(of name: String, in snapshot: RuleSnapshot) -> String? {
        snapshot.ruleSet.files.first { $0.name == name && path(of: $0, in: snapshot.archive) != nil }.flatMap(text)
    }

    private static func text(of file: RuleFile) -> String? {
        guard !file.isList, file.bytes.count <= longestText else { return nil }
        return String(validating: file.bytes, as: UTF8.self)
    }

    private static func path(of name: String, in snapshot: RuleSnapshot) -> String? {
        if let file = snapshot.ruleSet.files.first(where: { $0.name == name }) {
            return path(of: file, in: snapshot.archive)
        }
        let directory = snapshot.archive.path
        guard name.hasSuffix(".conf"), !name.contains("/"), snapshot.archive.entries[directory] == .directory else {
            return nil
        }
        return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    /// Returns the path of a file in an archive; nil if several may be it, which links can lead to.
    private static func path(of file: RuleFile, in archive: RuleArchive) -> String? {
        if case .file(file.bytes)? = archive.entries[file.name] { return file.name }
        let paths = archive.entries.filter { path, entry in
            entry == .file(file.bytes) && "/\(path)".hasSuffix("/\(file.name)")
        }
        return paths.count == 1 ? paths.first?.key : nil
    }
}
#endif
