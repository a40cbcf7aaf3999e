#if Gateway
import ServiceLifecycle

/// Ends the streams of events when the gateway is to end, which waits for answers that are under way.
struct LiveEventsEnd: Service {
    let live: LiveEvents

    func run() async throws {
        do { try await gracefulShutdown() } catch {}
        live.end()
    }
}
#endif
