#if Command
import ArgumentParser

#if Gateway
import Glibc
import Logging
import Shunt
import ShuntGateway

/// `shunt serve`: the gateway.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves HTTP by the rules: answers, redirects, blocks and forwards.",
        discussion: """
            Redirects, blocks and responses are answered at once. What the rules let through goes to the upstream that \
            they name (proxy_pass), else to --upstream; without one, a request that a route matches is answered with \
            the match as JSON, and any other with 404.

            A change of the rule files takes effect by itself, and so does SIGHUP; wrong rules never replace good ones. \
            SIGTERM, SIGQUIT and SIGINT stop the gateway once the requests that are going on have ended. SIGUSR1 opens \
            the access log anew.

            The admin listener answers /health, /ready, /version, /status, /rules, /explain?url=URL, /metrics and \
            POST /reload. It has no authentication: keep it on a loopback address.

            Examples:
                shunt serve --rules rules --listen 127.0.0.1:8080 --admin 127.0.0.1:8081
                shunt serve --rules rules --listen 0.0.0.0:8080 --upstream http://127.0.0.1:3000 --access-log -
            """
    )

    @Option(help: "The rules: a directory of *.conf files, one rule file, or an nginx.conf.")
    var rules: String

    @OptionGroup var reading: LoadOptions

    @Option(
        help: ArgumentHelp(
            """
            Where requests come in; may be repeated, and unix:PATH is a Unix socket. With =ADDRESS:PORT behind it, its \
            requests are for that listen of the rules; with tls: in front, TLS ends there. Unless given: at every \
            listen of the rules, with TLS where it says ssl.
            """,
            valueName: "address:port"
        ),
        transform: Read.listener
    )
    var listen: [Listener] = []

    @Option(
        help: ArgumentHelp("Where forwarded requests go: http://HOST:PORT or https://HOST:PORT.", valueName: "url"),
        transform: Read.upstream
    )
    var upstream: UpstreamAddress?

    @Option(
        help: ArgumentHelp("Where the admin listener is; a port alone is on 127.0.0.1.", valueName: "address:port"),
        transform: Read.adminEndpoint
    )
    var admin: SocketEndpoint?

    @Option(
        help: ArgumentHelp(
            "A name that the admin listener is reached by, besides localhost and addresses; may be repeated.",
            valueName: "name"
        )
    )
    var adminHost: [String] = []

    @Option(help: "The file for the access log, one JSON object a line; - is standard output.")
    var accessLog: String?

    @Flag(help: "Write into the access log what the rules read of a request, so that `shunt diff` replays it exactly.")
    var accessLogReads = false

    @Option(help: ArgumentHelp("A header, cookie or input whose values the access log masks.", valueName: "name"))
    var accessLogMask: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Keep copies of good rules in this directory, or in two files whose names begin with this path, for a start at \
            which the rules cannot be loaded.
            """,
            valueName: "path"
        )
    )
    var lastKnownGood: String?

    @Flag(help: "Let rule files without rules serve.")
    var allowEmpty = false

    @Option(
        help: "What is logged of the gateway itself: debug, info, warning or error.",
        transform: Read.logLevel
    )
    var logLevel: Logger.Level = .info

    @Option(
        help: ArgumentHelp("An input variable of the rules and the header with its value.", valueName: "name=header")
    )
    var inputHeader: [String] = []

    @Option(help: ArgumentHelp("Look up files under this directory, as nginx does.", valueName: "directory"))
    var documentRoot: String?

    @Option(help: "Seconds that a connection may be idle between requests.")
    var keepAliveTimeout = 75

    @Option(help: "Seconds that a client may take for a part of a request, or to take a part of a response.")
    var clientTimeout = 60

    @Option(help: "Seconds for a connection to an upstream.")
    var connectTimeout = 10

    @Option(help: "Seconds that an upstream may take for a part of a response.")
    var upstreamTimeout = 60

    @Option(help: "Seconds that requests may go on after a shutdown was asked for.")
    var shutdownTimeout = 30

    @Option(help: "The most connections of clients at a time.")
    var maxConnections = 10_000

    @Option(help: "The most connections to an upstream at a time.")
    var maxUpstreamConnections = 1_000

    @Option(help: "The longest request body in bytes; 0 is no limit.")
    var maxBody = 1 << 20

    @Option(help: "The longest header block of a request in bytes.")
    var maxHeader = 65_536

    @Option(
        help: ArgumentHelp(
            "A proxy in front, or its network, whose X-Forwarded-* headers count; unix: is any at a Unix socket; may be repeated.",
            valueName: "address"
        )
    )
    var trustedProxy: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A header of trusted proxies that rules see as scheme, host and port: x-forwarded-proto, x-forwarded-host, \
            x-forwarded-port or forwarded; may be repeated. Only what every such proxy sets itself.
            """,
            valueName: "name"
        ),
        transform: Read.forwardedHeader
    )
    var forwardedHeader: [TrustedProxies.Header] = [.proto]

    @Option(
        help: "The Host that upstreams get: client or upstream. Unless set: client for --upstream, upstream else.",
        transform: Read.upstreamHost
    )
    var upstreamHost: GatewayOptions.UpstreamHost?

    @OptionGroup(title: "Changes of rules")
    var changes: GateOptions

    /// The numbers that a flag may have.
    private static let numbers = 1...86_400_000

    func validate() throws {
        let numbers = [
            ("keep-alive-timeout", keepAliveTimeout), ("client-timeout", clientTimeout),
            ("connect-timeout", connectTimeout), ("upstream-timeout", upstreamTimeout),
            ("shutdown-timeout", shutdownTimeout), ("max-connections", maxConnections),
            ("max-upstream-connections", maxUpstreamConnections), ("max-header", maxHeader),
        ]
        for (name, value) in numbers where !Self.numbers.contains(value) {
            throw ValidationError("--\(name) is from \(Self.numbers.lowerBound) to \(Self.numbers.upperBound).")
        }
        if accessLogReads, accessLog == nil { throw ValidationError("--access-log-reads needs --access-log.") }
        if !accessLogMask.isEmpty, !accessLogReads {
            throw ValidationError("--access-log-mask needs --access-log-reads.")
        }
        guard maxBody >= 0 else { throw ValidationError("--max-body is not negative.") }
        _ = try options()
    }

    private func options() throws -> GatewayOptions {
        var options = GatewayOptions(rules: rules, listeners: listen)
        options.trustedDirectories = reading.trusted.trust
        options.ignoresUnknownDirectives = reading.ignoreUnknown
        options.upstream = upstream
        options.admin = admin
        options.adminHosts = adminHost
        options.accessLog = accessLog
        options.logsReads = accessLogReads
        options.logMasks = accessLogMask
        options.inputHeaders = try inputHeader.map { text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex, text.last != "=" else {
                throw ValidationError("An input header is written name=header, not '\(text)'.")
            }
            let name = text[..<equals]
            return GatewayOptions.InputHeader(
                variable: String(name.hasPrefix("$") ? name.dropFirst() : name),
                header: String(text[text.index(after: equals)...])
            )
        }
        options.engine.fileSystem = LocalFileSystem()
        options.engine.documentRoot = documentRoot
        options.store.lastKnownGood = lastKnownGood.map { path in
            let isDirectory = (try? LocalFileSystem().attributes(path))?.kind == .directory
            return LastKnownGood(path: isDirectory ? path + "/rules" : path)
        }
        options.store.allowsEmptyRuleSet = allowEmpty
        options.keepAliveTimeout = keepAliveTimeout
        options.clientTimeout = clientTimeout
        options.connectTimeout = connectTimeout
        options.upstreamTimeout = upstreamTimeout
        options.shutdownTimeout = shutdownTimeout
        options.maximumConnections = maxConnections
        options.maximumUpstreamConnections = maxUpstreamConnections
        options.maximumBodyBytes = maxBody
        options.maximumHeaderBytes = maxHeader
        for proxy in trustedProxy {
            guard options.trustedProxies.trust(proxy) else {
                throw ValidationError("'\(proxy)' is no address, network such as 10.0.0.0/8, or unix:.")
            }
        }
        options.trustedProxies.headers = Set(forwardedHeader)
        options.upstreamHost = upstreamHost
        try changes.apply(to: &options)
        return options
    }

    func run() throws {
        // Until the gateway hears them, these signals would end the program.
        for number in [SIGHUP, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
        var logger = Logger(label: "shunt") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = logLevel
        do {
            try GatewayProgram.serveAndWait(try options(), logger: logger)
        } catch let error as ReloadFailure where !error.diagnostics.isEmpty {
            let renderer = DiagnosticRenderer(usesColor: OutputStream(STDERR_FILENO).wantsColor)
            Failure.report(renderer.render(error.diagnostics))
            throw Failure.unanswered
        } catch {
            Failure.report("shunt: error: \(error)")
            throw Failure.unanswered
        }
    }
}

