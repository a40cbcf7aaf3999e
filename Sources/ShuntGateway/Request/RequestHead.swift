#if Gateway
import NIOCore
import NIOHTTP1

/// The request line and the headers of a request.
struct RequestHead {
    var method: HTTPMethod
    /// The target as it was sent.
    var target: [UInt8]
    /// The number after `HTTP/1.`.
    let minorVersion: Int
    var fields: HeaderFields
    /// The place where the body ends, or why it is unknown.
    let body: Result<IncomingRequest.BodyLength, IncomingRequest.Refusal>
    /// True if another protocol is requested; as in nginx, the header Connection need not list `Upgrade`.
    let asksUpgrade: Bool
    /// True if the client continues with the connection.
    let isKeptAlive: Bool
    /// True if the client waits for "100 Continue" before it sends the body.
    let awaitsContinue: Bool
    /// True if it has conditions about the state of what it asks for.
    let hasConditions: Bool

    /// Creates the head of bytes that are not a request, or only the beginning of one.
    ///
    /// - Parameter method: The method as far as it is known.
    init(unknown method: HTTPMethod = .RAW(value: "")) {
        self.method = method
        target = []
        minorVersion = 1
        fields = HeaderFields()
        body = .success(.none)
        asksUpgrade = false
        isKeptAlive = false
        awaitsContinue = false
        hasConditions = false
    }

    /// Reads the headers of the connection and of the body.
    init(_ line: RequestLine, _ fields: HeaderFields) {
        method = line.method
        target = line.target
        minorVersion = line.minorVersion
        self.fields = fields
        let bytes = fields.bytes.readableBytesUInt8Span
        var framing = Framing(minorVersion: line.minorVersion)
        for field in fields.list where Framing.counts(field.name.count) {
            framing.note(bytes.extracting(field.name), bytes.extracting(field.value))
        }
        body = framing.body
        asksUpgrade = framing.asksUpgrade && line.method != .CONNECT
        awaitsContinue = framing.awaitsContinue && line.minorVersion == 1
        hasConditions = framing.hasConditions
        let isKept = line.minorVersion == 1 || framing.keeps
        isKeptAlive = isKept && !framing.closes && line.method != .CONNECT
    }

    var isOldVersion: Bool { minorVersion == 0 }

    /// The target as text.
    var uri: String { String(decoding: target, as: UTF8.self) }

    /// The version in the request line.
    var version: String { minorVersion == 0 ? "HTTP/1.0" : "HTTP/1.1" }

    /// The value of the first header of a name in lower case.
    func first(_ name: String) -> String? {
        let field = fields.list.first { field in
            field.name.count == name.utf8.count && fields.text(field.name).lowercased() == name
        }
        return field.map { fields.text($0.value) }
    }

    /// The framing that headers declare, as strictly as nginx: what nginx refuses or reads in another way is refused.
    private struct Framing {
        let minorVersion: Int
        private var length: Int?
        private var isChunked = false
        private var refusal: IncomingRequest.Refusal?
        private(set) var closes = false
        private(set) var keeps = false
        private(set) var asksUpgrade = false
        private(set) var awaitsContinue = false
        /// The headers that have come which may come only once, by their places in `single`.
        private var seen: UInt16 = 0

        /// Headers that nginx takes once, in addition to those of the body and the Host.
        private static let single: [StaticString] = [
            "expect", "if-match", "if-range", "authorization", "if-none-match", "content-range", "if-modified-since",
            "if-unmodified-since",
        ]

        /// True if a condition is among them; that of a range does not count.
        var hasConditions: Bool { seen & 0b1101_0010 != 0 }

        init(minorVersion: Int) { self.minorVersion = minorVersion }

        /// Returns true if a header whose name is so long may count.
        static func counts(_ length: Int) -> Bool {
            switch length {
            case 6, 7, 8, 10, 13, 14, 17, 19: true
            default: false
            }
        }

        mutating func note(_ name: Span<UInt8>, _ value: Span<UInt8>) {
            switch name.count {
            case 6 where name.isSameHeader(as: "expect"):
                if value.isSameHeader(as: "100-continue") { awaitsContinue = true }
                noteSingle(name)
            case 7 where name.isSameHeader(as: "upgrade"): asksUpgrade = true
            case 10 where name.isSameHeader(as: "connection"):
                if value.lists("close") { closes = true }
                if value.lists("keep-alive") { keeps = true }
            case 14 where name.isSameHeader(as: "content-length"):
                let number = Int(digits: value)
                if length != nil || number == nil { refuse("the Content-Length is invalid") }
                length = number ?? 0
            case 17 where name.isSameHeader(as: "transfer-encoding"):
                if minorVersion == 0 { refuse("chunks are for HTTP/1.1") }
                if isChunked || !value.isSameHeader(as: "chunked") {
                    refuse("the only transfer coding is chunked", .notImplemented)
                }
                isChunked = true
            case 8, 13, 17, 19: noteSingle(name)
            default: break
            }
        }

        /// Refuses the second header of a name that may come once: two programs may each believe another one.
        private mutating func noteSingle(_ name: Span<UInt8>) {
            for (place, known) in Self.single.enumerated() where name.isSameHeader(as: known) {
                let bit: UInt16 = 1 << place
                if seen & bit != 0 { refuse("the request has two headers \(known)") }
                seen |= bit
            }
        }

        private mutating func refuse(_ reason: String, _ status: HTTPResponseStatus = .badRequest) {
            if refusal == nil { refusal = IncomingRequest.Refusal(reason, status: status) }
        }

        var body: Result<IncomingRequest.BodyLength, IncomingRequest.Refusal> {
            if let refusal { return .failure(refusal) }
            if isChunked, length != nil {
                return .failure(IncomingRequest.Refusal("the request has both Content-Length and Transfer-Encoding"))
            }
            if isChunked { return .success(.unknown) }
            return .success(length.map { $0 == 0 ? .none : .known($0) } ?? .none)
        }
    }
}
#endif
