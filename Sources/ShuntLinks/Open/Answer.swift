public import Shunt
public import ShuntModules

/// The result of opening a URL.
@nonexhaustive public enum Answer: Sendable {
    /// The output of an action; for a slot its scope.
    case value(any Sendable)
    /// The elements of a feed.
    case stream(FeedStream<any Sendable>)
    /// The replies to an event, by module.
    case replies([(module: String, result: Result<any Sendable, any Error>)])
    /// The rules sent it away: a redirect, a degraded URL, a response, a block or a failure.
    case decided(Decision)

    /// The value as JSON; nil where it cannot be encoded, and for streams and decisions.
    ///
    /// - Throws: What the type throws.
    public func json() throws -> [UInt8]? {
        switch self {
        case .value(let value): return try Self.json(of: value)
        case .replies(let replies):
            var writer = JSONWriter()
            try writer.object { (writer) throws(any Error) in
                for reply in replies {
                    writer.name(reply.module)
                    switch reply.result {
                    case .success(let value):
                        let json = try Self.json(of: value) ?? Array("null".utf8)
                        writer.json(json.span)
                    case .failure: writer.object { $0.member("error", true) }
                    }
                }
            }
            return writer.bytes
        case .stream, .decided: return nil
        }
    }

    /// The JSON of a value; nil where it is not encodable.
    ///
    /// - Throws: What the type throws.
    public static func json(of value: any Sendable) throws -> [UInt8]? {
        guard let value = value as? any Encodable else { return nil }
        return ValueJSON.bytes(try OutputEncoder.json(value))
    }
}
