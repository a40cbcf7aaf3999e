#if Gateway
import NIOCore

/// Closes a connection on which nothing happens for too long.
///
/// One scheduled task for the life of a connection: putting off the deadline only writes it down, and the task looks
/// again when it is due.
struct ConnectionTimer {
    private var deadline = NIODeadline.distantFuture
    private var scheduled: Scheduled<Void>?
    private var scheduledFor = NIODeadline.distantFuture

    /// Lets `seconds` pass from now on before the connection is closed.
    mutating func allow(seconds: Int, for handler: ConnectionHandler) {
        deadline = .now() + .seconds(Int64(seconds))
        if scheduled == nil || scheduledFor > deadline { schedule(handler) }
    }

    /// Lets any time pass.
    mutating func stop() { deadline = .distantFuture }

    /// Ends the timer.
    mutating func cancel() {
        scheduled?.cancel()
        scheduled = nil
    }

    private mutating func schedule(_ handler: ConnectionHandler) {
        scheduled?.cancel()
        guard let loop = handler.context?.eventLoop else { return }
        scheduledFor = deadline
        let bound = NIOLoopBound(handler, eventLoop: loop)
        scheduled = loop.scheduleTask(deadline: deadline) { bound.value.timerFired() }
    }

    /// Looks whether the deadline has come; if not, the task is scheduled anew.
    fileprivate mutating func isDue(_ handler: ConnectionHandler) -> Bool {
        scheduled = nil
        if deadline <= .now() { return true }
        if deadline != .distantFuture { schedule(handler) }
        return false
    }
}

extension ConnectionHandler {
    fileprivate func timerFired() {
        guard timer.isDue(self) else { return }
        context?.close(promise: nil)
    }
}
#endif
