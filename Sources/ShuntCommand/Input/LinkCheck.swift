import Shunt

/// Looks the URLs of text files up in a table.
struct LinkCheck {
    /// The largest file that is looked at, in bytes.
    static let limit = 1 << 26
    /// How many entries of a directory are looked at.
    static let entries = 1 << 20

    private let table: RouteTable
    private let schemes: [[UInt8]]
    private let files = LocalFileSystem()
    private let addresses: [String]
    /// How many URLs were found.
    private(set) var found = 0
    /// What leads nowhere, and what could not be read.
    private(set) var diagnostics: [Diagnostic] = []

    init(_ table: RouteTable, schemes: [String]) {
        self.table = table
        self.schemes = schemes.map { Array($0.utf8) + Array("://".utf8) }
        addresses = table.routes.map(\.fullPattern.text)
    }

    /// Looks at a file, or at all files below a directory but those that are hidden.
    mutating func look(at path: String) {
        do throws(FileError) {
            switch try files.attributes(path).kind {
            case .directory:
                for name in try files.list(try files.realPath(path), limit: Self.entries).sorted()
                where !name.hasPrefix(".") {
                    look(at: path.hasSuffix("/") ? path + name : path + "/" + name)
                }
            case .regular:
                look(at: RuleFile(name: path, bytes: try files.read(try files.realPath(path), limit: Self.limit)))
            default: break
            }
        } catch {
            let place = SourceLocation(file: path, line: 0, column: 0)
            diagnostics.append(Diagnostic(.error, code: "unreadable", message: "cannot be read: \(error)", at: place))
        }
    }

    private mutating func look(at file: RuleFile) {
        let bytes = file.bytes
        var index = 0
        while index < bytes.count {
            guard isStart(index, bytes), let scheme = schemes.first(where: { bytes[index...].starts(with: $0) }) else {
                index += 1
                continue
            }
            var end = index + scheme.count
            while end < bytes.count, !Self.isEnd(bytes[end]), !isInterpolation(end, bytes) { end += 1 }
            // A full stop behind a URL ends the sentence, not the URL.
            while end > index, ".:!".utf8.contains(bytes[end - 1]) { end -= 1 }
            look(up: Array(bytes[index..<end]), isPrefix: isInterpolation(end, bytes), at: index, in: file)
            index = max(end, index + 1)
        }
    }

    private mutating func look(up url: [UInt8], isPrefix: Bool, at offset: Int, in file: RuleFile) {
        found += 1
        let text = String(decoding: url, as: UTF8.self)
        if isPrefix {
            let known = String(text.prefix { $0 != "?" })
            guard !text.contains("?"), !addresses.contains(where: { $0.hasPrefix(known) }), table.match(known) == nil
            else {
                return
            }
        } else if table.match(text) != nil {
            return
        }
        let path = String(text.prefix { $0 != "?" && $0 != "#" })
        let nearest = Suggestion.closest(to: path, among: addresses) ?? table.resolve(text).miss?.suggestion
        let (line, column) = file.place(of: offset)
        diagnostics.append(
            Diagnostic(
                .error,
                code: "dead-link",
                message: "\"\(text)\" leads nowhere",
                at: SourceLocation(file: file.name, line: Int(line), column: Int(column)),
                length: url.count,
                sourceLine: String(decoding: file.line(line), as: UTF8.self),
                suggestion: nearest.map { "did you mean \"\($0)\"?" }
            )
        )
    }

    /// Whether a scheme can begin here: `xkl://` is not `kl://`.
    private func isStart(_ index: Int, _ bytes: [UInt8]) -> Bool {
        guard index > 0 else { return true }
        switch bytes[index - 1] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            return false
        default: return true
        }
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7f || "\"'`<>()[],;\\|^".utf8.contains(byte)
    }

    private func isInterpolation(_ index: Int, _ bytes: [UInt8]) -> Bool {
        guard index + 1 < bytes.count else { return false }
        let next = bytes[index + 1]
        switch bytes[index] {
        case UInt8(ascii: "\\"): return next == UInt8(ascii: "(")
        case UInt8(ascii: "$"): return next == UInt8(ascii: "{")
        case UInt8(ascii: "{"): return next == UInt8(ascii: "{")
        default: return false
        }
    }
}
