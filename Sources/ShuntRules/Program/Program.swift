import ShuntCore
import ShuntPatterns
import ShuntRouting

/// A compiled rule set: immutable tables that any number of evaluations share.
///
/// Rules refer to each other by index, so that evaluation touches no reference counts.
final class Program: Sendable {
    let tables: ProgramTables
    /// The names that decisions keep.
    let names: ProgramNames
    /// The expressions, each with what it is compiled to when it is first needed.
    let expressions: ExpressionList
    let rewrites: RewriteRecords
    /// True if some expression has named groups.
    let hasNamedCaptures: Bool
    /// `$url`, which rules on whole URLs ask for most; none where no rule does.
    let urlVariable: VariableIndex
    /// For each list of `error_page`, the statuses that it takes.
    let errorStatuses: [[Int]]
    /// For each chain its look-ups, which `tables` keeps alive.
    let chainTables: [ChainTables]
    /// The index over all rules on whole URLs.
    let urlPhaseIndex: URLPhaseIndex
    /// For each map, and for each `geo`, its look-ups.
    let maps: [MapTables]
    let geos: [AddressTables]
    /// For each group of servers, and for each level of locations, its look-ups.
    let listenTables: [ListenTables]
    let levelTables: [LevelTables]
    let hostLists: [UncountedReference<HostTable>]
    let entryLists: [UncountedReference<EntryList>]
    let redirectLists: [UncountedReference<RedirectList>]
    let listenIndex: ListenIndex
    /// True if there are servers and no rules on whole URLs, so that the URL of a request need not be read.
    let beginsWithServers: Bool
    let routeTable: UncountedReference<RouteTable>?

    init(_ tables: consuming ProgramTables) {
        // After the last constant there is room for a block, so that each can be copied as one.
        tables.constants += [UInt8](repeating: 0, count: ByteArena.block)
        expressions = ExpressionList(Array(tables.patterns))
        hasNamedCaptures = tables.patternVariables.contains { !$0.isEmpty }
        let url = BuiltinVariable.url.rawValue
        urlVariable =
            tables.variables.firstIndex { $0.source == .builtin && $0.index == url }.map { VariableIndex($0) } ?? .none
        let instructions = tables.instructions
        errorStatuses = tables.errorPages.map { $0.map { Int($0.code) } }
        chainTables = tables.chains.map { ChainTables($0, in: instructions) }
        urlPhaseIndex = URLPhaseIndex(tables)
        maps = tables.maps.map { MapTables($0) }
        geos = tables.geos.map { AddressTables($0) }
        listenTables = tables.listens.map { ListenTables($0) }
        levelTables = tables.levels.map { LevelTables($0) }
        hostLists = tables.lists.map { UncountedReference($0) }
        entryLists = tables.entryLists.map { UncountedReference($0) }
        redirectLists = tables.redirectLists.map { UncountedReference($0) }
        listenIndex = ListenIndex(tables.listens)
        beginsWithServers = !tables.servers.isEmpty && tables.urlPhase.isNone
        routeTable = tables.routes.map { UncountedReference($0) }
        names = ProgramNames(tables)
        rewrites = RewriteRecords(tables)
        self.tables = tables
    }

    /// The place of `position` with its file's name; nil where no rule is.
    func location(of position: SourcePosition) -> SourceLocation? { names.location(of: position) }
}
