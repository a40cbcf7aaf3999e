#if Gateway
import ServiceLifecycle
import Shunt
import UnixSignals

/// Notifies systemd when requests are taken and when no more are, and reloads at SIGHUP, which it reports too.
struct SystemdService: Service {
    let gateway: Gateway
    let notice: SystemdNotice

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard (try? await gateway.ports()) != nil else {
                // The gateway reports its failure; an end here would hide it.
                try? await gracefulShutdown()
                return
            }
            notice.taken()
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                notice.reloading()
                await gateway.reload(by: .signal)
                notice.ready()
            }
        }
        notice.stopping()
    }
}
#endif
