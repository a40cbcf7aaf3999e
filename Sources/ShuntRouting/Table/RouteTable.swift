public import ShuntCore

/// An immutable table of routes, made by a `RouteTableBuilder`.
///
/// Thread safe: any number of tasks may look up in one table at the same time, each with a separate scratch. A lookup
/// allocates nothing, takes no lock and touches no reference count.
public final class RouteTable: Sendable {
    /// The options for reading patterns and paths.
    public let options: RoutingOptions
    /// The routes in the order in which they were added.
    public let routes: [Route]
    /// The problems of the routes that do not keep the table from working.
    public let warnings: [Diagnostic]

    let automaton: RouteAutomaton
    let tailSlots: [TailSlots]
    let namespaces: NamespaceIndex
    let methodNames: [String]
    private let methodNumbers: [String: Int]
    let names: [String: Int]
    private let usesHost: Bool
    private let splitsFragment: Bool
    /// True if a lookup is one walk through one trie.
    private let isPlain: Bool

    init(
        options: RoutingOptions,
        routes: [Route],
        tailSlots: [TailSlots],
        automaton: RouteAutomaton,
        namespaces: consuming NamespaceIndex,
        methodNames: [String],
        warnings: [Diagnostic]
    ) {
        self.options = options
        self.routes = routes
        self.tailSlots = tailSlots
        self.automaton = automaton
        self.namespaces = namespaces
        self.methodNames = methodNames
        self.warnings = warnings
        var numbers: [String: Int] = [:]
        for (index, name) in methodNames.enumerated() { numbers[name] = index }
        methodNumbers = numbers
        var names: [String: Int] = [:]
        for (index, route) in routes.enumerated() {
            if let name = route.name, names[name] == nil { names[name] = index }
        }
        self.names = names
        usesHost = options.host == .host
        splitsFragment = options.routesFragment
        isPlain =
            automaton.traits.isSimple && options.host == .host && !options.routesFragment
            && self.namespaces.global >= 0 && !self.namespaces.hasOthers
    }

    /// The route with a number.
    ///
    /// - Parameter id: The number from the builder.
    /// - Returns: The route; nil when the table has none with that number.
    public func route(_ id: RouteID) -> Route? { index(of: id).map { routes[$0] } }

    /// The name of the route that a lookup in this table found, or its pattern; nil where it found none.
    package func displayName(of found: RouteLookup) -> String? {
        let index = Int(found.index)
        guard found.isMatch, routes.indices.contains(index) else { return nil }
        return routes[index].displayName
    }

