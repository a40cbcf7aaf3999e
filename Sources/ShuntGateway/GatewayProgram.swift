#if Gateway
public import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Shunt
import UnixSignals

/// A gateway as a program: run by signals.
public enum GatewayProgram {
    /// Serves until SIGTERM or SIGINT, which let the requests that are going on end; SIGHUP loads the rules anew.
    ///
    /// - Throws: A `ReloadFailure` when the rules cannot be used, a `SystemFailure` when the access log cannot be opened, or
    ///   what the system says when an address cannot be listened at.
    public static func serve(_ options: GatewayOptions, logger: Logger) async throws {
        var options = options
        options.reloadsOnHangup = true
        let gateway = try await Gateway(options, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [gateway],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(options.shutdownTimeout + 5)
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
