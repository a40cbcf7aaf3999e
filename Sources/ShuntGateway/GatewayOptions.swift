#if Gateway
public import Shunt
public import ShuntTools

/// The configuration of a gateway, which `shunt serve` reads from its command line.
public struct GatewayOptions: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The rules: a directory, a rule file or an `nginx.conf`.
    public var rules: String
    /// The place where the rules come from instead of files; paths in them are relative to the directory `rules` then.
    public var source: (any GatewayRules)?
    /// Directories outside of the rules' own which an `include` or a symbolic link may lead to.
    public var trustedDirectories: [String] = []
    /// True if directives that are unknown are ignored, as `ignore_directive` does for those that it names.
    public var ignoresUnknownDirectives = false
    /// The directives that the gateway does not do, and that the rules may have without effect; `all` stands for every one.
    ///
    /// Rules with another one do not serve. A gateway that decides for another proxy leaves them to the proxy.
    public var acceptedDirectives: Set<String> = []
    /// The place where requests come in; none stands for every `listen` of the rules.
    public var listeners: [Listener]
    /// The place where forwarded requests go without an upstream by a rule; nil answers them here.
    public var upstream: UpstreamAddress?
    /// The place where the admin listener is; nil for none.
    ///
    /// It refuses requests of web pages of other sites, and has no authentication without a token.
    public var admin: SocketEndpoint?
    /// The path of a Unix socket in the place of `admin`, which only the user of the gateway may open; nil for none.
    public var adminSocket: String?
    /// The option that asks for the admin listener, for messages.
    public var adminOrigin: String?
    /// The token that clients of the admin listener send as `Authorization: Bearer`, except for `/health` and `/ready`;
    /// nil for none.
    public var adminToken: [UInt8]?
    /// True if those who read live decisions see the values of arguments.
    public var showsArgumentValues = false
    /// Names that the admin listener is reached by, in addition to `localhost`, its addresses, and the host of `admin`.
    public var adminHosts: [String] = []
    /// The file for the access log, `-` for standard output; nil for none.
    public var accessLog: String?
    /// True if the `access_log`s of the rules are written where there is no other access log.
    ///
    /// Those of releases are not, and neither are those of requests that another proxy asks about.
    public var writesLogsOfRules = true
    /// The directories that the `access_log`s of the rules may be below; none stands for `logs` in the directory of the rules.
    public var logDirectories: [String] = []
    /// The bytes of a log that may wait to be written; further lines are lost.
    var logQueueBytes = 4 << 20
    /// The form of its lines.
    public var accessLogFormat = AccessLogFormat.json
    /// True if each line of the access log has the headers, cookies and inputs that the rules read.
    public var logsReads = false
    /// True if the entries of `map`, `geo` and `split_clients` are counted as rules are, and are in the lines of the access log.
    ///
    /// An entry takes 16 bytes in each event loop that has counted.
    public var countsEntries = false
    /// The headers, cookies and inputs whose values the access log masks.
    public var logMasks: [String] = []
    /// The options of the engine.
    ///
    /// Its matches have the limits of `MatchLimits.gateway` unless others are set.
    public var engine: Engine.Options = {
        var options = Engine.Options()
        options.matchLimits = .gateway
        return options
    }()
    /// The most slow decisions that may wait: some seconds of work; further requests are answered with 503.
    var slowDecisionLimit = 1024
    /// The options for loading rules: a last-known-good copy, damping, further checks.
    ///
    /// What makes engines is `engine`.
    public var store = RuleStore.Options()
    /// The limits for the changes of new rules to recent requests; its engine is `engine`.
    public var gate = ChangeGate.Options()
    /// The number of recent requests that are kept for the gate, if there is one.
    public var gateSample = 10_000
    /// True if a change of the rule files has an effect without a call.
    public var watchesRules = true
    /// True if SIGHUP loads the rules again.
    ///
    /// Only one gateway of a process may do this, and only one that watches.
    public var reloadsOnHangup = false
    /// The `input` variables of the rules that request headers set: variable and header name.
    public var inputHeaders: [InputHeader] = []

    /// The longest time that a connection may be idle between requests, in seconds.
    public var keepAliveTimeout = 75
    /// The longest time that a client may take between two parts of a request, or to take a part of a response, in
    /// seconds.
    public var clientTimeout = 60
    /// The longest time to connect to an upstream, in seconds.
    public var connectTimeout = 10
    /// The longest time that an upstream may take to send the next part of a response, in seconds.
    public var upstreamTimeout = 60
    /// The time after the start of a shutdown during which new connections are accepted and `/ready` answers 503, in
    /// seconds.
    public var shutdownDelay = 0
    /// The longest time that requests may continue after that, in seconds.
    public var shutdownTimeout = 30
    /// The most connections of clients at a time at each listener; more wait to be accepted.
    public var maximumConnections = 10_000
    /// The mode of the files of Unix sockets for requests, such as 0o660; nil for the usual one.
    public var socketMode: UInt32?
    /// True if other processes may listen at the same ports, so that a new version can take over before the old one
    /// ends.
    public var sharesPorts = false
    /// True if listening sockets that the process was started with are used, as systemd hands them over.
    public var inheritsSockets = false
    /// The most connections to one upstream at a time; more requests wait for one.
    public var maximumUpstreamConnections = 1_000
    /// The longest request body, in bytes; longer ones are refused with 413.
    ///
    /// 0 is not a limit.
    public var maximumBodyBytes = 1 << 20
    /// The longest header block of a request, in bytes; longer ones are refused.
    public var maximumHeaderBytes = 65_536
    /// The proxies in front whose `X-Forwarded-*` headers count; those of other clients are dropped.
    public var trustedProxies = TrustedProxies()
    /// The service, if the gateway decides for another proxy; nil if it carries requests itself.
    public var decisionService: DecisionService?
    /// The Host header for upstreams; nil is the client's for `upstream` and the upstream's own for `proxy_pass`.
    public var upstreamHost: UpstreamHost?

    /// The Host header for upstreams.
    @nonexhaustive
    public enum UpstreamHost: String, Sendable, CaseIterable {
        /// The host that the client requested, as the rules left it.
        case client
        /// The host of the upstream's URL.
        case upstream
    }

    /// An `input` variable and the request header with its value.
    public struct InputHeader: Sendable, Hashable {
        /// The name of the variable without the dollar sign.
        public var variable: String
        /// The name of the header in lower case.
        public var header: String

        /// Makes an input.
        public init(variable: String, header: String) {
            self.variable = variable
            self.header = header.lowercased()
        }
    }

    /// The rules only: options have secrets.
    public var description: String { "options for \(rules)" }

    /// As `description`.
    public var debugDescription: String { description }

    /// Makes options with the usual values.
    ///
    /// - Parameters:
    ///   - rules: The rules.
    ///   - listeners: Where requests come in; none stands for every `listen` of the rules.
    public init(rules: String, listeners: [Listener] = []) {
        self.rules = rules
        self.listeners = listeners
    }
}
#endif
