package import ShuntCore
package import ShuntPatterns

/// The parts of a rule set that serving it asks for.
extension RuleSet {
    /// True if a rule reads a variable such as `$upstream_addr`, which has a value after an upstream was tried.
    package var readsAttempts: Bool {
        program.tables.variables.contains { $0.source == .external && ExternalVariables.ofAnswers.contains($0.name) }
    }

    /// The place of `position` with its file's name; nil where no rule is.
    package func location(of position: SourcePosition) -> SourceLocation? { program.location(of: position) }

    package var inputNames: [String] { program.tables.inputs.map(\.name) }

    /// The names of the variables that rules and logs read.
    package var variableNames: [String] { program.tables.variables.map(\.name) }

    /// The groups of servers of `upstream`, in the order of the files.
    package var upstreamGroups: [UpstreamGroup] { Array(program.tables.upstreamGroups) }

    /// The zones of `limit_req_zone` and `limit_conn_zone`, by their numbers.
    package var limitZones: [LimitZone] { Array(program.tables.zones) }

    /// True if some location has gates other than `allow` and `deny`.
    package var hasGates: Bool { !program.tables.gates.isEmpty }

    /// The directives that turn requests away by what only a server knows, where some location has them.
    package var gateDirectives: [String] {
        let found = [
            ("auth_basic", program.tables.gates.contains { !$0.realm.isNone }),
            ("auth_request", !program.tables.consents.isEmpty),
            ("limit_req or limit_conn", !program.tables.limits.isEmpty),
        ]
        return found.filter(\.1).map(\.0)
    }

    /// True if some location limits the size of bodies.
    package var limitsBodies: Bool { program.tables.upstreamSettings.contains { $0.maximumBody != nil } }

    /// The most header lines that the strictest server takes.
    package var mostHeaders: Int { program.tables.settings.map { Int($0.maximumHeaders) }.min() ?? .max }

    /// The header names that each server takes, in the order of the files.
    package var headerNames: [(takesUnderscores: Bool, ignoresInvalid: Bool)] {
        program.tables.servers.map { server in
            let settings = program.tables.settings[server.settings]
            return (settings.takesUnderscores, settings.ignoresInvalidHeaders)
        }
    }

    /// The index over the longest run of rewrites; nil where no rewrites follow each other.
    package var longestRewriteRun: PatternIndex? {
        program.tables.chains.filter { $0.subject == .path }.compactMap(\.patterns).max { $0.count < $1.count }
    }

    /// The longest list of hosts; nil without any.
    package var longestHostList: HostTable? { program.tables.lists.max { $0.count < $1.count } }

    /// The places of everything that a decision may name as its rule, in order and each once.
    ///
    /// - Complexity: O(n log n).
    package var countedPositions: [SourcePosition] {
        let tables = program.tables
        var found = Set<SourcePosition>()
        // Of a list its entries are counted.
        for instruction in tables.instructions
        where instruction.operation.role == .decides && instruction.operation != .listed {
            found.insert(instruction.position)
        }
        for pages in tables.errorPages { for page in pages { found.insert(page.position) } }
        for rules in tables.accessRules { for rule in rules { found.insert(rule.position) } }
        for rule in tables.tryFiles { found.insert(rule.position) }
        for target in tables.proxies { found.insert(target.position) }
        found.remove(.none)
        let rows = tables.redirectLists.flatMap(\.positions) + tables.entryLists.flatMap(\.positions)
        return Self.sorted(Array(found) + rows)
    }

    /// The places of the entries of `map`, `geo` and `split_clients` in order and each once.
    ///
    /// - Complexity: O(n log n).
    package var entryPositions: [SourcePosition] {
        let tables = program.tables
        let shares = tables.splits.flatMap { $0.shares.map(\.position) }
        return Self.sorted(tables.maps.flatMap(\.places.all) + tables.geos.flatMap(\.entries.positions) + shares)
    }

    /// The places of everything that is counted, in order and each once.
    package func countedPositions(withEntries: Bool) -> [SourcePosition] {
        withEntries ? Self.sorted(countedPositions + entryPositions) : countedPositions
    }

    private static func sorted(_ positions: [SourcePosition]) -> [SourcePosition] {
        var sorted = positions.sorted()
        // Directives may share a file, and use different rows of it.
        var last = SourcePosition.none
        sorted.removeAll { position in
            defer { last = position }
            return position == last
        }
        return sorted
    }

    /// The settings of each `proxy_pass` that may speak TLS, and the place of the `proxy_pass`.
    package var upstreamTLS: [(settings: UpstreamTLSSettings, place: SourceLocation?)] {
        var known: Set<UpstreamTLSSettings> = []
        var found: [(UpstreamTLSSettings, SourceLocation?)] = []
        for settings in program.tables.settings where settings.handler == .proxy && !settings.proxy.isNone {
            let proxy = program.tables.proxies[settings.proxy]
            guard proxy.address?.isSecure ?? true else { continue }
            let upstream =
                settings.upstream.isNone ? UpstreamSettings() : program.tables.upstreamSettings[settings.upstream]
            guard known.insert(upstream.tls).inserted else { continue }
            found.append((upstream.tls, program.location(of: proxy.position)))
        }
        return found
    }
}
