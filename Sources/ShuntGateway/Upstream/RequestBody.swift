#if Gateway
import NIOCore

/// The body of a request on its way to an upstream.
///
/// Its beginning is kept, so that it can be sent to another server where one does not take it.
struct RequestBody {
    /// The most bytes that each body may have kept.
    static let keptLimit = 65_536
    /// The most that are kept of a request that may be sent twice, while the event loop has room for them.
    static let roomyLimit = keptLimit + 1 << 20
    /// The cost of keeping a part besides its bytes, so that a body of tiny chunks takes no more than another.
    private static let partCost = 32

    let length: IncomingRequest.BodyLength
    /// The parts so far, if all of them are kept.
    private(set) var kept: [ByteBuffer] = []
    private var cost = 0
    /// The place where there is room for what goes beyond the usual limit; nil where nothing is kept beyond it.
    private let room: BodyRoom?
    private var taken = 0
    /// True if what has come is kept.
    private(set) var isKept = true
    var hasEnded: Bool

    init(_ length: IncomingRequest.BodyLength, room: BodyRoom?) {
        self.length = length
        self.room = room
        hasEnded = length == .none
    }

    /// True if more may come before any of it is sent.
    var mayGrow: Bool { cost < Self.keptLimit }

    /// Notes a part that has come.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - isSent: Whether it is sent at once, so that it need not be kept.
    mutating func add(_ part: ByteBuffer, isSent: Bool) {
        guard isKept else { return }
        cost += part.readableBytes + Self.partCost
        if isSent, cost > Self.keptLimit, !takeRoom() { forget() } else { kept.append(part) }
    }

    /// Takes what goes beyond the usual limit from the event loop; false where that may not be.
    private mutating func takeRoom() -> Bool {
        let more = cost - Self.keptLimit - taken
        guard let room, cost <= Self.roomyLimit, room.take(more) else { return false }
        taken += more
        return true
    }

    /// Keeps nothing any more: it will not be sent again.
    mutating func forget() {
        kept = []
        isKept = false
        room?.give(taken)
        taken = 0
    }

    /// Returns the bytes to write for a part.
    func framed(_ part: ByteBuffer) -> [ByteBuffer] {
        guard length == .unknown, part.readableBytes > 0 else { return [part] }
        return [ByteBuffer(string: String(part.readableBytes, radix: 16) + "\r\n"), part, Self.lineEnd]
    }

    /// The bytes to write at the end; nil for none.
    var end: ByteBuffer? { length == .unknown ? Self.lastChunk : nil }

    private static let lineEnd = ByteBuffer(string: "\r\n")
    private static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}

/// The memory of an event loop for bodies that may have to be sent again.
///
/// Used on that loop only.
final class BodyRoom {
    private var free = 16 << 20

    /// Takes so many bytes, all or none.
    func take(_ count: Int) -> Bool {
        guard count <= free else { return false }
        free -= count
        return true
    }

    func give(_ count: Int) { free += count }
}
#endif
