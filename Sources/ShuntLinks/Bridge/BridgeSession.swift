public import ShuntModules
import Synchronization

extension Bridge {
    /// Begins a connection with a page, for feeds and for answers that overtake each other.
    ///
    /// - Parameters:
    ///   - origin: The origin of the page, as the platform reports it.
    ///   - values: The values that travel with the calls.
    ///   - send: Sends a message to the page; called for one message after another, from any thread.
    /// - Returns: The connection. Call its `close` when the page has gone.
    /// - Throws: `BridgeError.refusedOrigin`.
    public func connect(
        from origin: String?,
        values: CallValues = CallValues(),
        send: @escaping @Sendable (String) -> Void
    ) throws(BridgeError) -> BridgeSession {
        BridgeSession(self, caller: try caller(from: origin), values: values, send)
    }
}

/// A connection with a page: it does what a `BridgeConnection` decides.
public final class BridgeSession: Sendable {
    private struct Work {
        var task: Task<Void, Never>
        var turns: AsyncStream<Void>.Continuation
    }

    private struct State {
        var connection: BridgeConnection
        var work: [Int: Work] = [:]
        /// The effects that are still to be done.
        var effects: [BridgeConnection.Effect] = []
        /// A thread does the effects, in their order.
        var isBusy = false
    }

    private let bridge: Bridge
    private let caller: Caller
    private let values: CallValues
    private let send: @Sendable (String) -> Void
    private let state: Mutex<State>

    init(_ bridge: Bridge, caller: Caller, values: CallValues, _ send: @escaping @Sendable (String) -> Void) {
        self.bridge = bridge
        self.caller = caller
        self.values = values
        self.send = send
        state = Mutex(State(connection: BridgeConnection(bridge.options)))
    }

    /// Handles a message of the page.
    public func receive(_ message: String) { handle(.received(Array(message.utf8))) }

    /// Sets whether the transport can take messages; while it cannot, feeds wait.
    public func setWritable(_ isWritable: Bool) { handle(isWritable ? .drained : .filled) }

    /// Ends the connection: all that is under way is cancelled, and nothing more is sent.
    public func close() { handle(.closed) }

    /// The number of calls and feeds under way, whose tasks have not ended.
    public var underWay: Int { state.withLock { $0.connection.underWay } }

    private func handle(_ event: BridgeConnection.Event) {
        state.withLock { state in
            if case .finished(let id, _) = event { state.work[id] = nil }
            state.effects += state.connection.handle(event)
        }
        // No lock is held while a message is sent; a caller that finds the session busy leaves its effects to the
        // other.
        while let effect = nextEffect() { perform(effect) }
    }

    private func nextEffect() -> BridgeConnection.Effect? {
        state.withLock { state in
            guard !state.isBusy, !state.effects.isEmpty else { return nil }
            state.isBusy = true
            return state.effects.removeFirst()
        }
    }

    private func perform(_ effect: BridgeConnection.Effect) {
        switch effect {
        case .send(let message): send(String(decoding: message, as: UTF8.self))
        case .start(let envelope): start(envelope)
        case .next(let id): state.withLock { $0.work[id] }?.turns.yield()
        case .cancel(let id): state.withLock { $0.work[id] }?.task.cancel()
        }
        state.withLock { $0.isBusy = false }
    }

    private func start(_ envelope: BridgeEnvelope) {
        let (turns, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            let task = Task { handle(.finished(envelope.id, await run(envelope, turns))) }
            state.work[envelope.id] = Work(task: task, turns: continuation)
        }
    }

    private func run(_ envelope: BridgeEnvelope, _ turns: AsyncStream<Void>) async -> BridgeAnswer {
        let opened = await bridge.open(envelope, caller: caller, values: values)
        guard envelope.kind == .listen else { return opened.answer }
        switch opened {
        case .answer(.value(let json)):
            handle(.element(envelope.id, json))
            return .end
        case .answer(let answer): return answer
        case .feed(let elements):
            do {
                var turns = turns.makeAsyncIterator()
                for try await element in elements {
                    handle(.element(envelope.id, try Answer.json(of: element) ?? Array("null".utf8)))
                    guard await turns.next() != nil else { break }
                }
                return .end
            } catch {
                return .failed(BridgeFailure(LinkResponse(error)))
            }
        }
    }
}
