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

    /// Writes a value on a separate line.
    mutating func line(_ name: String?, _ value: some JSONWritable) {
        begin(name)
        var writer = JSONWriter()
        value.write(to: &writer)
        bytes += writer.bytes
        isFirst = false
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
    /// The object, in which the member with the comment has a name of the file's own.
    func object(comment name: String) -> JSONObject {
        let parts: (any JSONWritable)? =
            switch query {
            case nil: nil
            case .pattern(let pattern): pattern
            case .items(let items): JSONObject(items.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
            }
        return [
            "/": path, "?": parts, "#": fragment, "exclude": isExcluded, "caseSensitive": isCaseSensitive,
            "percentEncoded": isPercentEncoded, name: comment,
        ]
    }

    /// The component as JSON, as in a file.
    public var text: String { String(decoding: object(comment: "comment").bytes, as: UTF8.self) }
}
