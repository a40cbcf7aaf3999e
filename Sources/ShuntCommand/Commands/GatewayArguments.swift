#if Gateway && Command
import ArgumentParser
import Glibc
import Logging
import Shunt
import ShuntGateway

/// The command line of a gateway, whether it carries requests or decides for another proxy.
struct GatewayArguments: ParsableArguments {
    @Option(
        name: .customLong("options"),
        help:
            "A file of options, one a line; options of the command line and SHUNT_NAME in the environment take precedence.",
        completion: .file()
    )
    var optionsFile: String?

    @Option(help: "The rules: a directory of *.conf files, one rule file, or an nginx.conf\(Self.releases).")
    var rules: String

    @OptionGroup var reading: LoadOptions

    @Option(
        help: .value(
            "address:port",
            """
            The address to accept requests on; may be repeated, and unix:PATH is a Unix socket. Add =ADDRESS:PORT to choose the listen of \
            the rules that these requests belong to. Prefix tls: to end TLS here, and proxy_protocol: before all if connections begin with \
            the address of their client. By default every listen of the rules, with TLS if it has ssl.
            """
        ),
        transform: GatewayValue.listener
    )
    var listen: [Listener] = []

    @OptionGroup var admin: AdminOptions

    @Option(
        help: """
            The file for the access log, instead of the logs of the rules; - is standard output, and off writes none.
            """
    )
    var accessLog: String?

    @Option(
        help: .value("format", "The form of its lines: json, common, combined, or the text of a log_format of nginx."),
        transform: GatewayValue.accessLogFormat
    )
    var accessLogFormat = AccessLogFormat.json

    @Option(
        help: .value(
            "directory",
            """
            A directory that the access_logs of the rules may be in; may be repeated. By default logs are in the folder logs of the rules.
            """
        ),
        completion: .directory
    )
    var logDirectory: [String] = []

    @Flag(help: "Write into the access log what the rules read of a request, so that `shunt diff` replays it exactly.")
    var accessLogReads = false

    @Option(help: .value("name", "A header, cookie or input whose values the access log masks."))
    var accessLogMask: [String] = []

    @Option(
        help: .value(
            "path",
            """
            Keep copies of good rules in this directory, or in two files whose names begin with this path, for a start at \
            which the rules cannot be loaded.
            """
        )
    )
    var lastKnownGood: String?

    @Flag(help: "Let rule files without rules serve.")
    var allowEmpty = false

    @Option(
        help: "The log level of the gateway itself: debug, info, warning or error.",
        transform: {
            try Logger.Level(rawValue: $0).valid(or: "'\($0)' is not a level: debug, info, warning or error.")
        }
    )
    var logLevel: Logger.Level = .info

    @Option(
        help: "The format of the log of the program: text, or json for one object a line.",
        transform: { try ProgramLog.Form(rawValue: $0).valid(or: "'\($0)' is neither text nor json.") }
    )
    var log = ProgramLog.Form.text

    @Option(help: .value("name=header", "An input variable of the rules and the header with its value."))
    var inputHeader: [String] = []

    @Option(help: .value("directory", "Look up files under this directory, as nginx does."))
    var documentRoot: String?

    @Flag(
        help: "Count the entries of map, geo and split_clients as rules are counted, and name them in the access log."
    )
    var countEntries = false

    @Option(help: .value("time", "The time that a connection may be idle between requests."))
    var keepAliveTimeout = Seconds(75)

    @Option(
        help: .value("time", "The time that a client may take for a part of a request, or of a response.")
    )
    var clientTimeout = Seconds(60)

    @Option(
        help: .value(
            "time",
            "The time that connections are accepted after a shutdown was requested, while /ready answers 503."
        )
    )
    var shutdownDelay = Seconds(0)

    @Option(help: .value("time", "The time that requests may continue after a shutdown was requested."))
    var shutdownTimeout = Seconds(30)

    @Flag(
        help: "Let another instance listen at the same ports, so that a new version takes over before the old one ends."
    )
    var reusePort = false

    @Option(
        help: .value(
            "mode",
            "The mode of the files of Unix sockets for requests, such as 0660; by default the mode of new files."
        ),
        transform: GatewayValue.socketMode
    )
    var socketMode: UInt32?

    @Option(help: "The most client connections at a time.")
    var maxConnections = 10_000

