import ShuntCore

/// JSON that people can read: one component a line.
struct AssociationText {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    private var isFirst = true

    /// Opens an object or a list.
    mutating func open(_ bracket: String, _ name: String? = nil) {
        begin(name)
        bytes += bracket.utf8
        depth += 1
        isFirst = true
    }

    /// Closes what was opened last.
    mutating func close(_ bracket: String) {
        depth -= 1
        if !isFirst { newline() }
        bytes += bracket.utf8
        isFirst = false
        if depth == 0 { bytes.append(UInt8(ascii: "\n")) }
    }

    /// Writes a value on a line of its own.
    mutating func line(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
        begin(name)
        var writer = JSONWriter()
        body(&writer)
        bytes += writer.bytes
        isFirst = false
    }

    mutating func strings(_ name: String, _ values: [String]) {
        line(name) { writer in writer.array { writer in for value in values { writer.string(value) } } }
    }

    private mutating func begin(_ name: String?) {
        if depth > 0 {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            newline()
        }
        if let name {
            var writer = JSONWriter()
            writer.string(name)
            bytes += writer.bytes + Array(": ".utf8)
        }
    }

    private mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        bytes += Array(repeating: UInt8(ascii: " "), count: depth * 2)
    }
}

extension AppLinkComponent {
    /// Writes it as an object, in which the member with the comment has a name of the file's own.
    func write(to writer: inout JSONWriter, comment name: String) {
        writer.object { writer in
            if let path { writer.member("/", path) }
            switch query {
            case nil: break
            case .pattern(let pattern): writer.member("?", pattern)
            case .items(let items):
                writer.name("?")
                writer.object { writer in
                    for (name, pattern) in items.sorted(by: { $0.key < $1.key }) { writer.member(name, pattern) }
                }
            }
            if let fragment { writer.member("#", fragment) }
            if let isExcluded { writer.member("exclude", isExcluded) }
            if let isCaseSensitive { writer.member("caseSensitive", isCaseSensitive) }
            if let isPercentEncoded { writer.member("percentEncoded", isPercentEncoded) }
            if let comment { writer.member(name, comment) }
        }
    }

    /// The component as JSON, as it stands in a file.
    public var text: String {
        var writer = JSONWriter()
        write(to: &writer, comment: "comment")
        return writer.text
    }
}
