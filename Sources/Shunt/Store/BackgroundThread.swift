import Glibc

/// Threads for work that takes long or blocks: reading files, compiling rules, waiting for the kernel.
///
/// The threads of Swift's concurrency are as many as the machine has cores. Work of a second on one of them would halve a
/// small machine's capacity to serve requests, and the scheduler could not prefer the requests.
///
/// Why the unsafe code is sound: the pointer handed to the new thread owns one reference to the work, which the thread
/// takes over exactly once; where no thread could be made, the caller takes it back.
package enum BackgroundThread {
    private final class Work {
        let niceness: Int32
        let body: @Sendable () -> Void

        init(niceness: Int32, body: @escaping @Sendable () -> Void) {
            self.niceness = niceness
            self.body = body
        }
    }

    /// The niceness of the threads that load rules, from 0 to 19, so that they yield to those that serve requests.
    ///
    /// With 5 it has a third of their share where they leave no processor free. More would keep a busy machine from
    /// taking up a change in good time.
    package static let loading: Int32 = 5

    /// Starts a thread; returns false where the system has no more.
    package static func start(niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(niceness: niceness, body: body))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
                // On Linux the priority is that of the calling thread. Lowering it needs no privilege.
                if work.niceness > 0 { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, work.niceness) }
                work.body()
                return nil
            },
            work.toOpaque()
        )
        guard result == 0 else {
            unsafe work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs work on a separate thread and waits for it without blocking.
    package static func run<Value: Sendable, Failure>(
        niceness: Int32 = 0,
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { continuation in
            let work: @Sendable () -> Void = { continuation.resume(returning: Result(catching: body)) }
            // A machine without threads is in trouble already; the rules still have to be loaded.
            if !start(niceness: niceness, work) { work() }
        }
        return try result.get()
    }
}
