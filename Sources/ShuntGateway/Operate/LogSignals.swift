#if Gateway
import Logging
import ServiceLifecycle
import UnixSignals

/// The signals for logs, as nginx has them: SIGUSR1 opens the access log again, as every configuration of logrotate asks for.
///
/// SIGUSR2 and SIGWINCH, which are nginx's for another program in its place, are not heeded, but must not end the process.
struct LogSignals: Service {
    let gateway: Gateway
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await signal in await UnixSignalsSequence(trapping: .sigusr1, .sigusr2, .sigwinch) {
                guard signal == .sigusr1 else {
                    let name = signal == .sigusr2 ? "SIGUSR2" : "SIGWINCH"
                    logger.notice("\(name) is ignored: start the new program, and end this one by SIGTERM")
                    continue
                }
                do throws(SystemCallError) {
                    try gateway.reopenLog()
                    logger.notice("the access log is opened again")
                } catch {
                    logger.warning("the access log stays the old file: \(error)")
                }
            }
        }
    }
}
#endif
