package import ShuntCore
package import ShuntPatterns
package import ShuntRouting

/// A compiled rule set: immutable tables that any number of evaluations share.
///
/// Rules refer to each other by index, so that evaluation touches no reference counts.
package final class Program: Sendable {
    /// The hash of the files that it was made of.
    package let version: String
    package let constants: [UInt8]
    package let parts: [TemplatePart]
    package let expressions: ExpressionList
    /// For each pattern, the variables of its named groups.
    package let patternVariables: [[NamedCapture]]
    /// Whether there are any.
    let hasNamedCaptures: Bool
    package let variables: [Variable]
    /// Inputs by index: the name a caller gives them and the template of the default.
    package let inputs: [Input]

    package let instructions: [Instruction]
    package let chains: [Chain]
    /// For each chain its tables, which `chains` keeps alive.
    let chainTables: [ChainTables]
    package let rewrites: [RewriteRule]
    package let returns: [ReturnRule]
    package let conditions: [Condition]

    /// The first instruction of the URL phase; -1 when there are no such rules.
    package let urlPhase: Int32
    package let matchers: [Matcher]
    package let hostNames: [HostNamePattern]
    package let hostPatterns: [Int32]
    package let renames: [HostRename]
    package let urlRewrites: [URLRewrite]
    package let blocks: [BlockRule]
    package let argumentLists: [ArgumentList]
    package let lists: [HostTable]
    /// The same, for look-ups.
    let hostLists: [UncountedReference<HostTable>]

    package let listens: [ListenGroup]
    let listenIndex: ListenIndex
    package let servers: [Server]
    /// Whether there are servers and no rules on whole URLs, so that the URL of a request need not be looked at.
    let beginsWithServers: Bool
    package let levels: [LocationLevel]
    package let locations: [Location]
    package let settings: [Settings]

    package let maps: [ValueMap]
    package let splits: [SplitClients]
    package let geos: [AddressMap]
    package let errorPages: [[ErrorPage]]
    package let headers: [[HeaderRule]]
    package let accessRules: [[AccessRule]]
    package let tryFiles: [TryFiles]
    package let indexes: [[Int32]]
    package let proxies: [ProxyTarget]
    package let upstreamGroups: [UpstreamGroup]
    package let referers: [RefererRules]
    package let types: [ByteTable]
    package let typeValues: [ByteRange]
    package let methodLimits: [MethodLimit]
    /// Where each `root` and `alias` stands, by its template.
    package let rootPositions: [Int32: SourcePosition]
    package let realIPs: [RealIPRules]
    package let tls: [TLSSettings]

    /// The routes; nil when the rule set declares none.
    package let routes: RouteTable?
    /// The same, for look-ups.
    let routeTable: UncountedReference<RouteTable>?
    /// The names of the files that positions refer to.
    package let files: [String]
    /// The machine's name, for `$hostname`.
    package let hostname: [UInt8]
    /// The time zone of dates and times of day, in minutes east of UTC.
    package let zoneOffset: Int

    package init(_ tables: ProgramTables) {
        version = tables.version
        // Behind the last constant there is room for a block, so that each can be copied as one.
        constants = tables.constants + [UInt8](repeating: 0, count: ByteArena.block)
        parts = tables.parts
        expressions = ExpressionList(tables.patterns)
        patternVariables = tables.patternVariables
        hasNamedCaptures = tables.patternVariables.contains { !$0.isEmpty }
        variables = tables.variables
        inputs = tables.inputs
        instructions = tables.instructions
        chains = tables.chains
        chainTables = tables.chains.map { ChainTables($0, in: tables.instructions) }
        rewrites = tables.rewrites
        returns = tables.returns
        conditions = tables.conditions
        urlPhase = tables.urlPhase
        matchers = tables.matchers
        hostNames = tables.hostNames
        hostPatterns = tables.hostPatterns
        renames = tables.renames
        urlRewrites = tables.urlRewrites
        blocks = tables.blocks
        argumentLists = tables.argumentLists
        lists = tables.lists
        hostLists = tables.lists.map { UncountedReference($0) }
        listens = tables.listens
        listenIndex = ListenIndex(tables.listens)
        servers = tables.servers
        beginsWithServers = !tables.servers.isEmpty && tables.urlPhase < 0
        levels = tables.levels
        locations = tables.locations
        settings = tables.settings
        maps = tables.maps
        splits = tables.splits
        geos = tables.geos
        errorPages = tables.errorPages
        headers = tables.headers
        accessRules = tables.accessRules
        tryFiles = tables.tryFiles
        indexes = tables.indexes
        proxies = tables.proxies
        upstreamGroups = tables.upstreamGroups
        referers = tables.referers
        types = tables.types
        typeValues = tables.typeValues
        methodLimits = tables.methodLimits
        rootPositions = tables.rootPositions
        realIPs = tables.realIPs
        tls = tables.tls
        routes = tables.routes
        routeTable = tables.routes.map { UncountedReference($0) }
        files = tables.files
        hostname = tables.hostname
        zoneOffset = tables.zoneOffset
    }

    /// The place of `position` with its file's name; nil where no rule stands.
    package func location(of position: SourcePosition) -> SourceLocation? {
        guard position.line > 0, files.indices.contains(Int(position.file)) else { return nil }
        return SourceLocation(
            file: files[Int(position.file)],
            line: Int(position.line),
            column: Int(position.column)
        )
    }
}

