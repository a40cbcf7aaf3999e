import ShuntCore

/// `geo`: networks or ranges of addresses, with a value for each.
struct GeoCompiler {
    private static let advice = "write: 192.0.2.0/24 VALUE;"

    private var isRanges = false
    /// The entry of each network.
    private var networks: [AddressNetwork: Int32] = [:]
    /// Those of lists; of two lists with the same network the first one's value wins.
    private var listed: [AddressNetwork: Int32] = [:]
    /// In order; none overlaps another.
    private var ranges: [(first: UInt32, last: UInt32, value: Int32)] = []
    private var defaultEntry: Int32?
    private var values: [ByteRange] = []
    private var positions: [SourcePosition] = []
    private var proxies: [AccessRule.Scope] = []
    private var isProxyRecursive = false
    private var isVolatile = false
    private var hasEntries = false

    static func define(_ directive: CheckedDirective, in context: inout CompileContext) {
        guard let variable = directive.arguments.last else { return }
        var compiler = GeoCompiler()
        for entry in directive.entries { compiler.add(entry, in: &context) }
        var source = TemplateIndex.none
        // A name alone, no text with variables in it.
        if directive.arguments.count > 1, context.variableName(directive.arguments[0]) != nil {
            source = context.template(directive.arguments[0])
        }
        let map = compiler.map(of: source, at: directive.name.position)
        context.define(
            variable,
            source: .geo,
            index: context.tables.geos.append(map).number,
            isVolatile: compiler.isVolatile
        )
    }

    private func map(of source: TemplateIndex, at position: SourcePosition) -> AddressMap {
        var v4: [(first: UInt32, last: UInt32, value: Int32)] = ranges
        var v6: [(first: WideAddress, last: WideAddress, value: Int32)] = []
        if let entry = defaultEntry {
            v4.append((0, .max, entry))
            v6.append((WideAddress(high: 0, low: 0), WideAddress(high: .max, low: .max), entry))
        }
        for (network, entry) in networks.merging(listed, uniquingKeysWith: { own, _ in own }) {
            let range = network.range
            switch (range.first, range.last) {
            case (.v4(let first), .v4(let last)): v4.append((first, last, entry))
            case (.v6(let h1, let l1), .v6(let h2, let l2)):
                v6.append((WideAddress(high: h1, low: l1), WideAddress(high: h2, low: l2), entry))
            default: break
            }
        }
        return AddressMap(
            source: source,
            proxies: proxies,
            isProxyRecursive: isProxyRecursive,
            entries: AddressEntries(values: values, positions: positions),
            v4: Intervals(v4) { $0 < .max ? $0 + 1 : nil },
            v6: Intervals(v6) { $0.next },
            position: position
        )
    }

    private mutating func add(_ entry: Directive, in context: inout CompileContext) {
        let key = entry.name
        if entry.arguments.isEmpty {
            switch key.text {
            case "ranges":
                if hasEntries {
                    let advice = "put it before the first entry"
                    context.error(.misplacedRanges, "\"ranges\" must come first", at: key, suggestion: advice)
                }
                isRanges = true
            case "proxy_recursive": isProxyRecursive = true
            case "volatile": isVolatile = true
            default:
                let message = "an entry of a geo is an address or network and a value"
                context.error(.invalidGeoEntry, message, at: key, suggestion: Self.advice)
            }
            return
        }
        if key.text == "include", entry.arguments.count == 2 { return addList(entry, in: &context) }
        guard entry.arguments.count == 1, entry.block == nil else {
            let message = "an entry of a geo is an address or network and a value"
            return context.error(.invalidGeoEntry, message, at: key, suggestion: Self.advice)
        }
        let value = entry.arguments[0]
        switch key.text {
        case "default":
            if defaultEntry != nil {
                context.warning(.duplicateDefault, "this geo has a default already; this one wins", at: key)
            }
            defaultEntry = number(of: context.constant(value.bytes), at: key.position)
        case "proxy":
            network(value, in: &context).map { proxies.append(.network($0)) }
        case "delete":
            hasEntries = true
            remove(value, in: &context)
        default:
            hasEntries = true
            if isRanges {
                addRange(key, value, in: &context)
            } else if let network = network(key, in: &context) {
                let number = number(of: context.constant(value.bytes), at: key.position)
                if networks.updateValue(number, forKey: network) != nil {
                    let message = "the network \(key.text) is here twice; this value wins"
                    context.warning(.duplicateNetwork, message, at: key)
                }
            }
        }
    }

