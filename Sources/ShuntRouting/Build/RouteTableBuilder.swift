public import ShuntCore

/// Collects routes and makes immutable tables of them.
///
/// Patterns are read when they are added, but nothing is reported before `build()`, which reports everything at once.
/// The order in which routes are added does not matter, unless `RoutingOptions.order` says so. A builder is a value; it
/// may be built, changed and built again, and a route keeps its number throughout.
public struct RouteTableBuilder: Sendable {
    /// What a builder knows about a route.
    struct Entry: Sendable {
        var id: RouteID
        var text: String
        var fullText: String
        var pattern: Result<RoutePattern, RoutePatternError>
        var name: String?
        var methods: [String]
        var priority: Int
        var isFallback: Bool
        var defaults: [String: String]
        var origin: SourceLocation
        /// Whether `origin` is a place in a file that has the pattern's text there.
        var hasExactOrigin: Bool
    }

    /// A scheme and host of which a choice was made.
    struct NamespaceKey: Sendable, Hashable {
        var scheme: String
        var host: String
    }

    /// How patterns and paths are read.
    public let options: RoutingOptions
    private(set) var entries: [Entry] = []
    private(set) var fallBackChoices: [NamespaceKey: Bool] = [:]
    private var nextIdentifier: Int32 = 0
    private var prefix = ""
    private var prefixScheme: String?
    private var prefixHost: String?
    private var namePrefix = ""

    /// Makes a builder without routes.
    public init(options: RoutingOptions = RoutingOptions()) {
        self.options = options
    }

    /// The number of routes.
    public var count: Int { entries.count }

    /// Adds a route.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, such as `/users/:id(uint)`; in a group it is appended to the group's prefix.
    ///   - name: A name for URL generation; several routes may share it only if they have the same pattern.
    ///   - methods: The methods, such as `["GET"]`; none for every method.
    ///   - priority: Routes with a higher priority go first, however specific others are.
    ///   - scheme: The scheme, for patterns that do not contain one.
    ///   - host: A host or host pattern, for patterns that do not contain one.
    ///   - defaults: Values that a match has under these names where the URL gives none.
    ///   - origin: Where the pattern stands in a file, for diagnostics; otherwise the place of the call is named.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of the route.
    @discardableResult
    public mutating func add(
        _ pattern: String,
        name: String? = nil,
        methods: [String] = [],
        priority: Int = 0,
        scheme: String? = nil,
        host: String? = nil,
        defaults: [String: String] = [:],
        origin: SourceLocation? = nil,
        file: String = #fileID,
        line: Int = #line
    ) -> RouteID {
        append(
            pattern,
            name: name,
            methods: methods,
            priority: priority,
            scheme: scheme,
            host: host,
            isFallback: false,
            defaults: defaults,
            origin: origin,
            call: SourceLocation(file: file, line: line, column: 1)
        )
    }

    /// Adds a route that takes every path below a prefix that no other route takes.
    ///
    /// Of several fallbacks the one with the longest prefix goes first.
    ///
    /// - Parameters:
    ///   - prefix: A pattern without a tail; nothing for the whole table, scheme or host.
    ///   - name: A name.
    ///   - methods: The methods; none for every method.
    ///   - scheme: The scheme, for prefixes that do not contain one.
    ///   - host: A host or host pattern, for prefixes that do not contain one.
    ///   - defaults: Values that a match has under these names where the URL gives none.
    ///   - origin: Where the pattern stands in a file.
    ///   - file: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of the route.
    @discardableResult
    public mutating func addFallback(
        under prefix: String = "",
        name: String? = nil,
        methods: [String] = [],
        scheme: String? = nil,
        host: String? = nil,
        defaults: [String: String] = [:],
        origin: SourceLocation? = nil,
        file: String = #fileID,
        line: Int = #line
    ) -> RouteID {
        append(
            prefix,
            name: name,
            methods: methods,
            priority: 0,
            scheme: scheme,
            host: host,
            isFallback: true,
            defaults: defaults,
            origin: origin,
            call: SourceLocation(file: file, line: line, column: 1)
        )
    }

    /// Adds the routes that `body` adds, all below a prefix.
    ///
    /// - Parameters:
    ///   - prefix: What comes before the patterns of the group.
    ///   - namePrefix: What comes before the names of the group.
    ///   - scheme: The scheme of the group.
    ///   - host: The host of the group.
    ///   - body: Adds the routes.
    /// - Throws: What `body` throws.
    public mutating func group<Failure: Error>(
        _ prefix: String,
        namePrefix: String = "",
        scheme: String? = nil,
        host: String? = nil,
        _ body: (inout RouteTableBuilder) throws(Failure) -> Void
    ) throws(Failure) {
        let saved = (self.prefix, self.namePrefix, prefixScheme, prefixHost)
        self.prefix = Self.join(self.prefix, prefix)
        self.namePrefix += namePrefix
        prefixScheme = scheme ?? prefixScheme
        prefixHost = host ?? prefixHost
        defer { (self.prefix, self.namePrefix, prefixScheme, prefixHost) = saved }
        try body(&self)
    }

