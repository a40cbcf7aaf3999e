#if Gateway
import NIOCore
import Shunt
import Synchronization

/// The decision that a request waits for.
enum PendingDecision {
    /// Another thread makes it.
    case elsewhere(SlowDecisions.Request)
    /// It is made after a delay.
    case delayed(Scheduled<Void>)

    /// No one waits for it any more.
    func drop() {
        switch self {
        case .elsewhere(let request): request.drop()
        case .delayed(let task): task.cancel()
        }
    }
}

/// Decisions that take long, made one after another on a separate thread.
///
/// On an event loop each would keep all other clients of the loop waiting, as many times over as there are clients who
/// ask for one. Here they wait for each other. The thread is back after those of the loops, and is there only while
/// there is something to decide.
final class SlowDecisions: Sendable {
    /// A request that waits for its decision.
    final class Request: Sendable {
        let question: RuleRequest
        let rules: RuleSnapshot
        private let context: ServingContext?
        private let done: @Sendable (HeldDecision) -> Void
        private let isDropped = Atomic(false)

        /// - Parameters:
        ///   - question: The request.
        ///   - rules: What decides about it.
        ///   - context: The context of a request that is passed on; nil where another proxy does that.
        ///   - done: What takes the decision, on the thread that made it.
        init(
            _ question: RuleRequest,
            rules: RuleSnapshot,
            in context: ServingContext?,
            done: @escaping @Sendable (HeldDecision) -> Void
        ) {
            self.question = question
            self.rules = rules
            self.context = context
            self.done = done
        }

        /// No one waits for the decision any more.
        func drop() { isDropped.store(true, ordering: .relaxed) }

        fileprivate func decide() {
            guard !isDropped.load(ordering: .relaxed) else { return }
            done(rules.engine.hold(question, in: context))
        }
    }

    private struct Queue {
        var waiting: [Request] = []
        /// The number of taken ones.
        var taken = 0
        var hasThread = false

        mutating func next() -> Request? {
            guard taken < waiting.count else {
                waiting.removeAll()
                taken = 0
                hasThread = false
                return nil
            }
            defer { taken += 1 }
            if taken >= 1024, taken * 2 > waiting.count {
                waiting.removeFirst(taken)
                taken = 0
            }
            return waiting[taken]
        }
    }

    private let queue = Mutex(Queue())
    /// The most requests that may wait.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Has a request decided about.
    ///
    /// - Returns: Whether it will be; false where too many are waiting.
    func decide(_ request: Request) -> Bool {
        let (isTaken, needsThread) = queue.withLock { queue in
            guard queue.waiting.count - queue.taken < limit else { return (false, false) }
            queue.waiting.append(request)
            defer { queue.hasThread = true }
            return (true, !queue.hasThread)
        }
        // Where the system has no more threads, the loop's own has to do.
        if needsThread, !BackgroundThread.start(niceness: BackgroundThread.loading, { self.run() }) { run() }
        return isTaken
    }

    private func run() { while let request = queue.withLock({ $0.next() }) { request.decide() } }
}
#endif
