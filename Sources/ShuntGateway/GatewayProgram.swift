#if Gateway
import Foundation
public import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Shunt
import UnixSignals

/// A gateway as a program: run by signals.
public enum GatewayProgram {
    /// Serves until SIGTERM, SIGQUIT or SIGINT, which let the requests in progress end.
    ///
    /// SIGHUP loads the rules again, SIGUSR1 opens the access log again. systemd is notified when requests are taken,
    /// and the sockets that it hands over are used.
    ///
    /// Raises the limit of open files of the process where the connections need it.
    ///
    /// - Throws: A `ReloadError` when the rules cannot be used, a `SystemCallError` when the access log cannot be opened, or a
    ///   `ListenError` when an address cannot be used.
    public static func serve(_ options: GatewayOptions, logger: Logger) async throws {
        var options = options
        options.reloadsOnHangup = false
        options.inheritsSockets = true
        DescriptorLimit.fit(&options.maximumConnections, logger)
        let notice = SystemdNotice(ProcessInfo.processInfo.environment)
        options.store.observers.append { event in
            if case .reload(let report) = event, report.trigger != .start { notice.reloaded(report) }
        }
        let gateway = try await Gateway(options, logger: logger)
        try gateway.listen()
        var configuration = ServiceGroupConfiguration(
            services: [
                gateway, LogSignals(gateway: gateway, logger: logger), SystemdService(gateway: gateway, notice: notice),
            ],
            gracefulShutdownSignals: [.sigterm, .sigquit, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(options.shutdownDelay + options.shutdownTimeout + 5)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Serves, for callers that are not asynchronous.
    ///
    /// Blocks the calling thread, which must be no event loop.
    ///
    /// - Throws: What `serve` throws.
    public static func serveAndWait(_ options: GatewayOptions, logger: Logger) throws {
        try MultiThreadedEventLoopGroup.singleton.any()
            .makeFutureWithTask { try await serve(options, logger: logger) }
            .wait()
    }
}
#endif
