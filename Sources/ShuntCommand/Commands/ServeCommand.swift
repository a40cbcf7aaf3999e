#if Command
import ArgumentParser

#if Gateway
import Foundation
import Shunt
import ShuntGateway

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves HTTP by the rules: answers, redirects, blocks and forwards.",
        discussion: """
            Redirects, blocks and responses are answered at once. Other requests go to the upstream that the rules name (proxy_pass), else \
            to --upstream; without one, a request that a route matches is answered with the match as JSON, and any other with 404.

            A change of the rule files takes effect automatically, and SIGHUP reloads them; invalid rules never replace good ones. \
            SIGTERM, SIGQUIT and SIGINT stop the gateway once the requests in progress have ended. SIGUSR1 opens the access log again.

            The admin listener answers /health, /ready, /version, /status, /rules, /explain?url=URL, /metrics and \
            POST /reload. Without --admin-token-file keep it on a loopback address.

            Examples:
                shunt serve --rules rules --listen 127.0.0.1:8080 --admin 127.0.0.1:8081
                shunt serve --rules rules --listen 0.0.0.0:8080 --upstream http://127.0.0.1:3000 --access-log -
            """
    )

    @OptionGroup var gateway: GatewayArguments
    @OptionGroup var acceptance: AcceptOptions

    @Option(
        help: .value("url", "The upstream of forwarded requests: http://HOST:PORT or https://HOST:PORT."),
        transform: GatewayValue.upstream
    )
    var upstream: UpstreamAddress?

    @Option(help: .value("time", "The time that opening a connection to an upstream may take."))
    var connectTimeout = Seconds(10)

    @Option(help: .value("time", "The time that an upstream may take for a part of a response."))
    var upstreamTimeout = Seconds(60)

    @Option(help: "The most connections to an upstream at a time.")
    var maxUpstreamConnections = 1_000

    @Option(help: .value("size", "The longest request body; 0 means unlimited."))
    var maxBody = ByteCount(1 << 20)

    @Option(
        help: "The Host that upstreams get: client or upstream. Unless set: client for --upstream, upstream else.",
        transform: {
            try GatewayOptions.UpstreamHost(rawValue: $0).valid(or: "'\($0)' is neither client nor upstream.")
        }
    )
    var upstreamHost: GatewayOptions.UpstreamHost?

    func validate() throws {
        try GatewayArguments.check([
            ("connect-timeout", connectTimeout.value), ("upstream-timeout", upstreamTimeout.value),
            ("max-upstream-connections", maxUpstreamConnections),
        ])
        _ = try options()
    }

    private func options() throws -> GatewayOptions {
        var options = try gateway.options()
        options.upstream = upstream
        options.acceptedDirectives = Set(acceptance.accept)
        options.connectTimeout = connectTimeout.value
        options.upstreamTimeout = upstreamTimeout.value
        options.maximumUpstreamConnections = maxUpstreamConnections
        options.maximumBodyBytes = maxBody.value
        options.upstreamHost = upstreamHost
        return options
    }

    func run() throws { try gateway.serve(try options()) }
}

#endif

/// The subcommands of the trait `Gateway`; none without it.
enum GatewayCommands {
    static var groups: [CommandGroup] {
        #if Gateway
        [CommandGroup(name: "Run a gateway", subcommands: [ServeCommand.self, DecideCommand.self, PageCommand.self])]
        #else
        []
        #endif
    }

    /// The command line with options of a gateway that are elsewhere.
    static func expanded(_ arguments: [String]) throws -> [String] {
        #if Gateway
        let commands: [any ParsableCommand.Type] = [ServeCommand.self, DecideCommand.self]
        guard let command = commands.first(where: { $0._commandName == arguments.first }),
            !arguments.contains(where: { ["--help", "-h"].contains($0) })
        else { return arguments }
        return try OptionSources.expanded(
            arguments,
            known: try OptionSources.options(of: command),
            environment: ProcessInfo.processInfo.environment
        ) { path in
            do {
                return String(decoding: try LocalFileSystem().read(path, limit: 1 << 20), as: UTF8.self)
            } catch {
                throw Failure.error("--options \(path): \(error)")
            }
        }
        #else
        return arguments
        #endif
    }
}
#endif
