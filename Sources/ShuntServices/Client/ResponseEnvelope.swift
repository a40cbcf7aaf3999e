#if Client
import ShuntCore

/// The place where the value is in an answer that wraps it, as in `{"code": 0, "msg": "", "data": {}}`.
public struct ResponseEnvelope: Sendable, Hashable {
    /// The name of the member with the code.
    public var code: String
    /// The name of the member with a message for people.
    public var message: String
    /// The name of the member with the value.
    public var data: String
    /// The code of answers that succeeded, usually 0.
    public var success: Int

    /// Makes one.
    public init(code: String, message: String, data: String, success: Int = 0) {
        self.code = code
        self.message = message
        self.data = data
        self.success = success
    }

    /// Returns the wrapped value, nil if there is no code; throws `ClientError.rejected` for one that is not a success.
    func open(_ json: JSONValue) throws(ClientError) -> JSONValue? {
        guard case .object(let members) = json else { return nil }
        func member(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
        guard case .number(let digits)? = member(code), let code = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        guard code == success else {
            var text = ""
            if case .string(let bytes)? = member(message) { text = String(decoding: bytes, as: UTF8.self) }
            throw .rejected(code: code, message: text)
        }
        return member(data) ?? .null
    }
}
#endif
