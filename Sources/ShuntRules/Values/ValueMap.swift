import ShuntCore
import ShuntPatterns

/// `map SOURCE $variable { … }`.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_map_module.html
struct ValueMap: Sendable {
    var source: TemplateIndex
    /// Literal keys, folded to lower case; used unless `hostnames` was given.
    var literals: ByteTable
    /// The same keys and the wildcards, for a map with `hostnames`.
    var hosts: HostTable?
    var patterns: PatternIndex
    /// The number of each regular expression in the program.
    var patternNumbers: [ExpressionIndex]
    /// The template of each regular expression.
    var patternValues: [TemplateIndex]
    /// The place where each regular expression is.
    var patternPositions: [SourcePosition]
    /// The place where each entry is, lines of lists included.
    var places: EntryPlaces
    /// The template of `default`; none without one.
    var defaultValue: TemplateIndex
    var position: SourcePosition
}

/// The places of the entries of a `map`, by their values, each of which has its own template.
struct EntryPlaces: Sendable {
    /// The template of the first entry.
    private var first = 0
    /// For each part of a template from the first on; later parts have no place.
    private var positions: [SourcePosition] = []

    /// Adds an entry, whose template comes after all others.
    mutating func append(_ position: SourcePosition, of template: TemplateIndex) {
        if positions.isEmpty { first = template.position }
        while positions.count < template.position - first { positions.append(.none) }
        positions.append(position)
    }

    subscript(template: TemplateIndex) -> SourcePosition {
        let index = template.position - first
        return positions.indices.contains(index) ? positions[index] : .none
    }

    /// The templates of the entries, by their places.
    var templates: [SourcePosition: TemplateIndex] {
        Dictionary(
            positions.enumerated().filter { $1.isPlace }.map { ($1, TemplateIndex(Int32(first + $0))) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The places of all entries, in the order of their definition.
    var all: [SourcePosition] { positions.filter(\.isPlace) }
}

/// `split_clients STRING $variable { … }`.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_split_clients_module.html
struct SplitClients: Sendable {
    struct Share: Sendable {
        /// The hash from which on the next share begins; the last share takes everything left.
        var bound: UInt32
        /// A constant.
        var value: ByteRange
        var position: SourcePosition
    }

    var source: TemplateIndex
    var shares: [Share]
    /// True if the last share takes every hash that is left: `*`, or percentages that add up to 100.
    var isComplete: Bool
    var position: SourcePosition

    /// The index of the share that a hash is in; nil where shares are left out.
    func share(of hash: UInt32) -> Int? {
        for index in shares.indices where hash < shares[index].bound || isLast(index) { return index }
        return nil
    }

    /// The percentage at which a share ends, in hundredths.
    func end(of index: Int) -> Int { isLast(index) ? 10_000 : Self.hundredths(shares[index].bound) }

    /// The place where a hash lies among all hashes, in hundredths of a percent.
    static func hundredths(_ hash: UInt32) -> Int {
        Int((UInt64(hash) * 10_000 + UInt64(UInt32.max / 2)) / UInt64(UInt32.max))
    }

    private func isLast(_ index: Int) -> Bool { isComplete && index == shares.count - 1 }
}
