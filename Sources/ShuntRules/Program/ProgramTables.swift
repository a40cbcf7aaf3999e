import ShuntCore
import ShuntPatterns
import ShuntRouting

/// The tables of a program: the compiler fills them, and nothing changes them after that.
struct ProgramTables: Sendable {
    /// The hash of the files that it was made of.
    var version = ""
    var constants: [UInt8] = []
    var parts: Table<TemplatePart> = []
    var patterns: Table<RegularExpression> = []
    /// For each pattern, the variables of its named groups.
    var patternVariables: [[NamedCapture]] = []
    var variables: Table<Variable> = []
    /// Inputs by index: their name for the caller and the template of the default.
    var inputs: Table<Input> = []
    var instructions: Table<Instruction> = []
    var chains: Table<Chain> = []
    var rewrites: Table<RewriteRule> = []
    var returns: Table<ReturnRule> = []
    var conditions: Table<Condition> = []
    /// The first instruction of the URL phase; none when there are no such rules.
    var urlPhase = InstructionIndex.none
    var matchers: Table<Matcher> = []
    var hostNames: Table<HostNamePattern> = []
    var hostPatterns: [ExpressionIndex] = []
    var renames: Table<HostRename> = []
    var urlRewrites: Table<URLRewrite> = []
    var blocks: Table<BlockRule> = []
    var argumentLists: Table<ArgumentList> = []
    var lists: Table<HostTable> = []
    var listRules: Table<ListRule> = []
    var entryLists: Table<EntryList> = []
    var redirectLists: Table<RedirectList> = []
    var listens: Table<ListenGroup> = []
    var servers: Table<Server> = []
    var levels: Table<LocationLevel> = []
    var locations: Table<Location> = []
    var settings: Table<Settings> = []
    var maps: Table<ValueMap> = []
    var splits: Table<SplitClients> = []
    var geos: Table<AddressMap> = []
    var errorPages: Table<[ErrorPage]> = []
    var headers: Table<[HeaderRule]> = []
    var accessRules: Table<[AccessRule]> = []
    var consents: Table<ConsentRule> = []
    var consentVariables: Table<[ConsentVariable]> = []
    var gates: Table<AccessGates> = []
    var zones: Table<LimitZone> = []
    var limits: Table<[ZoneLimit]> = []
    var tryFiles: Table<TryFiles> = []
    var indexes: Table<[TemplateIndex]> = []
    var proxies: Table<ProxyTarget> = []
    var upstreamGroups: Table<UpstreamGroup> = []
    /// The numbers of the groups by their names.
    var groupNumbers = ByteTableBuilder(caseless: true).build()
    /// True if one of the groups chooses a server by a key.
    var hasBalancingKeys = false
    var proxyRedirects: Table<[RedirectRule]> = []
    /// True if values are computed for what happens after a `proxy_pass`: such keys, or parts of a `proxy_redirect`.
    var hasUpstreamValues = false
    var logFormats: Table<LogLineFormat> = []
    var accessLogs: Table<[AccessLogRule]> = []
    /// The access logs of servers that state none.
    var topAccessLogs = TableIndex<[AccessLogRule]>.none
    var referers: Table<RefererRules> = []
    var types: Table<ByteTable> = []
    var typeValues: Table<ByteRange> = []
    var cookies: Table<CookieRules> = []
    var charsetTypes: Table<[[UInt8]]> = []
    var expiries: Table<ExpiryRule> = []
    var methodLimits: Table<MethodLimit> = []
    /// The place where each `root` and `alias` is, by its template.
    var rootPositions: [TemplateIndex: SourcePosition] = [:]
    var realIPs: Table<RealIPRules> = []
    var upstreamSettings: Table<UpstreamSettings> = []
    var tls: Table<TLSSettings> = []
    /// The routes; nil when the rule set declares none.
    var routes: RouteTable?
    /// The names of the files that positions refer to.
    var files: [String] = []
    /// The machine's name, for `$hostname`.
    var hostname: [UInt8] = []
    /// The time zone of dates and times of day, in minutes east of UTC.
    var zoneOffset = 0

    init() {}
}

/// A named group of a pattern and the variable it sets.
struct NamedCapture: Sendable {
    var group: Int32
    var variable: VariableIndex
}

/// `input $name [default]`.
struct Input: Sendable {
    var name: String
    var defaultValue: TemplateIndex
}

extension ProgramTables {
    /// The group of a name, in whatever case; none if there is no such group.
    func group(named name: Span<UInt8>) -> TableIndex<UpstreamGroup> {
        groupNumbers.value(name).map { TableIndex($0) } ?? .none
    }
}

typealias ConditionIndex = TableIndex<Condition>
typealias InstructionIndex = TableIndex<Instruction>
typealias LevelIndex = TableIndex<LocationLevel>
typealias LocationIndex = TableIndex<Location>
typealias MatcherIndex = TableIndex<Matcher>
typealias ServerIndex = TableIndex<Server>
typealias SettingsIndex = TableIndex<Settings>
