/// The literals by which each pattern could be found, kept flat while an index is built.
///
/// A pattern has branches; each branch must be found by one of its options; an option is one kind of place and a list of
/// strings, each of which becomes a key of the index.
struct LiteralOptions {
    enum Kind: Int, CaseIterable {
        case prefix
        case suffix
        case inner
    }

    struct Option {
        var kind: Kind
        var keys: Range<UInt32>
    }

    struct Branch {
        var pattern: Int32
        var options: Range<UInt32>
    }

    private(set) var branches: [Branch] = []
    private(set) var options: [Option] = []
    /// For each option its strings, as numbers in the `strings` of its kind.
    private(set) var keys: [UInt32] = []
    private(set) var strings = Kind.allCases.map { _ in KeyTableBuilder(caseless: false) }
    /// The number of patterns with each string, by kind.
    private var counts: [[UInt32]] = [[], [], []]

    mutating func add(_ branches: [LiteralAnalysis.Branch], pattern: Int32) {
        for branch in branches {
            let first = UInt32(options.count)
            if let list = branch.prefixes { add(list, .prefix) }
            if let list = branch.suffixes { add(list.map { $0.reversed() }, .suffix) }
            for list in branch.required { add(list, .inner) }
            self.branches.append(Branch(pattern: pattern, options: first..<UInt32(options.count)))
        }
    }

    private mutating func add(_ list: [[UInt8]], _ kind: Kind) {
        let first = UInt32(keys.count)
        for string in list {
            switch strings[kind.rawValue].insert(string.span) {
            case .added(let key):
                counts[kind.rawValue].append(1)
                keys.append(UInt32(key))
            case .existing(let key):
                counts[kind.rawValue][key] += 1
                keys.append(UInt32(key))
            case .full:
                // The option is not complete without this string, so there is no option.
                keys.removeSubrange(Int(first)...)
                return
            }
        }
        options.append(Option(kind: kind, keys: first..<UInt32(keys.count)))
    }

    /// The option of a branch that promises the fewest candidates; nil when it has none.
    func best(of branch: Branch) -> Option? {
        if branch.options.count == 1 { return options[Int(branch.options.lowerBound)] }
        var best: Option?
        var bestCost = Double.infinity
        for index in branch.options {
            let option = options[Int(index)]
            let cost = cost(of: option)
            if cost < bestCost {
                best = option
                bestCost = cost
            }
        }
        return best
    }

    /// A guess at what an option costs a look-up, in nanoseconds.
    ///
    /// A literal costs what trying a pattern costs, as often as a URL has the literal by chance; and a literal that many
    /// patterns share is one that many URLs have.
    private func cost(of option: Option) -> Double {
        var cost = option.kind == .inner ? 4.0 : 0
        for index in option.keys {
            let key = Int(keys[Int(index)])
            let sharing = Double(counts[option.kind.rawValue][key] - 1)
            cost += sharing * 2
            cost += 50 * LiteralRarity.chance(strings[option.kind.rawValue].key(key), kind: option.kind)
        }
        return cost
    }
}

/// The likelihood that a URL contains a literal by chance.
enum LiteralRarity {
    /// The chance as a number from 0 to 1.
    static func chance(_ literal: ArraySlice<UInt8>, kind: LiteralOptions.Kind) -> Double {
        var bits = 0
        for byte in literal {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: ":"): bits += 1
            case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "="): bits += 2
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bits += 3
            default: bits += 5
            }
        }
        // What nearly every whole URL begins with.
        if kind == .prefix, literal.starts(with: Array("http".utf8)) { bits -= min(12, bits) }
        // A URL has dozens of places for an inner literal: five or six bits.
        if kind == .inner { bits -= min(6, bits) }
        return 1 / Double(UInt64(1) << UInt64(min(40, bits)))
    }
}