    @Option(help: .value("size", "The longest header block of a request."))
    var maxHeader = ByteCount(65_536)

    @Option(
        help: .value(
            "address",
            "A proxy in front, or its network, whose X-Forwarded-* headers count; unix: is any at a Unix socket; may be repeated."
        )
    )
    var trustedProxy: [String] = []

    @Option(
        help: .value(
            "name",
            """
            A header of trusted proxies that rules see as scheme, host and port: x-forwarded-proto, x-forwarded-host, \
            x-forwarded-port or forwarded; may be repeated. Only what every such proxy sets itself.
            """
        ),
        transform: GatewayValue.forwardedHeader
    )
    var forwardedHeader: [TrustedProxies.Header] = [.proto]

    @OptionGroup(title: "Changes of rules")
    var changes: GateOptions

    #if Fleet
    @OptionGroup(title: "A node of a fleet")
    var node: NodeOptions
    #endif

    /// The help for rules in other forms.
    private static var releases: String {
        #if Fleet
        "; or releases, at file:DIRECTORY, http(s)://HOST/PATH/ or etcd://HOST:PORT/NAMESPACE"
        #else
        ""
        #endif
    }

    /// The numbers that an option may have.
    private static let numbers = 1...86_400_000

    /// Refuses numbers that no one means.
    static func check(_ given: [(name: String, value: Int)]) throws {
        for (name, value) in given where !numbers.contains(value) {
            throw ValidationError("--\(name) is from \(numbers.lowerBound) to \(numbers.upperBound).")
        }
    }

    func validate() throws {
        try Self.check([
            ("keep-alive-timeout", keepAliveTimeout.value), ("client-timeout", clientTimeout.value),
            ("shutdown-timeout", shutdownTimeout.value), ("max-connections", maxConnections),
            ("max-header", maxHeader.value),
        ])
        for (index, listener) in listen.enumerated() {
            if case .socket(let endpoint) = listener.address, endpoint.port == 0 { continue }
            guard let first = listen[..<index].first(where: { $0.address == listener.address }) else { continue }
            let places = [first, listener].compactMap(\.origin).joined(separator: " and ")
            throw ValidationError("--listen \(listener.address) is given twice (\(places)).")
        }
        if accessLogReads, accessLog == nil || accessLog == "off" {
            throw ValidationError("--access-log-reads needs --access-log.")
        }
        if !accessLogMask.isEmpty, !accessLogReads {
            throw ValidationError("--access-log-mask needs --access-log-reads.")
        }
    }

    func options() throws -> GatewayOptions {
        var options = GatewayOptions(rules: rules, listeners: listen)
        options.trustedDirectories = reading.trust
        options.ignoresUnknownDirectives = reading.ignoreUnknown
        try admin.apply(to: &options)
        options.accessLog = accessLog == "off" ? nil : accessLog
        options.writesLogsOfRules = accessLog == nil
        options.logDirectories = logDirectory
        options.accessLogFormat = accessLogFormat
        options.logsReads = accessLogReads
        options.logMasks = accessLogMask
        options.countsEntries = countEntries
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
        options.keepAliveTimeout = keepAliveTimeout.value
        options.clientTimeout = clientTimeout.value
        options.shutdownTimeout = shutdownTimeout.value
        options.shutdownDelay = shutdownDelay.value
        options.maximumConnections = maxConnections
        options.sharesPorts = reusePort
        options.socketMode = socketMode
        options.maximumHeaderBytes = maxHeader.value
        for proxy in trustedProxy {
            guard options.trustedProxies.trust(proxy) else {
                throw ValidationError("'\(proxy)' is not an address, a network such as 10.0.0.0/8, or unix:.")
            }
        }
        options.trustedProxies.headers = Set(forwardedHeader)
        try changes.apply(to: &options)
        #if Fleet
        try node.apply(to: &options, allowsEmpty: allowEmpty)
        #endif
        return options
    }

    /// Serves with these options until a signal ends it.
    func serve(_ options: GatewayOptions) throws {
        // Until the gateway hears them, these signals would end the program.
        for number in [SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH] { signal(number, SIG_IGN) }
        let log = ProgramLog(log)
        defer { log.finish() }
        var logger = log.logger()
        logger.logLevel = logLevel
        do {
            try GatewayProgram.serveAndWait(options, logger: logger)
        } catch {
            log.finish()
            throw Failure.ofServing(error)
        }
    }
}
#endif