    /// Adds copies of the routes of another builder below a prefix.
    ///
    /// The patterns are read again with the options of this builder. Later changes of `child` have no effect here.
    ///
    /// - Parameters:
    ///   - child: The builder whose routes are added.
    ///   - prefix: What comes before their patterns.
    ///   - namePrefix: What comes before their names.
    /// - Returns: The numbers of the copies, by those that the routes have in `child`.
    @discardableResult
    public mutating func mount(
        _ child: RouteTableBuilder,
        at prefix: String,
        namePrefix: String = ""
    ) -> [RouteID: RouteID] {
        var identifiers: [RouteID: RouteID] = [:]
        group(prefix, namePrefix: namePrefix) { builder in
            for entry in child.entries {
                identifiers[entry.id] = builder.append(
                    entry.fullText,
                    name: entry.name,
                    methods: entry.methods,
                    priority: entry.priority,
                    scheme: nil,
                    host: nil,
                    isFallback: entry.isFallback,
                    defaults: entry.defaults,
                    origin: entry.hasExactOrigin ? entry.origin : nil,
                    call: entry.origin
                )
            }
        }
        return identifiers
    }

    /// Removes a route.
    ///
    /// - Parameter id: The number of the route.
    /// - Returns: Whether there was such a route.
    @discardableResult
    public mutating func remove(_ id: RouteID) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        entries.remove(at: index)
        return true
    }

    /// Removes the routes whose pattern was given as `pattern`.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, exactly as it was given.
    ///   - scheme: The scheme that was given with it, or that it contains.
    /// - Returns: How many routes were removed.
    @discardableResult
    public mutating func remove(pattern: String, scheme: String? = nil) -> Int {
        let before = entries.count
        entries.removeAll { entry in
            guard entry.text == pattern || entry.fullText == pattern else { return false }
            guard let scheme, case .success(let read) = entry.pattern else { return true }
            return read.scheme == scheme.lowercased()
        }
        return before - entries.count
    }

    /// Removes the routes of a scheme, or all.
    ///
    /// - Parameter scheme: The scheme; nil for every route.
    /// - Returns: How many routes were removed.
    @discardableResult
    public mutating func removeAll(scheme: String? = nil) -> Int {
        let before = entries.count
        entries.removeAll { entry in
            guard let scheme, case .success(let read) = entry.pattern else { return true }
            return read.scheme == scheme.lowercased()
        }
        return before - entries.count
    }

    /// Says whether URLs of a scheme and host that none of its own routes take are looked up among more general routes.
    ///
    /// - Parameters:
    ///   - fallsBack: Whether they are; without a choice `RoutingOptions.fallsBack` holds.
    ///   - scheme: The scheme.
    ///   - host: The host or host pattern, as patterns write it; nil for the routes without a host.
    public mutating func setFallsBack(_ fallsBack: Bool, scheme: String, host: String? = nil) {
        fallBackChoices[NamespaceKey(scheme: scheme.lowercased(), host: (host ?? "").lowercased())] = fallsBack
    }

    private mutating func append(
        _ text: String,
        name: String?,
        methods: [String],
        priority: Int,
        scheme: String?,
        host: String?,
        isFallback: Bool,
        defaults: [String: String],
        origin: SourceLocation?,
        call: SourceLocation
    ) -> RouteID {
        let id = RouteID(rawValue: nextIdentifier)
        nextIdentifier &+= 1
        var full = prefix.isEmpty ? text : Self.join(prefix, text)
        let scheme = scheme ?? prefixScheme
        let host = host ?? prefixHost
        if scheme != nil || host != nil, !full.utf8.starts(with: "//".utf8), !full.contains("://") {
            full = (scheme.map { "\($0):" } ?? "") + "//" + Self.join(host ?? "", full.isEmpty ? "/" : full)
        }
        let pattern = Result { () throws(RoutePatternError) in try RoutePattern(full, options: options) }
        entries.append(
            Entry(
                id: id,
                text: text,
                fullText: full,
                pattern: pattern,
                name: name.map { namePrefix + $0 },
                methods: methods,
                priority: priority,
                isFallback: isFallback
                    || (options.bareSchemeIsFallback && ((try? pattern.get())?.isBareScheme ?? false)),
                defaults: defaults,
                origin: origin ?? call,
                hasExactOrigin: origin != nil
            )
        )
        return id
    }

    /// Two parts of a pattern with one slash between them, unless the second begins with a group.
    private static func join(_ first: String, _ second: String) -> String {
        if second.isEmpty { return first }
        if first.isEmpty || second.utf8.starts(with: "(/".utf8) { return first + second }
        let endsWithSlash = first.utf8.last == UInt8(ascii: "/")
        let beginsWithSlash = second.utf8.first == UInt8(ascii: "/")
        if endsWithSlash, beginsWithSlash { return first + second.dropFirst() }
        return endsWithSlash || beginsWithSlash ? first + second : first + "/" + second
    }
}
