/// Values for the `input` variables of a rule set, and for variables of nginx that only the caller can know, by name
/// without the dollar sign.
///
/// ```swift
/// request.inputs["app_version"] = "3.1.9"
/// ```
public struct RequestInputs: Sendable, Hashable {
    /// The bytes of all values, by name.
    public var bytes: [String: [UInt8]]

    /// Makes inputs of bytes.
    public init(_ bytes: [String: [UInt8]] = [:]) {
        self.bytes = bytes
    }

    /// Makes inputs of texts.
    public init(_ texts: [String: String]) {
        bytes = texts.mapValues { Array($0.utf8) }
    }

    /// True if there are none.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The value of a variable as text; nil where it has none, so that its default holds.
    public subscript(_ name: String) -> String? {
        get { bytes[name].map { String(decoding: $0, as: UTF8.self) } }
        set { bytes[name] = newValue.map { Array($0.utf8) } }
    }

    /// The value of a variable as bytes; nil where it has none, so that its default holds.
    @_disfavoredOverload
    public subscript(_ name: String) -> [UInt8]? {
        get { bytes[name] }
        set { bytes[name] = newValue }
    }
}

extension RequestInputs: ExpressibleByDictionaryLiteral {
    /// Makes inputs of names and texts; of two values for a name the last holds.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}
