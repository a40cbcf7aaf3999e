#if Gateway
import NIOCore
import NIOHTTP1

/// The request that a question of Envoy's `ext_proc` is about.
///
/// What is wrong with it is the client's fault and not Envoy's: the client gets the answer, for Envoy may be configured
/// to let requests through whose questions fail.
struct ExtProcRequest {
    /// The head as a client of HTTP/1.1 would have sent it.
    let head: RequestHead
    /// `http` or `https`.
    let isSecure: Bool
    /// The host with its port, as it was written.
    let authority: String
    /// The names of all headers of the client in lower case, also of those that the rules do not see.
    let names: Set<String>

    /// The prefix of header names that a client may not send to the upstream.
    static let ownPrefix = "x-shunt-"

    private typealias Refusal = IncomingRequest.Refusal

    /// Puts a request together.
    ///
    /// - Throws: What is wrong with it.
    init(_ question: ExtProcQuestion) throws(IncomingRequest.Refusal) {
        var told: [String: [UInt8]] = [:]
        var bytes = ByteBuffer()
        var fields: [HeaderFields.Field] = []
        func add(_ name: String, _ value: [UInt8]) {
            let start = bytes.writerIndex
            bytes.writeString(name)
            let middle = bytes.writerIndex
            bytes.writeBytes(value)
            fields.append(HeaderFields.Field(name: start..<middle, value: middle..<bytes.writerIndex))
        }
        for header in question.headers where header.name.hasPrefix(":") {
            guard told.updateValue(header.value, forKey: header.name) == nil else {
                throw Refusal("the request has two \(header.name)")
            }
        }
        func take(_ name: String) throws(Refusal) -> [UInt8] {
            guard let value = told.removeValue(forKey: name) else { throw Refusal("the request has no \(name)") }
            return value
        }
        let path = try take(":path")
        // A whole URL would have a separate host.
        guard path.first == UInt8(ascii: "/") || path == Array("*".utf8) else {
            throw Refusal("the :path does not begin with a slash")
        }
        let text = try take(":method") + [0x20] + path + Array(" HTTP/1.1".utf8)
        guard let line = RequestLine(text.span) else { throw Refusal("the :method or the :path is invalid") }
        let scheme = String(decoding: try take(":scheme"), as: UTF8.self)
        guard scheme == "http" || scheme == "https" else {
            throw Refusal("the :scheme is neither http nor https")
        }
        let authority = try take(":authority")
        if let other = told.keys.min() { throw Refusal("\(other) is unknown") }
        guard Self.isValue(authority) else { throw Refusal("the :authority has control bytes") }
        self.authority = String(decoding: authority, as: UTF8.self)
        add("host", authority)
        guard question.headers.count <= RequestParser.fieldLimit else {
            throw Refusal(
                "there are more than \(RequestParser.fieldLimit) header fields",
                status: .requestHeaderFieldsTooLarge
            )
        }
        var names: Set<String> = []
        for header in question.headers where !header.name.hasPrefix(":") {
            guard !header.name.isEmpty, header.name.utf8.allSatisfy(\.isNameByte), Self.isValue(header.value) else {
                throw Refusal("a header is invalid: \(header.name)")
            }
            let name = header.name.lowercased()
            names.insert(name)
            if !name.hasPrefix(Self.ownPrefix) { add(name, header.value) }
        }
        self.names = names
        head = RequestHead(line, HeaderFields(bytes, fields))
        // Of the two only this one is always Envoy's own word: what a client of HTTP/2 sends as :scheme.
        let forwarded = try ForwardedHeaders(head.fields, believing: [.proto])
        isSecure = forwarded.isSecure ?? (scheme == "https")
    }

    private static func isValue(_ bytes: [UInt8]) -> Bool { !bytes.contains(where: \.isControl) }
}

/// A question of Envoy's `ext_proc` while it is answered.
struct ExtProcExchange {
    /// The question; nil until all of it has come.
    var question: ExtProcQuestion?
    /// The request that it is about.
    private(set) var request: ExtProcRequest?

    /// Returns the question.
    ///
    /// - Throws: What is wrong with the request of Envoy's client.
    mutating func asked(from connection: ClientConnection) throws(IncomingRequest.Refusal) -> DecisionQuestion? {
        guard let question else { return nil }
        let request = try ExtProcRequest(question)
        self.request = request
        return try DecisionQuestion(request, source: question.source, from: connection)
    }
}
#endif