/// Reads the values of options.
private enum Read {
    static func listener(_ text: String) throws -> Listener {
        guard let listener = Listener(text) else { throw ValidationError("'\(text)' is no ADDRESS:PORT.") }
        return listener
    }

    static func forwardedHeader(_ text: String) throws -> TrustedProxies.Header {
        guard let header = TrustedProxies.Header(rawValue: text.lowercased()) else {
            let names = TrustedProxies.Header.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(text)' is none of \(names).")
        }
        return header
    }

    /// A port alone stands for the loopback address.
    static func adminEndpoint(_ text: String) throws -> SocketEndpoint {
        guard let endpoint = SocketEndpoint(text, defaultHost: "127.0.0.1") else {
            throw ValidationError("'\(text)' is no ADDRESS:PORT.")
        }
        return endpoint
    }

    static func upstream(_ text: String) throws -> UpstreamAddress {
        guard let address = UpstreamAddress(text) else {
            throw ValidationError("'\(text)' is not http://HOST:PORT or https://HOST:PORT, without a path.")
        }
        return address
    }

    static func upstreamHost(_ text: String) throws -> GatewayOptions.UpstreamHost {
        guard let host = GatewayOptions.UpstreamHost(rawValue: text) else {
            throw ValidationError("'\(text)' is neither client nor upstream.")
        }
        return host
    }

    static func logLevel(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError("'\(text)' is no level: debug, info, warning or error.")
        }
        return level
    }
}
#endif

/// The subcommands of the trait `Gateway`; none without it.
enum GatewayCommands {
    static var groups: [CommandGroup] {
        #if Gateway
        [CommandGroup(name: "Run a gateway", subcommands: [ServeCommand.self])]
        #else
        []
        #endif
    }
}
#endif
