#if Gateway
import NIOCore

/// A connection on which something has to happen in time.
protocol TimedConnection: AnyObject {
    var timer: ConnectionTimer { get set }
    /// The loop of the connection while it is open.
    var timerLoop: (any EventLoop)? { get }
    /// Nothing has happened in time.
    func timeIsUp()
}

/// Ends a connection on which nothing happens for too long.
///
/// One scheduled task for the life of a connection: putting off the deadline only writes it down, and the task looks
/// again when it is due.
struct ConnectionTimer {
    private var deadline = NIODeadline.distantFuture
    private var scheduled: Scheduled<Void>?
    private var scheduledFor = NIODeadline.distantFuture

    /// Lets `time` pass from a moment on before the time is up.
    mutating func allow(_ time: TimeAmount, since moment: NIODeadline = .now(), for connection: any TimedConnection) {
        deadline = moment + time
        if scheduled == nil || scheduledFor > deadline { schedule(connection) }
    }

    /// Lets any time pass.
    mutating func stop() { deadline = .distantFuture }

    /// Ends the timer.
    mutating func cancel() {
        scheduled?.cancel()
        scheduled = nil
    }

    private mutating func schedule(_ connection: any TimedConnection) {
        scheduled?.cancel()
        scheduled = nil
        guard let loop = connection.timerLoop else { return }
        scheduledFor = deadline
        let bound = NIOLoopBound(connection, eventLoop: loop)
        scheduled = loop.scheduleTask(deadline: deadline) {
            let connection = bound.value
            if connection.timer.isDue(connection) { connection.timeIsUp() }
        }
    }

    /// Looks whether the deadline has come; if not, the task is scheduled again.
    private mutating func isDue(_ connection: any TimedConnection) -> Bool {
        scheduled = nil
        if deadline <= .now() { return true }
        if deadline != .distantFuture { schedule(connection) }
        return false
    }
}
#endif