    private func index(of id: RouteID) -> Int? {
        // Mostly there is a route for each number.
        let number = Int(id.rawValue)
        if number >= 0, number < routes.count, routes[number].id == id { return number }
        // Routes are listed in the order of their numbers.
        var low = 0
        var high = routes.count
        while low < high {
            let middle = (low + high) / 2
            if routes[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < routes.count && routes[low].id == id ? low : nil
    }

    /// The bit of a method, for lookups.
    ///
    /// - Parameter name: The method as the request has it; case matters.
    /// - Returns: Its bit; for a method that no route names, a bit that only routes for every method take.
    public func methods(named name: String) -> RouteMethodSet {
        guard let number = methodNumbers[name] else { return .unknown }
        return RouteMethodSet(rawValue: 1 << UInt64(number))
    }

    /// The names of the methods of a set, in the order of HTTP's methods and then as routes brought them in.
    ///
    /// - Parameter set: Methods of this table.
    /// - Returns: The names; none for `.any`.
    public func names(of set: RouteMethodSet) -> [String] {
        guard set != .any else { return [] }
        return methodNames.enumerated().filter { set.rawValue & (1 << UInt64($0.offset)) != 0 }.map(\.element)
    }

    /// Finds the first route that matches a URL.
    ///
    /// - Parameters:
    ///   - url: The bytes of the URL or path.
    ///   - method: The method of the request; `.any` when it does not matter.
    ///   - scratch: Memory for the lookup; the values of a match are in it afterwards.
    /// - Returns: The route, or how the lookup failed.
    /// - Complexity: In proportion to the length of the path times the number of states of the table that its
    ///   components keep alive; see `RoutingLimits` for the bounds. Allocates nothing.
    public func lookup(_ url: Span<UInt8>, method: RouteMethodSet = .any, scratch: RouteScratch) -> RouteLookup {
        if isPlain, url.count > 1, url.count < Int(Int32.max), url[0] == UInt8(ascii: "/"), url[1] != UInt8(ascii: "/")
        {
            return lookup(
                url,
                path: ByteRange(0, PathBytes(url).endOfPath(from: 0, to: url.count)),
                method: method,
                scratch: scratch
            )
        }
        return lookup(url, RouteSubject(splitting: url), method: method, after: nil, scratch: scratch)
    }

    /// Finds the first route that matches a URL whose parts are known.
    ///
    /// - Parameters:
    ///   - url: The bytes of the URL.
    ///   - parts: Where its parts are.
    ///   - method: The method of the request; `.any` when it does not matter.
    ///   - scratch: Memory for the lookup; the values of a match are in it afterwards.
    /// - Returns: The route, or how the lookup failed.
    public func lookup(
        _ url: Span<UInt8>,
        parts: RouteSubject,
        method: RouteMethodSet = .any,
        scratch: RouteScratch
    ) -> RouteLookup {
        if isPlain { return lookup(url, path: parts.path, method: method, scratch: scratch) }
        guard parts.isInside(url.count) else { return Self.nothing(.noMatch) }
        return lookup(url, parts, method: method, after: nil, scratch: scratch)
    }

    /// Finds the first route that matches a path, for a table that reads nothing else.
    ///
    /// A table whose routes name schemes or hosts, or whose options read more than the path, finds here what it finds
    /// for a URL without those parts.
    ///
    /// - Parameters:
    ///   - url: The bytes that the path is part of.
    ///   - path: Where the path is.
    ///   - method: The method of the request; `.any` when it does not matter.
    ///   - scratch: Memory for the lookup; the values of a match are in it afterwards.
    /// - Returns: The route, or how the lookup failed.
    public func lookup(
        _ url: Span<UInt8>,
        path: ByteRange,
        method: RouteMethodSet = .any,
        scratch: RouteScratch
    ) -> RouteLookup {
        guard isPlain else { return lookup(url, onlyPath: path, method: method, scratch: scratch) }
        guard path.start >= 0, path.start <= path.end, Int(path.end) <= url.count else { return Self.nothing(.noMatch) }
        scratch.begin()
        var allowed: UInt64 = 0
        let cell = automaton.searchPlain(
            namespaces.globalRoot,
            path: PathBytes(url),
            from: Int(path.start),
            to: Int(path.end),
            methods: method.rawValue,
            allowed: &allowed,
            scratch: scratch
        )
        guard cell >= 0 else {
            if scratch.exceeded { return Self.nothing(.tooComplex) }
            return Self.nothing(allowed == 0 ? .noMatch : .methodNotAllowed, allowed: allowed)
        }
        let terminal = automaton.cells.terminal(cell)
        scratch.capturesAreValues(Int(truncatingIfNeeded: terminal.slotCount))
        return RouteLookup(terminal)
    }

    @inline(never) private func lookup(
        _ url: Span<UInt8>,
        onlyPath path: ByteRange,
        method: RouteMethodSet,
        scratch: RouteScratch
    ) -> RouteLookup {
        lookup(url, parts: RouteSubject(path: path), method: method, scratch: scratch)
    }

    /// Continues after a route whose handler declined.
    ///
    /// - Parameters:
    ///   - url: The same bytes as before.
    ///   - parts: The same parts as before.
    ///   - method: The same method as before.
    ///   - previous: The match that was declined.
    ///   - scratch: Memory for the lookup.
    /// - Returns: The next route, or how the lookup failed.
    /// - Complexity: That of a lookup for each match that was declined.
    public func lookup(
        _ url: Span<UInt8>,
        parts: RouteSubject,
        method: RouteMethodSet = .any,
        after previous: RouteLookup,
        scratch: RouteScratch
    ) -> RouteLookup {
        guard previous.isMatch, parts.isInside(url.count) else { return Self.nothing(.noMatch) }
        return lookup(url, parts, method: method, after: previous, scratch: scratch)
    }

    private static func nothing(_ outcome: RouteLookup.Outcome, allowed: UInt64 = 0) -> RouteLookup {
        RouteLookup(
            outcome: outcome,
            allowedMethods: RouteMethodSet(rawValue: allowed),
            route: RouteID(rawValue: -1),
            index: -1,
            level: 0,
            ordinal: 0,
            namespace: 0
        )
    }

    /// The path as routes see it, and the routed fragment.
    func request(_ url: Span<UInt8>, _ parts: RouteSubject) -> SearchRequest {
        var request = SearchRequest()
        request.start = Int(parts.path.start)
        request.end = Int(parts.path.end)
        request.fragmentEnd = request.end
        if !usesHost, let host = parts.host, hostIsComponent(host, scheme: parts.scheme, url: url) {
            request.start = Int(host.start)
        }
        if splitsFragment, let fragment = parts.fragment,
            fragment.isEmpty || url[Int(fragment.start)] == UInt8(ascii: "/")
        {
            request.isFirst = false
            request.fragmentStart = Int(fragment.start)
            request.fragmentEnd = Int(fragment.end)
            for index in fragment.indices where url[index] == UInt8(ascii: "?") {
                request.fragmentEnd = index
                break
            }
        }
        return request
    }

    private func hostIsComponent(_ host: ByteRange, scheme: ByteRange?, url: Span<UInt8>) -> Bool {
        if options.host == .componentUnlessDotted {
            let local: StaticString = "localhost"
            var isLocal = host.count == local.utf8CodeUnitCount
            for (offset, index) in host.indices.enumerated() {
                if url[index] == UInt8(ascii: ".") { return false }
                if isLocal { isLocal = local.withUTF8Buffer { unsafe $0[offset] } == url[index].asciiLowercased }
            }
            if isLocal { return false }
        }
        guard let schemes = options.hostComponentSchemes else { return true }
        guard let scheme else { return false }
        return schemes.contains(String(repairing: url.extracting(scheme.indices)).lowercased())
    }

    private func lookup(
        _ url: Span<UInt8>,
        _ parts: RouteSubject,
        method: RouteMethodSet,
        after previous: RouteLookup?,
        scratch: RouteScratch
    ) -> RouteLookup {
        var request = request(url, parts)
        request.methods = method.rawValue
        return search(url, parts: parts, start: request, after: previous, scratch: scratch)
    }

    /// Puts the namespaces that apply to a URL into the scratch.
    func collectNamespaces(_ url: Span<UInt8>, parts: RouteSubject, scratch: RouteScratch) {
        namespaces.collect(parts, usesHost: usesHost, url: PathBytes(url), automaton: automaton, scratch: scratch)
    }

    /// Searches the namespaces that apply to the URL, one after the other.
    func search(
        _ url: Span<UInt8>,
        parts: RouteSubject,
        start: SearchRequest,
        after previous: RouteLookup?,
        scratch: RouteScratch
    ) -> RouteLookup {
        let path = PathBytes(url)
        var request = start
        scratch.begin(goingOn: previous != nil)
        namespaces.collect(parts, usesHost: usesHost, url: path, automaton: automaton, scratch: scratch)
        if scratch.exceeded { return Self.nothing(.tooComplex) }
        var allowed: UInt64 = 0
        var candidate = Int(previous?.namespace ?? 0)
        if let previous {
            request.isFirst = false
            request.ceiling = previous.level
            request.skip = previous.ordinal &+ 1
        }
        while candidate < scratch.namespaceCount {
            let namespace = scratch.namespace(candidate)
            request.captureCount = namespaces.bindHost(
                namespace,
                host: parts.host,
                url: path,
                automaton: automaton,
                scratch: scratch
            )
            let record = namespaces.records[Int(namespace)]
            let result = automaton.search(record.root, path: path, request: request, scratch: scratch)
            // A route before the found one may have been meant: what came first is not known.
            if scratch.exceeded { return Self.nothing(.tooComplex) }
            if result.terminal >= 0 {
                let terminal = automaton.cells.terminal(result.terminal)
                return RouteLookup(terminal, level: result.level, ordinal: result.ordinal, namespace: candidate)
            }
            allowed |= result.allowed
            guard record.fallsBack else { break }
            request.ceiling = Int32.max
            request.skip = 0
            candidate += 1
        }
        if scratch.hasMoreNamespaces { return Self.nothing(.tooComplex) }
        return Self.nothing(allowed == 0 ? .noMatch : .methodNotAllowed, allowed: allowed)
    }
}
