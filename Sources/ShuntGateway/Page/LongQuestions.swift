#if Gateway
import Shunt
import Synchronization

/// The questions to an admin listener that take seconds: one at a time, on a thread of low priority.
///
/// The threads that open files and accept connections serve requests meanwhile, however many clients wait.
final class LongQuestions: Sendable {
    private let isBusy = Atomic(false)

    /// Answers a question.
    ///
    /// - Returns: The answer; nil while another one is answered.
    func answer<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let (isFree, _) = isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
        guard isFree else { return nil }
        defer { isBusy.store(false, ordering: .releasing) }
        return await BackgroundThread.run(niceness: BackgroundThread.loading, work)
    }
}
#endif
