/// Values for the `input` variables of a rule set, and for variables of nginx that only the caller can know, by name
/// without the dollar sign.
///
/// ```swift
/// request.inputs["app_version"] = "3.1.9"
/// ```
public struct RequestInputs: Sendable, Hashable {
    private struct Entry: Sendable, Hashable {
        var name: String
        var value: [UInt8]
    }

    /// The values in the order of their names: to look one up takes less than the hash of a name.
    private var entries: [Entry] = []

    /// The bytes of all values, by name.
    public var bytes: [String: [UInt8]] {
        get { Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.value) }) }
        set { self = RequestInputs(newValue) }
    }

    /// Makes inputs without any values.
    public init() {}

    /// Makes inputs of bytes.
    public init(_ bytes: [String: [UInt8]]) {
        entries = bytes.map { Entry(name: $0, value: $1) }.sorted { $0.name < $1.name }
    }

    /// Makes inputs of texts.
    public init(_ texts: [String: String]) { self.init(texts.mapValues { Array($0.utf8) }) }

    /// True if there are none.
    public var isEmpty: Bool { entries.isEmpty }

    package var count: Int { entries.count }

    /// The value of a variable as text; nil where it has none, so that its default holds.
    public subscript(_ name: String) -> String? {
        get { place(of: name).map { String(decoding: entries[$0].value, as: UTF8.self) } }
        set { self[name] = newValue.map { Array($0.utf8) } }
    }

    /// The value of a variable as bytes; nil where it has none, so that its default holds.
    @_disfavoredOverload
    public subscript(_ name: String) -> [UInt8]? {
        get { place(of: name).map { entries[$0].value } }
        set {
            if let newValue {
                change(name) { $0 = newValue }
            } else if let place = place(of: name) {
                entries.remove(at: place)
            }
        }
    }

    /// Changes the value of a variable where it is; one that has none is empty before.
    package mutating func change<Result>(_ name: String, _ body: (inout [UInt8]) -> Result) -> Result {
        let start = start(of: name)
        if start == entries.count || entries[start].name != name {
            entries.insert(Entry(name: name, value: []), at: start)
        }
        return body(&entries[start].value)
    }

    /// The place of a name; nil where it has no value.
    private func place(of name: String) -> Int? {
        let start = start(of: name)
        return start < entries.count && entries[start].name == name ? start : nil
    }

    /// The place of the first name that is not before another.
    private func start(of name: String) -> Int {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            if entries[middle].name < name { start = middle + 1 } else { end = middle }
        }
        return start
    }
}

extension RequestInputs: ExpressibleByDictionaryLiteral {
    /// Makes inputs of names and texts; of two values for a name the last holds.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