    /// `include FILE VALUE`: the networks of a list, all with one value; a network that is written out keeps its own.
    private mutating func addList(_ entry: Directive, in context: inout CompileContext) {
        guard !isRanges, let number = context.list(entry.arguments[0]) else {
            if isRanges { context.error(.invalidGeoEntry, "a list is read without \"ranges\"", at: entry.name) }
            return
        }
        let file = context.source.files[Int(number)]
        guard !EntryListCompiler.refusesPage(file, in: &context) else { return }
        let reader = EntryReader(file, .networks)
        EntryListCompiler.report(reader.problems, of: file, in: &context)
        if reader.networks.isEmpty, !reader.problems.contains(where: { $0.refusal != nil }) {
            let path = entry.arguments[0]
            EntryListCompiler.reportEmpty(
                "\"\(path.text)\" has no networks",
                isMeant: reader.problems.isEmpty && file.mayBeEmptyList,
                at: path,
                in: &context
            )
        }
        hasEntries = true
        let value = context.constant(entry.arguments[1].bytes)
        for (range, line) in reader.networks {
            let entry = self.number(of: value, at: SourcePosition(file: number, line: line, column: 1))
            for network in range.networks where listed[network] == nil { listed[network] = entry }
        }
    }

    /// Adds an entry with a value, and returns its number.
    private mutating func number(of value: ByteRange, at position: SourcePosition) -> Int32 {
        values.append(value)
        positions.append(position)
        return Int32(values.count - 1)
    }

    private func network(_ word: Word, in context: inout CompileContext) -> AddressNetwork? {
        guard
            case .network(let network)? = AddressCompiler.scope(word, allowsAll: false, allowsUnix: false, in: &context)
        else { return nil }
        return network
    }

    private mutating func remove(_ word: Word, in context: inout CompileContext) {
        if isRanges {
            guard let range = range(word, in: &context) else { return }
            let index = ranges.partitioningIndex { $0.last >= range.first }
            guard index < ranges.count, ranges[index].first == range.first,
                ranges[index].last == range.last
            else {
                return context.warning(.unknownRange, "there is no range \(word.text) to delete", at: word)
            }
            ranges.remove(at: index)
        } else if let network = network(word, in: &context) {
            let removed = [networks.removeValue(forKey: network), listed.removeValue(forKey: network)]
            guard removed == [nil, nil] else { return }
            context.warning(.unknownNetwork, "there is no network \(word.text) to delete", at: word)
        }
    }

    private func range(_ word: Word, in context: inout CompileContext) -> (first: UInt32, last: UInt32)? {
        guard let range = AddressRange(parsing: word.bytes.span), case .v4(let first) = range.first,
            case .v4(let last) = range.last
        else {
            let message = "\"\(word.text)\" is not a range of IPv4 addresses"
            return context.error(.invalidRange, message, at: word, suggestion: "write 192.0.2.0-192.0.2.9")
        }
        return (first, last)
    }

    /// Adds a range, which may take the place of an equal one, or cut the range around it in pieces.
    private mutating func addRange(_ word: Word, _ value: Word, in context: inout CompileContext) {
        guard let range = range(word, in: &context) else { return }
        let index = ranges.partitioningIndex { $0.last >= range.first }
        let number = number(of: context.constant(value.bytes), at: word.position)
        let piece = (first: range.first, last: range.last, value: number)
        guard index < ranges.count, ranges[index].first <= range.last else {
            ranges.insert(piece, at: index)
            return
        }
        let outer = ranges[index]
        guard outer.first <= range.first, range.last <= outer.last else {
            let message = "the range \(word.text) overlaps another"
            let advice = "a range may lie inside an earlier one, or next to it"
            return context.error(.overlappingRange, message, at: word, suggestion: advice)
        }
        var pieces = [piece]
        if outer.first < range.first { pieces.insert((outer.first, range.first - 1, outer.value), at: 0) }
        if outer.last > range.last { pieces.append((range.last + 1, outer.last, outer.value)) }
        ranges.replaceSubrange(index...index, with: pieces)
    }
}
