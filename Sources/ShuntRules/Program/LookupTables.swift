import ShuntCore
import ShuntPatterns

/// The look-ups of a map, which that keeps alive.
struct MapTables: Sendable {
    let source: TemplateIndex
    let literals: UncountedReference<ByteTable>
    let hosts: UncountedReference<HostTable>?
    /// The expressions; nil without any.
    let patterns: UncountedReference<PatternIndex>?
    let defaultValue: TemplateIndex

    init(_ map: ValueMap) {
        source = map.source
        literals = UncountedReference(map.literals)
        hosts = map.hosts.map { UncountedReference($0) }
        patterns = map.patterns.count > 0 ? UncountedReference(map.patterns) : nil
        defaultValue = map.defaultValue
    }

    /// The entry for a text.
    enum Entry {
        /// The value of a key or of `default`; none without one.
        case value(TemplateIndex)
        /// The number of an expression, whose captures are in the scratch.
        case expression(Int)
        /// The number of an expression that has taken too long.
        case limitExceeded(Int)
    }

    var hasHosts: Bool { hosts != nil }

    /// Looks a text up: keys first, then expressions, in the order of nginx.
    ///
    /// The text of a map of hosts has no final dot, and `name` is the same in lower case.
    @inline(__always)
    func entry(for text: Span<UInt8>, name: Span<UInt8>, scratch: MatchScratch, mode: PatternIndex.Mode) -> Entry {
        if let hosts, let found = hosts.with({ $0.value(of: name) }) { return .value(TemplateIndex(found)) }
        if let found = literals.with({ $0.value(text) }) { return .value(TemplateIndex(found)) }
        guard !text.isEmpty, let patterns else { return .value(defaultValue) }
        switch patterns.with({ $0.firstMatch(text, from: 0, to: $0.count, scratch: scratch, mode: mode) }) {
        case .none: return .value(defaultValue)
        case .match(let number): return .expression(number)
        case .limitExceeded(let number): return .limitExceeded(number)
        }
    }
}

/// The look-ups of a server, which the group of a `listen` keeps alive.
struct ListenTables: Sendable {
    let names: UncountedReference<HostTable>
    /// The expressions; nil without any.
    let patterns: UncountedReference<PatternIndex>?

    init(_ group: ListenGroup) {
        names = UncountedReference(group.names)
        patterns = group.patterns.count > 0 ? UncountedReference(group.patterns) : nil
    }
}

/// The look-ups of a location, which its level keeps alive.
struct LevelTables: Sendable {
    let exact: UncountedReference<ByteTable>?
    let prefixes: UncountedReference<PrefixTable>
    let redirects: UncountedReference<ByteTable>?
    /// The expressions; nil without any.
    let patterns: UncountedReference<PatternIndex>?

    init(_ level: LocationLevel) {
        exact = level.exact.map { UncountedReference($0) }
        prefixes = UncountedReference(level.prefixes)
        redirects = level.redirects.map { UncountedReference($0) }
        patterns = level.patterns.count > 0 ? UncountedReference(level.patterns) : nil
    }
}

/// The look-ups of a `geo`, which that keeps alive.
struct AddressTables: Sendable {
    let source: TemplateIndex
    let hasProxies: Bool
    private let v4: UncountedReference<Intervals<UInt32>>
    private let v6: UncountedReference<Intervals<WideAddress>>
    private let entries: UncountedReference<AddressEntries>

    init(_ map: AddressMap) {
        source = map.source
        hasProxies = !map.proxies.isEmpty
        v4 = UncountedReference(map.v4)
        v6 = UncountedReference(map.v6)
        entries = UncountedReference(map.entries)
    }

    /// The value of an entry, a constant.
    func value(of entry: Int32) -> ByteRange { entries.with { $0.values[Int(entry)] } }

    func position(of entry: Int32) -> SourcePosition { entries.with { $0.positions[Int(entry)] } }

    /// The entry for an address; an invalid one counts as 255.255.255.255, as in nginx.
    func entry(for address: InternetAddress?) -> Int32? {
        switch address?.unmapped {
        case .v4(let number): v4.with { $0.value(at: number) }
        case .v6(let high, let low): v6.with { $0.value(at: WideAddress(high: high, low: low)) }
        case nil: v4.with { $0.value(at: .max) }
        }
    }
}
