#if Gateway
import NIOCore
import Shunt
import Synchronization

/// Someone who looks on: gets at most 50 decisions a second, and the number of those that were left out.
final class LiveListener: Sendable {
    /// The decisions that a listener wants.
    struct Filter: Sendable {
        var kinds: Set<String> = []
        /// A part of the place of a rule.
        var rule = ""
        /// A part of a host.
        var host = ""

        var isEmpty: Bool { kinds.isEmpty && rule.isEmpty && host.isEmpty }

        func matches(_ event: LiveEvent) -> Bool {
            if !kinds.isEmpty, !kinds.contains(event.decided.kind.rawValue) { return false }
            if !host.isEmpty, !event.host.contains(host) { return false }
            return rule.isEmpty || event.decided.rule?.description.contains(rule) == true
        }
    }

    /// The most decisions that are sent in a second; if there are more, a sample of them.
    static let perSecond = 50
    private static let atATime = 3
    private static let fewAtATime = 10

    private struct State {
        /// The number sent by each of the last drains.
        var sent = [Int](repeating: 0, count: LiveEvents.drainsPerSecond)
        var drain = 0
        var leftOut = 0
    }

    let stream: AsyncStream<ByteBuffer>
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    let filter: Filter
    private let showsValues: Bool
    private let state = Mutex(State())

    init(_ filter: Filter, showsValues: Bool) {
        self.filter = filter
        self.showsValues = showsValues
        // A listener that takes nothing for some seconds loses decisions, and gets their number.
        (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(64))
    }

    /// Sends what there is to see; to be called as often in a second as `LiveEvents` drains.
    func send(_ events: [LiveEvent], lost: Int) {
        let matching = events.filter(filter.matches)
        let (chosen, leftOut) = state.withLock { state in
            let room = max(0, Self.perSecond - state.sent.reduce(0, +) + state.sent[state.drain])
            let most = matching.count > Self.fewAtATime ? Self.atATime : Self.fewAtATime
            let count = min(matching.count, room, most)
            state.sent[state.drain] = count
            state.drain = (state.drain + 1) % state.sent.count
            state.leftOut += matching.count - count + lost
            // Once a second.
            guard state.drain == 0 else { return (count, 0) }
            defer { state.leftOut = 0 }
            return (count, state.leftOut)
        }
        var bytes: [UInt8] = []
        for index in 0..<chosen {
            matching[index * matching.count / chosen].append(to: &bytes, showsValues: showsValues)
        }
        if leftOut > 0 { LiveEvent.append("lost", Array("{\"count\":\(leftOut)}".utf8), to: &bytes) }
        guard !bytes.isEmpty, !send(bytes) else { return }
        state.withLock { $0.leftOut += chosen + leftOut }
    }

    /// Sends a message that is for everybody.
    ///
    /// - Returns: Whether there was room for it.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        if case .enqueued = continuation.yield(ByteBuffer(bytes: bytes)) { return true }
        return false
    }

    func end() { continuation.finish() }
}
#endif
