public import ShuntInterfaces
import Synchronization

/// The place where a handler of a feed writes to.
public struct FeedWriter<Element: Sendable>: Sendable {
    let send: @Sendable (Element) async throws -> Void

    init(_ send: @escaping @Sendable (Element) async throws -> Void) { self.send = send }

    /// Hands an element over.
    ///
    /// Waits while the listener has sixteen that it has not read.
    ///
    /// - Throws: `CancellationError` when the listener has left, or the task is cancelled.
    public func write(_ element: Element) async throws { try await send(element) }
}

/// The input of a feed on its way through interceptors: it carries the writer, and so cannot be handed over twice.
struct FeedRequest<Input: Sendable, Element: Sendable>: RepeatableInput {
    let input: Input
    let writer: FeedWriter<Element>

    var canBeRepeated: Bool { false }
}

/// The elements for a listener: to be read once.
///
/// Letting go of it, or of its iterator, ends the feed.
public struct FeedStream<Element: Sendable>: AsyncSequence, Sendable {
    /// Reads the elements one after another.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let listener: FeedListener<Element>

        /// The next element; nil at the end.
        ///
        /// - Throws: What the handler threw; `CallError.detached` when its scope stopped; `CancellationError`.
        public mutating func next() async throws -> Element? { try await listener.channel.next() }

        /// The next element; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            try await listener.channel.next()
        }
    }

    let listener: FeedListener<Element>

    /// The iterator.
    ///
    /// There is one reading; a second iterator shares it.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(listener: listener.reading()) }
}

/// Notices that no one listens any more: when it is freed.
final class FeedListener<Element: Sendable>: Sendable {
    let channel: FeedChannel<Element>
    /// The state that an iterator has; while it is there, or was, the stream itself does not count.
    private let iterating = Mutex(false)
    private let isIterator: Bool

    init(_ channel: FeedChannel<Element>, isIterator: Bool = false) {
        self.channel = channel
        self.isIterator = isIterator
    }

    deinit {
        if isIterator || !iterating.withLock({ $0 }) { channel.leave() }
    }

    func reading() -> FeedListener {
        iterating.withLock { $0 = true }
        return FeedListener(channel, isIterator: true)
    }
}

extension Scope {
    /// Listens.
    ///
    /// The answer comes from where an action's would.
    ///
    /// Each listener has a separate run of the handler, in a task of the scope that answers.
    ///
    /// - Throws: `CallError.notOffered`, `differentTypes` and `notActive`. What the handler throws comes while reading.
    public func listen<Input, Element>(
        _ feed: ModuleFeed<Input, Element>,
        _ input: Input,
        values: CallValues = CallValues()
    ) throws(CallError) -> FeedStream<Element> {
        try listen(feed.contract, input: input, caller: Caller(.code), values: values)
    }

    func listen<Input: Sendable, Element: Sendable>(
        _ contract: Contract,
        input: Input,
        caller: Caller,
        values: CallValues
    ) throws(CallError) -> FeedStream<Element> {
        guard let (endpoint, scope) = find(contract.name),
            let typed = endpoint as? Endpoint<FeedRequest<Input, Element>, NoValue>
        else { throw missing(contract) }
        return try listen(contract, scope) { (writer: FeedWriter<Element>) in
            let call = CallContext(scope: scope, contract: contract, caller: caller, values: values)
            _ = try await typed.run(FeedRequest(input: input, writer: writer), call)
        }
    }

    /// Runs what writes a feed in a task of the scope that answers.
    func listen<Element: Sendable>(
        _ contract: Contract,
        _ scope: Scope,
        _ body: @escaping @Sendable (FeedWriter<Element>) async throws -> Void
    ) throws(CallError) -> FeedStream<Element> {
        let channel = FeedChannel<Element>()
        let name = scope.name
        guard scope.isActive else { throw .notActive(scope: name, state: scope.state) }
        let task = scope.spawn(contract.name) {
            channel.finish(.failure(CallError.detached(scope: name)), atOnce: true)
        } _: {
            do {
                try await body(FeedWriter { try await channel.write($0) })
                channel.finish(.success(()))
            } catch {
                channel.finish(.failure(error))
            }
        }
        guard let task else { throw .notActive(scope: name, state: scope.state) }
        channel.onLeave { task.cancel() }
        return FeedStream(listener: FeedListener(channel))
    }
}
