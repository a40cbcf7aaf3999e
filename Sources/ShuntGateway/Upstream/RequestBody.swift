#if Gateway
import NIOCore

/// The body of a request on its way to an upstream.
///
/// Its beginning is kept, so that it can be sent to another server where one does not take it.
struct RequestBody {
    /// The most bytes that are kept.
    static let keptLimit = 65_536

    let length: IncomingRequest.BodyLength
    /// What has come of it, where all that has come is kept.
    private(set) var kept: [ByteBuffer] = []
    private var keptBytes = 0
    /// Whether what has come is kept.
    private(set) var isKept = true
    var hasEnded: Bool

    init(_ length: IncomingRequest.BodyLength) {
        self.length = length
        hasEnded = length == .none
    }

    /// Whether more may come before any of it is sent.
    var mayGrow: Bool { keptBytes < Self.keptLimit }

    /// Notes a part that has come.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - isSent: Whether it is sent at once, so that it need not be kept.
    mutating func add(_ part: ByteBuffer, isSent: Bool) {
        guard isKept else { return }
        keptBytes += part.readableBytes
        if isSent, keptBytes > Self.keptLimit {
            kept = []
            isKept = false
        } else {
            kept.append(part)
        }
    }

    /// What is written for a part.
    func framed(_ part: ByteBuffer) -> [ByteBuffer] {
        guard length == .unknown, part.readableBytes > 0 else { return [part] }
        return [ByteBuffer(string: String(part.readableBytes, radix: 16) + "\r\n"), part, Self.lineEnd]
    }

    /// What is written at the end; nil for nothing.
    var end: ByteBuffer? { length == .unknown ? Self.lastChunk : nil }

    private static let lineEnd = ByteBuffer(string: "\r\n")
    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}
#endif
