#if Reloading
public import ServiceLifecycle
public import Shunt
import UnixSignals

/// Keeps the rules of a store up to date while the program runs.
///
/// Reloads when the source reports a change, and when the process receives SIGHUP. Each minute it writes a copy again
/// that could not be written. It ends when its task is cancelled or the service group shuts down gracefully, and does
/// not wait for a reload that is under way: it may be stuck.
///
/// ```swift
/// let options = RuleStore.Options(logger: logger, metrics: MetricsSystem.factory)
/// let store = try await RuleStore.open(path: "rules", options: options)
/// let group = ServiceGroup(services: [RuleReloadService(store), server], logger: logger)
/// ```
public struct RuleReloadService: Service {
    /// The open stores; SIGHUP reloads one after another.
    public let stores: [RuleStore]
    private let reloadsOnHangup: Bool

    /// Makes the service of an open store.
    ///
    /// Only one service of a process may reload on SIGHUP: a process has one handler for a signal.
    public init(_ store: RuleStore, reloadsOnHangup: Bool = true) {
        self.init([store], reloadsOnHangup: reloadsOnHangup)
    }

    /// Makes the service of several open stores, such as those of tenants; SIGHUP reloads one after another.
    public init(_ stores: [RuleStore], reloadsOnHangup: Bool = true) {
        self.stores = stores
        self.reloadsOnHangup = reloadsOnHangup
    }

    /// Watches until the program ends.
    public func run() async throws {
        let stores = stores
        let reloadsOnHangup = reloadsOnHangup
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                for store in stores { group.addTask { await store.watch() } }
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(60))) != nil {
                        for store in stores { await store.retryCopy() }
                    }
                }
                if reloadsOnHangup {
                    group.addTask {
                        for await _ in await UnixSignalsSequence(trapping: .sighup) {
                            for store in stores { await store.reload(trigger: .signal) }
                        }
                    }
                }
                // A source that has ended is not a reason to end the program.
                group.addTask { try? await gracefulShutdown() }
                await group.waitForAll()
            }
        }
    }
}
#endif
