package import ShuntCore
package import ShuntPatterns
package import ShuntRouting

/// The tables of a program: the compiler fills them, and nothing changes them after that.
package struct ProgramTables: Sendable {
    /// The hash of the files that it was made of.
    package var version = ""
    package var constants: [UInt8] = []
    package var parts: Table<TemplatePart> = []
    package var patterns: Table<RegularExpression> = []
    /// For each pattern, the variables of its named groups.
    package var patternVariables: [[NamedCapture]] = []
    package var variables: Table<Variable> = []
    /// Inputs by index: the name a caller gives them and the template of the default.
    package var inputs: Table<Input> = []
    package var instructions: Table<Instruction> = []
    package var chains: Table<Chain> = []
    package var rewrites: Table<RewriteRule> = []
    package var returns: Table<ReturnRule> = []
    package var conditions: Table<Condition> = []
    /// The first instruction of the URL phase; none when there are no such rules.
    package var urlPhase = InstructionIndex.none
    package var matchers: Table<Matcher> = []
    package var hostNames: Table<HostNamePattern> = []
    package var hostPatterns: [ExpressionIndex] = []
    package var renames: Table<HostRename> = []
    package var urlRewrites: Table<URLRewrite> = []
    package var blocks: Table<BlockRule> = []
    package var argumentLists: Table<ArgumentList> = []
    package var lists: Table<HostTable> = []
    package var listRules: Table<ListRule> = []
    package var entryLists: Table<EntryList> = []
    package var redirectLists: Table<RedirectList> = []
    package var listens: Table<ListenGroup> = []
    package var servers: Table<Server> = []
    package var levels: Table<LocationLevel> = []
    package var locations: Table<Location> = []
    package var settings: Table<Settings> = []
    package var maps: Table<ValueMap> = []
    package var splits: Table<SplitClients> = []
    package var geos: Table<AddressMap> = []
    package var errorPages: Table<[ErrorPage]> = []
    package var headers: Table<[HeaderRule]> = []
    package var accessRules: Table<[AccessRule]> = []
    package var consents: Table<ConsentRule> = []
    package var consentVariables: Table<[ConsentVariable]> = []
    package var gates: Table<AccessGates> = []
    package var zones: Table<LimitZone> = []
    package var limits: Table<[ZoneLimit]> = []
    package var tryFiles: Table<TryFiles> = []
    package var indexes: Table<[TemplateIndex]> = []
    package var proxies: Table<ProxyTarget> = []
    package var upstreamGroups: Table<UpstreamGroup> = []
    /// The numbers of the groups by their names.
    package var groupNumbers = ByteTableBuilder(caseless: true).build()
    /// True if one of the groups chooses a server by a key.
    package var hasBalancingKeys = false
    package var proxyRedirects: Table<[RedirectRule]> = []
    /// True if values are computed for what happens after a `proxy_pass`: such keys, or parts of a `proxy_redirect`.
    package var hasUpstreamValues = false
    package var logFormats: Table<LogLineFormat> = []
    package var accessLogs: Table<[AccessLogRule]> = []
    /// The access logs of servers that state none.
    package var topAccessLogs = TableIndex<[AccessLogRule]>.none
    package var referers: Table<RefererRules> = []
    package var types: Table<ByteTable> = []
    package var typeValues: Table<ByteRange> = []
    package var cookies: Table<CookieRules> = []
    package var charsetTypes: Table<[[UInt8]]> = []
    package var expiries: Table<ExpiryRule> = []
    package var methodLimits: Table<MethodLimit> = []
    /// The place where each `root` and `alias` stands, by its template.
    package var rootPositions: [TemplateIndex: SourcePosition] = [:]
    package var realIPs: Table<RealIPRules> = []
    package var upstreamSettings: Table<UpstreamSettings> = []
    package var tls: Table<TLSSettings> = []
    /// The routes; nil when the rule set declares none.
    package var routes: RouteTable?
    /// The names of the files that positions refer to.
    package var files: [String] = []
    /// The machine's name, for `$hostname`.
    package var hostname: [UInt8] = []
    /// The time zone of dates and times of day, in minutes east of UTC.
    package var zoneOffset = 0

    package init() {}
}

/// A named group of a pattern and the variable it sets.
package struct NamedCapture: Sendable {
    package var group: Int32
    package var variable: VariableIndex
}

/// `input $name [default]`.
package struct Input: Sendable {
    package var name: String
    package var defaultValue: TemplateIndex
}
