import ShuntCore
import ShuntPatterns

/// `map`, `split_clients`, `geo` and `input`: variables that rules define.
extension Compiler {
    /// Compiles every definition of the top level.
    mutating func define(_ directives: [Directive]) {
        for directive in directives {
            switch Self.keyword(directive) {
            case .map: defineMap(directive)
            case .splitClients: defineSplit(directive)
            case .geo: defineGeo(directive)
            case .input: defineInput(directive)
            default: break
            }
        }
    }

    // MARK: map

    private struct MapBuilder {
        var literals = ByteTableBuilder(caseless: true)
        var hosts = HostTableBuilder()
        var takesHostNames = false
        var isVolatile = false
        var patterns: [Int32] = []
        var patternValues: [Int32] = []
        var defaultValue: Int32 = -1
        var places: [SourcePosition] = []
    }

    private mutating func defineMap(_ directive: Directive) {
        guard directive.arguments.count == 2 else { return }
        var builder = MapBuilder()
        let source = template(directive.arguments[0])
        for entry in directive.block ?? [] { addMapEntry(entry, to: &builder) }
        let map = ValueMap(
            source: source,
            literals: builder.literals.build(),
            hosts: builder.takesHostNames ? builder.hosts.build() : nil,
            patterns: PatternIndex(builder.patterns.map { tables.patterns[Int($0)] }),
            patternNumbers: builder.patterns,
            patternValues: builder.patternValues,
            defaultValue: builder.defaultValue,
            position: directive.name.position
        )
        define(
            directive.arguments[1],
            source: .map,
            index: tables.maps.adding(map),
            isVolatile: builder.isVolatile
        )
    }

    private mutating func addMapEntry(_ entry: Directive, to builder: inout MapBuilder) {
        let key = entry.name
        if entry.arguments.isEmpty {
            switch key.text {
            case "hostnames":
                if !builder.takesHostNames { adoptHostNames(&builder) }
                return
            case "volatile":
                builder.isVolatile = true
                return
            default: break
            }
        }
        guard entry.arguments.count == 1, entry.block == nil else {
            return error(
                "invalid-map-entry",
                "an entry of a map is a key and a value",
                at: key,
                suggestion: entry.arguments.count > 1 ? "quote a key or value that has spaces" : "write: KEY VALUE;"
            )
        }
        let value = entry.arguments[0]
        if key.text == "default", !key.isEscaped {
            if builder.defaultValue >= 0 {
                return error(
                    "duplicate-default",
                    "this map has a default already",
                    at: key,
                    suggestion: "take one of them out; a key that is the word itself is written \\default"
                )
            }
            builder.defaultValue = template(value)
            return
        }
        if key.bytes.first == UInt8(ascii: "~") { return addMapPattern(key, value, to: &builder) }
        var bytes = key.bytes
        if bytes.first == UInt8(ascii: "\\") { bytes.removeFirst() }
        let number = template(value)
        let inserted =
            builder.takesHostNames
            ? builder.hosts.add(bytes.span, value: number) : builder.literals.add(bytes.span, value: number)
        switch inserted {
        case .added:
            break
        case .duplicate:
            error(
                "duplicate-key",
                "the key \(key.shownText) is in this map already",
                at: key,
                suggestion: "take one of them out; keys are the same whatever their case"
            )
        case .malformed:
            // With host names an empty key, or one that is no name, is still a literal.
            let isBroken = bytes.contains(UInt8(ascii: "*")) || String(decoding: bytes, as: UTF8.self).contains("..")
            if builder.literals.add(bytes.span, value: number) != .added || isBroken {
                error(
                    "invalid-host",
                    "invalid host name or wildcard \(key.shownText)",
                    at: key,
                    suggestion: Self.wildcardAdvice
                )
            }
        case .full:
            error("too-many-keys", "this map has too many keys", at: key)
        }
    }

    private mutating func adoptHostNames(_ builder: inout MapBuilder) {
        builder.takesHostNames = true
    }

    private mutating func addMapPattern(_ key: Word, _ value: Word, to builder: inout MapBuilder) {
        let isCaseless = key.bytes.count > 1 && key.bytes[1] == UInt8(ascii: "*")
        let offset = isCaseless ? 2 : 1
        let bytes = Array(key.bytes.dropFirst(offset))
        guard let number = pattern(bytes, of: key, offset: offset, isCaseless: isCaseless) else { return }
        builder.patterns.append(number)
        builder.patternValues.append(withGroups(of: number) { $0.template(value) })
    }

    // MARK: split_clients

