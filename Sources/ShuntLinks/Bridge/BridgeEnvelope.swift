import ShuntCore

/// A message of a page: a call, the begin of a feed, or the end of one of them.
package struct BridgeEnvelope: Sendable, Equatable {
    /// The types of envelopes.
    package enum Kind: String, Sendable, CaseIterable {
        /// A call, which is answered once.
        case post
        /// A feed, which is answered until it ends.
        case listen
        /// The end of a call or a feed that is under way.
        case leave
    }

    /// The number that the answers have; a page issues it.
    package let id: Int
    package let kind: Kind
    /// The URL; empty for `leave`.
    package let url: String
    /// The parameters: a JSON object; empty for none.
    package let parameters: [UInt8]

    /// The largest number that every page can count to.
    static let largestID = 1 << 53 - 1

    /// Reads a message of at most `limit` bytes: one envelope, or a list of them in their order.
    ///
    /// Each one that is invalid is a failure.
    package static func read(
        _ text: [UInt8],
        limit: Int
    ) -> (envelopes: [Result<BridgeEnvelope, BridgeFailure>], isList: Bool) {
        guard text.count <= limit else {
            let message = "the message has \(text.count) bytes, more than messageSize (\(limit))"
            return ([.failure(BridgeFailure(413, message))], false)
        }
        do throws(JSONError) {
            let value = try JSONReader.read(text)
            guard case .array(let items) = value else { return ([read(value)], false) }
            return (items.map(read), true)
        } catch {
            return ([.failure(BridgeFailure(400, "the message is not JSON: \(error)"))], false)
        }
    }

    private static func read(_ value: JSONValue) -> Result<BridgeEnvelope, BridgeFailure> {
        guard case .object(let members) = value else {
            return .failure(BridgeFailure(400, "an envelope is an object, not \(value.kind)"))
        }
        var id: Int?
        do throws(BridgeFailure) {
            id = try number(of: members)
            return .success(try BridgeEnvelope(id: id ?? 0, members))
        } catch {
            var failure = error
            failure.id = id
            return .failure(failure)
        }
    }

    private static func number(of members: [JSONMember]) throws(BridgeFailure) -> Int {
        if let id = members["id"]?.integer, (0...largestID).contains(id) { return id }
        throw BridgeFailure(400, "\"id\" must be a whole number from 0 to \(largestID)")
    }

    private init(id: Int, _ members: [JSONMember]) throws(BridgeFailure) {
        var kind: Kind?
        var url: String?
        var parameters: [UInt8] = []
        for member in members {
            switch (member.name, member.value) {
            case ("id", _): break
            case ("type", .string(let word)): kind = Kind(rawValue: String(decoding: word, as: UTF8.self))
            case ("type", _): break
            case ("url", .string(let text)): url = String(decoding: text, as: UTF8.self)
            case ("url", let value): throw BridgeFailure(400, "\"url\" must be a string, not \(value.kind)")
            case ("param", .object): parameters = ValueJSON.bytes(member.value)
            case ("param", let value): throw BridgeFailure(400, "\"param\" must be an object, not \(value.kind)")
            case (let name, _): throw Self.unknown(name)
            }
        }
        guard let kind else { throw BridgeFailure(400, "\"type\" must be \"post\", \"listen\" or \"leave\"") }
        guard url != nil || kind == .leave else { throw BridgeFailure(400, "\"\(kind.rawValue)\" needs a \"url\"") }
        self.id = id
        self.kind = kind
        self.url = url ?? ""
        self.parameters = parameters
    }

    private static func unknown(_ name: String) -> BridgeFailure {
        let nearest = Suggestion.closest(to: name, among: ["id", "url", "type", "param"])
        let hint = nearest.map { "; did you mean \"\($0)\"?" } ?? ": an envelope has id, url, type and param"
        return BridgeFailure(400, "unknown member \"\(name)\"" + hint)
    }
}
