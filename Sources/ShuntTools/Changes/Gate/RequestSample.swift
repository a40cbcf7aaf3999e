public import Shunt
import Synchronization

/// A fair sample of the requests of the last minutes, for a `ChangeGate` to ask about.
///
/// Two spans of time are kept, the current span and the one before it, each of them a reservoir that every request of
/// its span is in with the same chance (Vitter's algorithm R). A request takes at most 1 KiB: of a longer one the
/// headers that the rules do not read are left out, and it is not taken where that does not help.
///
/// Thread safe; a program with several threads does best with a sample for each, because noting takes a lock.
public final class RequestSample: Sendable {
    /// The most bytes of a request that is kept.
    static let requestBytes = 1_024
    /// The length of a span, in seconds.
    static let spanSeconds: Int64 = 300

    private struct State {
        var random: UInt64
        var spanStart: Int64
        /// The number of requests in the current span.
        var seen = 0
        var current: [[UInt8]] = []
        var previous: [[UInt8]] = []

        /// A number below a bound by xorshift64*, which is random enough to draw a sample.
        mutating func draw(below bound: Int) -> Int {
            random ^= random >> 12
            random ^= random << 25
            random ^= random >> 27
            return Int((random &* 2_685_821_657_736_338_717).multipliedFullWidth(by: UInt64(bound)).high)
        }

        mutating func turn(to now: Int64) {
            guard now < spanStart || now >= spanStart + RequestSample.spanSeconds else { return }
            // After a pause of more than a span, or a clock that was set back, nothing is of the last minutes.
            let follows = now >= spanStart && now < spanStart + 2 * RequestSample.spanSeconds
            previous = follows ? current : []
            current = []
            seen = 0
            spanStart = now
        }
    }

    private let spanCapacity: Int
    private let state: Mutex<State>

    /// Makes an empty sample.
    ///
    /// - Parameters:
    ///   - capacity: The most requests that are kept, of both spans together.
    ///   - seed: What the chance begins with; nil for another one each time.
    public init(capacity: Int, seed: UInt64? = nil) {
        spanCapacity = max(1, (capacity + 1) / 2)
        let seed = seed ?? UInt64.random(in: 1 ... .max)
        state = Mutex(State(random: seed == 0 ? 1 : seed, spanStart: 0))
    }

    /// Notes a request that was decided.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reads: What the rules that decided read.
    ///   - now: The time in seconds.
    /// - Complexity: O(1) for nearly all requests of a busy span; O(*n*) in the size of one that is taken.
    public func note(_ request: borrowing RuleRequest, reads: RequestReads, at now: Int64) {
        let place: Int? = state.withLock { state in
            state.turn(to: now)
            state.seen += 1
            if state.current.count < spanCapacity { return state.current.count }
            let place = state.draw(below: state.seen)
            return place < spanCapacity ? place : nil
        }
        guard let place, let line = Self.line(copy request, reads) else { return }
        state.withLock { state in
            // Another thread may have noted one in between, or a span may have begun.
            if place < state.current.count {
                state.current[place] = line
            } else {
                state.current.append(line)
            }
        }
    }

    private static func line(_ request: RuleRequest, _ reads: RequestReads) -> [UInt8]? {
        let whole = RequestDescription(request).json
        if whole.count <= requestBytes { return whole }
        var reduced = request
        reduced.headers.removeAll { !reads.reads(header: $0.nameBytes) }
        let line = RequestDescription(reduced).json
        return line.count <= requestBytes ? line : nil
    }

    /// The requests.
    public var requests: [RequestDescription] {
        let lines = state.withLock { $0.previous + $0.current }
        return lines.compactMap { line in try? RequestDescription(line: line) }
    }
}