    private mutating func defineSplit(_ directive: Directive) {
        guard directive.arguments.count == 2 else { return }
        var split = SplitClients(
            source: template(directive.arguments[0]),
            shares: [],
            isComplete: false,
            position: directive.name.position
        )
        var total = 0
        var bound: UInt64 = 0
        for entry in directive.block ?? [] {
            guard entry.arguments.count == 1, entry.block == nil else {
                error(
                    "invalid-share",
                    "an entry of \"split_clients\" is a percentage and a value",
                    at: entry.name,
                    suggestion: "write: 10% VALUE; or * VALUE;"
                )
                continue
            }
            if split.isComplete {
                error(
                    "invalid-share",
                    "\"*\" takes the rest, so it must be the last entry",
                    at: entry.name,
                    suggestion: "put it before the \"*\""
                )
                continue
            }
            let value = constant(entry.arguments[0].bytes)
            if entry.name.text == "*" {
                split.isComplete = true
                split.shares.append(SplitClients.Share(bound: .max, value: value))
                continue
            }
            guard let hundredths = Self.hundredths(entry.name.bytes), hundredths > 0 else {
                error(
                    "invalid-percent",
                    "invalid percent value \"\(entry.name.text)\"",
                    at: entry.name,
                    suggestion: "write a percentage above 0 with at most two decimals, such as 0.5%, or * for the rest"
                )
                continue
            }
            total += hundredths
            guard total <= 10_000 else {
                error(
                    "percent-total",
                    "the percentages add up to more than 100%",
                    at: entry.name,
                    suggestion: "write * for what is left"
                )
                continue
            }
            bound += UInt64(hundredths) * UInt64(UInt32.max) / 10_000
            split.shares.append(SplitClients.Share(bound: UInt32(truncatingIfNeeded: bound), value: value))
        }
        if total == 10_000 { split.isComplete = true }
        define(directive.arguments[1], source: .split, index: tables.splits.adding(split))
    }

    /// The hundredths of a percentage such as `12.34%`; nil when it is none.
    private static func hundredths(_ bytes: [UInt8]) -> Int? {
        guard bytes.last == UInt8(ascii: "%"), bytes.count > 1 else { return nil }
        let parts = bytes.dropLast().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, bytes.count > 2 || parts.count == 1 else { return nil }
        guard let whole = parts[0].isEmpty ? 0 : number(parts[0]), whole <= 100 else { return nil }
        // nginx takes `.5%` and `5.%` too.
        guard parts.count == 2, !parts[1].isEmpty else { return whole * 100 }
        guard parts[1].count <= 2, let fraction = number(parts[1]) else { return nil }
        return whole * 100 + (parts[1].count == 1 ? fraction * 10 : fraction)
    }

    // MARK: input

    private mutating func defineInput(_ directive: Directive) {
        guard let name = directive.arguments.first else { return }
        guard let text = variableName(name) else { return }
        let defaultValue = directive.arguments.count > 1 ? template(directive.arguments[1]) : -1
        let index = tables.inputs.adding(Input(name: text, defaultValue: defaultValue))
        define(name, source: .input, index: index)
    }

    // MARK: geo

    private static let geoAdvice = "write: 192.0.2.0/24 VALUE;"
    static let wildcardAdvice = "a wildcard is the whole first or last label: *.example.com or www.*"

    private struct GeoBuilder {
        var isRanges = false
        var networks: [AddressNetwork: ByteRange] = [:]
        var ranges: [(first: UInt32, last: UInt32, value: ByteRange)] = []
        var defaultValue: ByteRange?
        var proxies: [AccessRule.Scope] = []
        var isProxyRecursive = false
        var isVolatile = false
        var hasEntries = false
    }

    private mutating func defineGeo(_ directive: Directive) {
        guard let variable = directive.arguments.last else { return }
        var builder = GeoBuilder()
        for entry in directive.block ?? [] { addGeoEntry(entry, to: &builder) }
        var v4: [(first: UInt32, last: UInt32, value: ByteRange)] = builder.ranges
        var v6: [(first: WideAddress, last: WideAddress, value: ByteRange)] = []
        if let value = builder.defaultValue {
            v4.append((0, .max, value))
            v6.append((WideAddress(high: 0, low: 0), WideAddress(high: .max, low: .max), value))
        }
        for (network, value) in builder.networks {
            let range = network.range
            switch (range.first, range.last) {
            case (.v4(let first), .v4(let last)): v4.append((first, last, value))
            case (.v6(let h1, let l1), .v6(let h2, let l2)):
                v6.append((WideAddress(high: h1, low: l1), WideAddress(high: h2, low: l2), value))
            default: break
            }
        }
        let map = AddressMap(
            source: directive.arguments.count > 1 ? geoSource(directive.arguments[0]) : -1,
            proxies: builder.proxies,
            isProxyRecursive: builder.isProxyRecursive,
            v4: Intervals(v4) { $0 < .max ? $0 + 1 : nil },
            v6: Intervals(v6) { $0.next },
            position: directive.name.position
        )
        define(variable, source: .geo, index: tables.geos.adding(map), isVolatile: builder.isVolatile)
    }

