#if Gateway
import ServiceLifecycle

/// Follows the releases that a gateway serves until it is shut down.
struct ReleaseService: Service {
    let source: any GatewayRules
    let core: GatewayCore

    func run() async throws {
        let metrics = core.metrics
        await cancelWhenGracefulShutdown { await source.run { GatewayTotals(metrics) } }
        // A service that ends early would end the gateway.
        try await gracefulShutdown()
    }
}
#endif
