import ShuntCore

/// Threads for work that takes long or blocks: reading files, compiling rules, waiting for the kernel.
///
/// The threads of Swift's concurrency are as many as the machine has cores. Work of a second on one of them would halve a
/// small machine's capacity to serve requests, and the scheduler could not prefer the requests.
package enum BackgroundThread {
    /// The niceness of the threads that load rules, from 0 to 19, so that they yield to those that serve requests.
    ///
    /// With 5 it has a third of their share where they leave no processor free. More would keep a busy machine from
    /// taking up a change in good time.
    package static let loading: Int32 = 5

    /// Starts a thread; returns false where the system has no more.
    package static func start(niceness: Int32 = 0, _ body: @escaping @Sendable () -> Void) -> Bool {
        SystemThread.start(niceness: niceness, body)
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
