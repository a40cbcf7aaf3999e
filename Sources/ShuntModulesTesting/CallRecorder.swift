public import ShuntModules
import Synchronization

/// Keeps the records of all calls that it is around: `assembly.intercept(recorder.history)`.
///
/// Safe to use from any task. It keeps everything, so it is for tests.
public final class CallRecorder: Sendable {
    private let kept = Mutex<[CallRecord]>([])

    /// Makes an empty one.
    public init() {}

    /// The calls, in the order in which they ended.
    public var records: [CallRecord] { kept.withLock { $0 } }

    /// The interceptor that writes to it.
    public var history: History { History { [self] record in kept.withLock { $0.append(record) } } }
}
