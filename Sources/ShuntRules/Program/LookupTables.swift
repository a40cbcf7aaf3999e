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

    init(_ map: AddressMap) {
        source = map.source
        hasProxies = !map.proxies.isEmpty
        v4 = UncountedReference(map.v4)
        v6 = UncountedReference(map.v6)
    }

    /// The value for an address, a constant; an invalid one counts as 255.255.255.255, as in nginx.
    func value(for address: InternetAddress?) -> ByteRange? {
        switch address?.unmapped {
        case .v4(let number): v4.with { $0.value(at: number) }
        case .v6(let high, let low): v6.with { $0.value(at: WideAddress(high: high, low: low)) }
        case nil: v4.with { $0.value(at: .max) }
        }
    }
}