/// A named group of a pattern and the variable it sets.
package struct NamedCapture: Sendable {
    package var group: Int32
    package var variable: Int32
}

/// `input $name [default]`.
package struct Input: Sendable {
    package var name: String
    package var defaultValue: Int32
}

/// The tables of a program while the compiler fills them.
package struct ProgramTables {
    package var version = ""
    package var constants: [UInt8] = []
    package var parts: [TemplatePart] = []
    package var patterns: [RegularExpression] = []
    package var patternVariables: [[NamedCapture]] = []
    package var variables: [Variable] = []
    package var inputs: [Input] = []
    package var instructions: [Instruction] = []
    package var chains: [Chain] = []
    package var rewrites: [RewriteRule] = []
    package var returns: [ReturnRule] = []
    package var conditions: [Condition] = []
    package var urlPhase: Int32 = -1
    package var matchers: [Matcher] = []
    package var hostNames: [HostNamePattern] = []
    package var hostPatterns: [Int32] = []
    package var renames: [HostRename] = []
    package var urlRewrites: [URLRewrite] = []
    package var blocks: [BlockRule] = []
    package var argumentLists: [ArgumentList] = []
    package var lists: [HostTable] = []
    package var listens: [ListenGroup] = []
    package var servers: [Server] = []
    package var levels: [LocationLevel] = []
    package var locations: [Location] = []
    package var settings: [Settings] = []
    package var maps: [ValueMap] = []
    package var splits: [SplitClients] = []
    package var geos: [AddressMap] = []
    package var errorPages: [[ErrorPage]] = []
    package var headers: [[HeaderRule]] = []
    package var accessRules: [[AccessRule]] = []
    package var tryFiles: [TryFiles] = []
    package var indexes: [[Int32]] = []
    package var proxies: [ProxyTarget] = []
    package var upstreamGroups: [UpstreamGroup] = []
    package var referers: [RefererRules] = []
    package var types: [ByteTable] = []
    package var typeValues: [ByteRange] = []
    package var methodLimits: [MethodLimit] = []
    package var rootPositions: [Int32: SourcePosition] = [:]
    package var realIPs: [RealIPRules] = []
    package var tls: [TLSSettings] = []
    package var routes: RouteTable?
    package var files: [String] = []
    package var hostname: [UInt8] = []
    package var zoneOffset = 0

    package init() {}
}
