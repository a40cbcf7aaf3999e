#if Gateway
import NIOCore

/// The body of a request on its way to an upstream.
///
/// Its beginning is kept, so that it can be sent to another server where one does not take it.
struct RequestBody {
    /// The most bytes that each body may have kept.
    static let keptLimit = 65_536
    /// The most that are kept of a request that may be sent twice or has no known length, while the event loop has room
    /// for them.
    static let roomyLimit = keptLimit + 1 << 20
    /// The cost of keeping a part in addition to its bytes, so that a body of tiny chunks takes no more than another.
    private static let partCost = 32

    /// The parts so far, if all of them are kept.
    private(set) var kept: [ByteBuffer] = []
    /// The number of bytes that have come.
    private(set) var length = 0
    private var cost = 0
    /// The place where there is room for what goes beyond the usual limit; nil where nothing is kept beyond it.
    private let room: BodyRoom?
    /// True if parts that are sent as they come are kept beyond that limit, too.
    private let isRepeatable: Bool
    private var taken = 0
    /// True if what has come is kept.
    private(set) var isKept = true

    init(room: BodyRoom?, isRepeatable: Bool = true) { (self.room, self.isRepeatable) = (room, isRepeatable) }

    /// True if more may come before any of it is sent.
    var mayGrow: Bool { cost < Self.keptLimit }

    /// Reserves room for what has come beyond the usual limit, so that more may come before any of it is sent.
    ///
    /// - Returns: False where there is no room.
    mutating func grow() -> Bool { mayGrow || takeRoom() }

    /// Notes a part that has come.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - isSent: Whether it is sent at once, so that it need not be kept.
    mutating func add(_ part: ByteBuffer, isSent: Bool) {
        length += part.readableBytes
        guard isKept else { return }
        cost += part.readableBytes + Self.partCost
        if isSent, cost > Self.keptLimit, !(isRepeatable && takeRoom()) { forget() } else { kept.append(part) }
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
}

/// The memory of an event loop for bodies that may have to be sent again.
///
/// Used on that loop only.
final class BodyRoom {
    private(set) var free = 16 << 20

    /// Takes so many bytes, all or none.
    func take(_ count: Int) -> Bool {
        guard count <= free else { return false }
        free -= count
        return true
    }

    func give(_ count: Int) { free += count }
}
#endif
