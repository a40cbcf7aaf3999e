import Synchronization

/// The way of elements from a writer to a listener: a buffer of sixteen, then the writer waits.
final class FeedChannel<Element: Sendable>: Sendable {
    static var capacity: Int { 16 }

    private typealias Listener = CheckedContinuation<Element?, any Error>
    private typealias Writer = CheckedContinuation<Void, any Error>

    private struct State {
        var buffer: [Element] = []
        /// The place where the buffer begins; what was read is thrown away in blocks.
        var first = 0
        var end: Result<Void, any Error>?
        var hasLeft = false
        var listener: Listener?
        var writers: [(id: Int, element: Element, continuation: Writer)] = []
        var next = 0
        var onLeave: (@Sendable () -> Void)?

        var count: Int { buffer.count - first }

        mutating func takeFirst() -> Element {
            let element = buffer[first]
            first += 1
            if first == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                first = 0
            } else if first >= 64 {
                buffer.removeFirst(first)
                first = 0
            }
            return element
        }
    }

    private let state = Mutex(State())

    /// Sets what is done when the listener leaves.
    func onLeave(_ body: @escaping @Sendable () -> Void) {
        let hasLeft = state.withLock { state in
            state.onLeave = body
            return state.hasLeft
        }
        if hasLeft { body() }
    }

    // MARK: The writer

    private enum WriteStep {
        case refused
        case handedOver(Listener)
        case buffered
        case waits
    }

    func write(_ element: Element) async throws {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { write(element, as: id, $0) }
        } onCancel: {
            let continuation = state.withLock { state in
                state.writers.firstIndex { $0.id == id }.map { state.writers.remove(at: $0).continuation }
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func write(_ element: Element, as id: Int, _ continuation: Writer) {
        let step = state.withLock { state -> WriteStep in
            if state.hasLeft || state.end != nil || Task.isCancelled { return .refused }
            if let listener = state.listener {
                state.listener = nil
                return .handedOver(listener)
            }
            if state.count < Self.capacity {
                state.buffer.append(element)
                return .buffered
            }
            state.writers.append((id, element, continuation))
            return .waits
        }
        switch step {
        case .refused: continuation.resume(throwing: CancellationError())
        case .handedOver(let listener):
            listener.resume(returning: element)
            continuation.resume()
        case .buffered: continuation.resume()
        case .waits: break
        }
    }

    /// Ends the feed; nothing happens the second time.
    ///
    /// What is in the buffer is read before the listener sees the end, unless the end is not to wait for that.
    func finish(_ end: Result<Void, any Error>, atOnce: Bool = false) {
        let (listener, writers) = state.withLock { state -> (Listener?, [Writer]) in
            guard state.end == nil else { return (nil, []) }
            state.end = end
            if atOnce {
                state.buffer = []
                state.first = 0
            }
            defer {
                state.listener = nil
                state.writers = []
                state.onLeave = nil
            }
            return (state.listener, state.writers.map(\.continuation))
        }
        listener?.resume(with: end.map { nil })
        for writer in writers { writer.resume(throwing: CancellationError()) }
    }

    // MARK: The listener

    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { read($0) }
        } onCancel: {
            let listener = state.withLock { state in
                defer { state.listener = nil }
                return state.listener
            }
            listener?.resume(throwing: CancellationError())
        }
    }

    private func read(_ continuation: Listener) {
        let (result, writer) = state.withLock {
            state -> (Result<Element?, any Error>?, Writer?) in
            if state.count > 0 {
                let element = state.takeFirst()
                guard !state.writers.isEmpty else { return (.success(element), nil) }
                let writer = state.writers.removeFirst()
                state.buffer.append(writer.element)
                return (.success(element), writer.continuation)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            if Task.isCancelled || state.listener != nil { return (.failure(CancellationError()), nil) }
            state.listener = continuation
            return (nil, nil)
        }
        writer?.resume()
        if let result { continuation.resume(with: result) }
    }

    /// The listener has left: writing throws from here on.
    func leave() {
        let (writers, onLeave) = state.withLock { state in
            state.hasLeft = true
            defer {
                state.writers = []
                state.onLeave = nil
                state.buffer = []
                state.first = 0
            }
            return (state.writers.map(\.continuation), state.onLeave)
        }
        for writer in writers { writer.resume(throwing: CancellationError()) }
        onLeave?()
    }
}
