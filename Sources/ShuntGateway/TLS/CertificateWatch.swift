#if Gateway
import Logging
import NIOPosix
import ServiceLifecycle
import Shunt

/// Reads certificates again after their files have changed, while the gateway runs.
struct CertificateWatch: Service {
    /// The interval between two checks of the files.
    static let interval: Duration = .seconds(10)

    let contexts: TLSContexts
    let store: RuleStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: Set<TLSError> = []
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let failures = try? await NIOThreadPool.singleton.runIfActive { [contexts, store, logger] in
                    contexts.refresh(store.snapshot.ruleSet, logger)
                }
                // A file that stays wrong is reported once.
                for failure in failures ?? [] where !known.contains(failure) {
                    logger.warning("\(failure); the certificate read before stays in use")
                }
                known = Set(failures ?? [])
            }
        }
    }
}
#endif
