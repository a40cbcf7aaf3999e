package struct HostTableBuilder {
    /// The largest value a name may have.
    package static let maximumValue: Int32 = (1 << 29) - 1

    var names = HostKeys()
    var heads = HostKeys()
    private(set) var leadingLabelCounts: UInt64 = 0
    private(set) var headLengths: UInt64 = 0

    package init() {}

    /// Sets a value for a host name: an exact name, `*.a.b`, `.a.b` (which is `a.b` and `*.a.b`) or `a.*`.
    ///
    /// Capitals are made small. A name that was there already keeps all its values; `duplicate` then has the first.
    /// Values are 0 … `maximumValue`; with another one the answer is `full`.
    package mutating func add(_ name: Span<UInt8>, value: Int32) -> TableInsertion {
        guard value >= 0, value <= Self.maximumValue else { return .full }
        guard let parsed = WrittenHostName(name) else { return .malformed }
        let literal = name.extracting(parsed.literal)
        switch parsed.kind {
        case .trailing:
            headLengths |= HostTable.lengthBit(literal.count)
            return heads.add(literal, value: value, kind: .exact)
        case .exact: return names.add(literal, value: value, kind: .exact)
        case .leading, .exactAndLeading:
            var labels: UInt64 = 1
            for index in literal.indices where literal[index] == UInt8(ascii: ".") { labels += 1 }
            leadingLabelCounts |= 1 << min(63, labels)
            return names.add(literal, value: value, kind: .leading, and: parsed.kind == .leading ? nil : .exact)
        }
    }

    package consuming func build() -> HostTable { HostTable(&self) }
}

/// Literal parts of host names with their values, while a table is built.
struct HostKeys {
    /// The kind of a key's value.
    enum Kind: UInt32 {
        case exact = 1
        case leading = 2
    }

    /// The first value of each kind; -1 where there is none.
    private struct First {
        var exact: Int32 = -1
        var leading: Int32 = -1
    }

    private struct Further {
        var key: UInt32
        var value: Int32
        var kind: Kind
    }

    private(set) var keys = KeyTableBuilder(caseless: true)
    private var firsts: [First] = []
    private var further: [Further] = []

    /// Sets for a literal part a value of one kind, or of two.
    mutating func add(_ literal: Span<UInt8>, value: Int32, kind: Kind, and other: Kind? = nil) -> TableInsertion {
        let key: Int
        switch keys.insert(literal) {
        case .full: return .full
        case .added(let index):
            key = index
            firsts.append(First())
        case .existing(let index): key = index
        }
        let result = give(value, kind, toKey: key)
        guard let other else { return result }
        let second = give(value, other, toKey: key)
        return result == .added ? second : result
    }

    private mutating func give(_ value: Int32, _ kind: Kind, toKey key: Int) -> TableInsertion {
        let earlier = kind == .exact ? firsts[key].exact : firsts[key].leading
        if earlier >= 0 {
            // The names of a list all have one value; those that it names twice need no list of values.
            if value != earlier { further.append(Further(key: UInt32(key), value: value, kind: kind)) }
            return .duplicate(earlier)
        }
        if kind == .exact { firsts[key].exact = value } else { firsts[key].leading = value }
        return .added
    }

    /// Hands the keys over.
    mutating func takeKeys() -> KeyTableBuilder {
        var taken = KeyTableBuilder(caseless: true)
        swap(&taken, &keys)
        return taken
    }

    /// Packs the values and forgets them: for each key either its one value shifted left by two with its kinds below, or `listFlag` and
    /// where in `lists` its values are: two counts, the exact ones ascending, the leading ones ascending.
    mutating func pack() -> (entries: [UInt32], lists: [UInt32]) {
        further.sort { ($0.key, $0.value) < ($1.key, $1.value) }
        var entries: [UInt32] = []
        entries.reserveCapacity(firsts.count)
        var lists: [UInt32] = []
        var next = 0
        for (key, first) in firsts.enumerated() {
            let start = next
            while next < further.count, further[next].key == UInt32(key) { next += 1 }
            if start == next, first.exact < 0 || first.leading < 0 || first.exact == first.leading {
                let kinds =
                    (first.exact >= 0 ? Kind.exact.rawValue : 0) | (first.leading >= 0 ? Kind.leading.rawValue : 0)
                entries.append(UInt32(max(first.exact, first.leading)) << 2 | kinds)
                continue
            }
            var exact = further[start..<next].filter { $0.kind == .exact }.map(\.value)
            var leading = further[start..<next].filter { $0.kind == .leading }.map(\.value)
            if first.exact >= 0 { exact.append(first.exact) }
            if first.leading >= 0 { leading.append(first.leading) }
            entries.append(HostTable.listFlag | UInt32(lists.count))
            lists += [UInt32(exact.count), UInt32(leading.count)]
            lists += exact.sorted().map { UInt32($0) }
            lists += leading.sorted().map { UInt32($0) }
        }
        firsts = []
        further = []
        return (entries, lists)
    }
}