    /// The variable that has the address: a name alone, no text with variables in it.
    private mutating func geoSource(_ word: Word) -> Int32 {
        guard variableName(word) != nil else { return -1 }
        return template(word)
    }

    private mutating func addGeoEntry(_ entry: Directive, to builder: inout GeoBuilder) {
        let key = entry.name
        if entry.arguments.isEmpty {
            switch key.text {
            case "ranges":
                if builder.hasEntries {
                    error(
                        "misplaced-ranges",
                        "\"ranges\" must come first",
                        at: key,
                        suggestion: "put it before the first entry"
                    )
                }
                builder.isRanges = true
            case "proxy_recursive": builder.isProxyRecursive = true
            case "volatile": builder.isVolatile = true
            default:
                error(
                    "invalid-geo-entry",
                    "an entry of a geo is an address or network and a value",
                    at: key,
                    suggestion: Self.geoAdvice
                )
            }
            return
        }
        guard entry.arguments.count == 1, entry.block == nil else {
            return error(
                "invalid-geo-entry",
                "an entry of a geo is an address or network and a value",
                at: key,
                suggestion: Self.geoAdvice
            )
        }
        let value = entry.arguments[0]
        switch key.text {
        case "default":
            if builder.defaultValue != nil {
                warning("duplicate-default", "this geo has a default already; this one wins", at: key)
            }
            builder.defaultValue = constant(value.bytes)
        case "proxy":
            network(value).map { builder.proxies.append(.network($0)) }
        case "delete":
            builder.hasEntries = true
            remove(value, from: &builder)
        default:
            builder.hasEntries = true
            if builder.isRanges {
                addRange(key, value, to: &builder)
            } else if let network = network(key) {
                if builder.networks.updateValue(constant(value.bytes), forKey: network) != nil {
                    warning("duplicate-network", "the network \(key.text) is here twice; this value wins", at: key)
                }
            }
        }
    }

    private mutating func network(_ word: Word) -> AddressNetwork? {
        guard case .network(let network)? = addressScope(word, allowsAll: false, allowsUnix: false) else { return nil }
        return network
    }

    private mutating func remove(_ word: Word, from builder: inout GeoBuilder) {
        if builder.isRanges {
            guard let range = range(word) else { return }
            guard let index = builder.ranges.firstIndex(where: { $0.first == range.first && $0.last == range.last })
            else {
                return warning("unknown-range", "there is no range \(word.text) to delete", at: word)
            }
            builder.ranges.remove(at: index)
        } else if let network = network(word), builder.networks.removeValue(forKey: network) == nil {
            warning("unknown-network", "there is no network \(word.text) to delete", at: word)
        }
    }

    private mutating func range(_ word: Word) -> (first: UInt32, last: UInt32)? {
        guard let range = AddressRange(parsing: word.bytes.span), case .v4(let first) = range.first,
            case .v4(let last) = range.last
        else {
            error(
                "invalid-range",
                "\"\(word.text)\" is no range of IPv4 addresses",
                at: word,
                suggestion: "write 192.0.2.0-192.0.2.9"
            )
            return nil
        }
        return (first, last)
    }

    /// Adds a range, which may take the place of an equal one, or cut the one that holds it in pieces.
    private mutating func addRange(_ word: Word, _ value: Word, to builder: inout GeoBuilder) {
        guard let range = range(word) else { return }
        let overlapping = builder.ranges.indices.filter { index in
            builder.ranges[index].first <= range.last && range.first <= builder.ranges[index].last
        }
        let piece = (first: range.first, last: range.last, value: constant(value.bytes))
        guard let index = overlapping.first else { return builder.ranges.append(piece) }
        let outer = builder.ranges[index]
        guard overlapping.count == 1, outer.first <= range.first, range.last <= outer.last else {
            return error(
                "overlapping-range",
                "the range \(word.text) overlaps another",
                at: word,
                suggestion: "a range may lie inside an earlier one, or beside it"
            )
        }
        builder.ranges[index] = piece
        if outer.first < range.first { builder.ranges.append((outer.first, range.first - 1, outer.value)) }
        if outer.last > range.last { builder.ranges.append((range.last + 1, outer.last, outer.value)) }
    }
}

extension Word {
    /// Whether a backslash keeps the word from being taken for a keyword.
    var isEscaped: Bool { bytes.first == UInt8(ascii: "\\") }
}
