import ShuntCore
import ShuntPatterns

/// `geo`: networks or ranges of addresses, with a value for each.
extension Compiler {
    private static let geoAdvice = "write: 192.0.2.0/24 VALUE;"

    private struct GeoBuilder {
        var isRanges = false
        var networks: [AddressNetwork: ByteRange] = [:]
        /// In order; none overlaps another.
        var ranges: [(first: UInt32, last: UInt32, value: ByteRange)] = []
        var defaultValue: ByteRange?
        var proxies: [AccessRule.Scope] = []
        var isProxyRecursive = false
        var isVolatile = false
        var hasEntries = false

        /// The first range that does not end before an address; the number of ranges if there is none.
        func firstRange(endingAtOrAfter address: UInt32) -> Int {
            var low = 0
            var high = ranges.count
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].last < address { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    mutating func defineGeo(_ directive: Directive) {
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
            let index = builder.firstRange(endingAtOrAfter: range.first)
            guard index < builder.ranges.count, builder.ranges[index].first == range.first,
                builder.ranges[index].last == range.last
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
        let index = builder.firstRange(endingAtOrAfter: range.first)
        let piece = (first: range.first, last: range.last, value: constant(value.bytes))
        guard index < builder.ranges.count, builder.ranges[index].first <= range.last else {
            builder.ranges.insert(piece, at: index)
            return
        }
        let outer = builder.ranges[index]
        guard outer.first <= range.first, range.last <= outer.last else {
            return error(
                "overlapping-range",
                "the range \(word.text) overlaps another",
                at: word,
                suggestion: "a range may lie inside an earlier one, or beside it"
            )
        }
        var pieces = [piece]
        if outer.first < range.first { pieces.insert((outer.first, range.first - 1, outer.value), at: 0) }
        if outer.last > range.last { pieces.append((range.last + 1, outer.last, outer.value)) }
        builder.ranges.replaceSubrange(index...index, with: pieces)
    }
}
