import ShuntCore

@testable import ShuntRouting

/// A matcher that tries every pattern in every way it can be read, and then sorts.
///
/// It shares the parser and the order of labels with the library, but nothing of automaton, search or binding.
struct NaiveMatcher {
    struct Candidate {
        var route: Int
        var namesMethod: Bool
        var level: Int
        var ranks: [LabelRank]
        var values: [String: String]
    }

    struct Entry {
        var pattern: RoutePattern
        var priority: Int
        var method: String?
    }

    var entries: [Entry]

    /// Every way in which a route matches, the first first.
    func candidates(_ path: String, method: String?) -> [Candidate] {
        let components = path.split(separator: "/").map { Array($0.utf8) }
        var result: [Candidate] = []
        for (index, entry) in entries.enumerated() {
            if let wanted = entry.method, let method, wanted != method { continue }
            for form in Self.forms(entry.pattern.elements[...]) {
                Self.match(form[...], components[...]) { ranks, values in
                    var named: [String: String] = [:]
                    for (parameter, value) in values {
                        guard let name = parameter.name else { continue }
                        named[name] = String(decoding: Self.decoded(value), as: UTF8.self)
                    }
                    result.append(
                        Candidate(
                            route: index,
                            namesMethod: entry.method != nil,
                            level: entry.priority,
                            ranks: ranks,
                            values: named
                        )
                    )
                }
            }
        }
        // A stable sort keeps the order of the forms, in which groups are taken rather than left out.
        return result.enumerated()
            .sorted { first, second in
                Self.precedes(first.element, second.element) ?? (first.offset < second.offset)
            }
            .map(\.element)
    }

    /// Returns true if the first goes first; nil when neither does.
    static func precedes(_ first: Candidate, _ second: Candidate) -> Bool? {
        if first.level != second.level { return first.level > second.level }
        for (one, two) in zip(first.ranks, second.ranks) where one != two { return one < two }
        if first.ranks.count != second.ranks.count { return first.ranks.count < second.ranks.count }
        if first.namesMethod != second.namesMethod { return first.namesMethod }
        return nil
    }

    /// The element lists without groups, groups taken first.
    private static func forms(_ elements: ArraySlice<PatternElement>) -> [[PatternElement]] {
        guard let first = elements.first else { return [[]] }
        let rest = forms(elements.dropFirst())
        switch first {
        case .group(let inner):
            let taken = forms(inner[...]).flatMap { head in rest.map { head + $0 } }
            return taken + rest
        case .component(let alternatives):
            return alternatives.flatMap { form in rest.map { [.component([form])] + $0 } }
        case .tail, .fragment, .trailingSlash:
            return rest.map { [first] + $0 }
        }
    }

    private typealias Values = [(PatternParameter, [UInt8])]

    private static func match(
        _ elements: ArraySlice<PatternElement>,
        _ components: ArraySlice<[UInt8]>,
        _ ranks: [LabelRank] = [],
        _ values: Values = [],
        _ found: ([LabelRank], Values) -> Void
    ) {
        guard let element = elements.first else {
            if components.isEmpty { found(ranks, values) }
            return
        }
        switch element {
        case .component(let forms):
            guard let component = components.first, let form = forms.first else { return }
            guard let bound = bind(form[...], component[...]) else { return }
            let label = label(form)
            // Exact components are alike in rank, as no two of them match the same bytes.
            match(elements.dropFirst(), components.dropFirst(), ranks + [label.rank], values + bound, found)
        case .tail(let pieces):
            if pieces.count > 1 {
                guard let bound = bind(Self.components(of: pieces)[...], components) else { return }
                found(ranks + [RouteLabel.tail(pieces.map(LabelPiece.init)).rank], values + bound)
                return
            }
            guard case .splat(let parameter, _)? = pieces.first else { return }
            let rest = Array(components.joined(separator: [UInt8(ascii: "/")]))
            found(ranks + [RouteLabel.tail(pieces.map(LabelPiece.init)).rank], values + [(parameter, rest)])
        case .group, .fragment, .trailingSlash:
            return
        }
    }

    /// The pieces of a tail with wildcards, by component.
    private static func components(of pieces: [PatternPiece]) -> [[PatternPiece]] {
        var components: [[PatternPiece]] = [[]]
        for piece in pieces {
            guard case .literal(let bytes) = piece else {
                components[components.count - 1].append(piece)
                continue
            }
            for (index, part) in bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .enumerated()
            {
                if index > 0 { components.append([]) }
                if !part.isEmpty { components[components.count - 1].append(.literal(Array(part))) }
            }
        }
        return components
    }

    /// The values of components with wildcards among them, each wildcard as short as will do.
    private static func bind(_ pattern: ArraySlice<[PatternPiece]>, _ components: ArraySlice<[UInt8]>) -> Values? {
        guard let pieces = pattern.first else { return components.isEmpty ? [] : nil }
        guard !components.isEmpty else { return nil }
        guard case .components(let parameter)? = pieces.first else {
            guard let first = bind(pieces[...], components[components.startIndex][...]),
                let rest = bind(pattern.dropFirst(), components.dropFirst())
            else { return nil }
            return first + rest
        }
        for count in 1...components.count {
            guard let rest = bind(pattern.dropFirst(), components.dropFirst(count)) else { continue }
            return [(parameter, Array(components.prefix(count).joined(separator: [UInt8(ascii: "/")])))] + rest
        }
        return nil
    }

    private static func label(_ form: [PatternPiece]) -> RouteLabel {
        if form.count == 1, case .literal(let bytes) = form[0] { return .literal(bytes) }
        return .component(form.map(LabelPiece.init))
    }

    /// The values of the pieces, each as short as will do.
    private static func bind(_ pieces: ArraySlice<PatternPiece>, _ bytes: ArraySlice<UInt8>) -> Values? {
        guard let piece = pieces.first else { return bytes.isEmpty ? [] : nil }
        switch piece {
        case .literal(let wanted):
            for end in cuts(bytes) where decoded(Array(bytes[..<end])) == wanted {
                return bind(pieces.dropFirst(), bytes[end...])
            }
            return nil
        case .parameter(let parameter):
            if parameter.isOptional, let rest = bind(pieces.dropFirst(), bytes) { return rest }
            for end in cuts(bytes).dropFirst() {
                let value = Array(bytes[..<end])
                guard fits(parameter, decoded(value)), let rest = bind(pieces.dropFirst(), bytes[end...]) else {
                    continue
                }
                return [(parameter, value)] + rest
            }
            return nil
        case .splat, .components, .anyByte:
            return nil
        }
    }

    /// The places at which bytes may be cut without cutting an escape.
    private static func cuts(_ bytes: ArraySlice<UInt8>) -> [Int] {
        var cuts = [bytes.startIndex]
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let isEscape =
                bytes[index] == UInt8(ascii: "%") && bytes.endIndex - index > 2
                && bytes[index + 1].hexadecimalValue != nil && bytes[index + 2].hexadecimalValue != nil
            index += isEscape ? 3 : 1
            cuts.append(index)
        }
        return cuts
    }

    private static func fits(_ parameter: PatternParameter, _ value: [UInt8]) -> Bool {
        switch parameter.constraint {
        case .none: return true
        case .type(let type): return type.accepts(value.span)
        case .expression(let text): return expressions[String(decoding: text, as: UTF8.self)]?(value) ?? false
        }
    }

    /// The expressions that random patterns use, by hand.
    static let expressions: [String: @Sendable ([UInt8]) -> Bool] = [
        "\\d{2,}": { value in value.count >= 2 && value.allSatisfy { $0.isASCIIDigit } },
        "[ab]+": { value in !value.isEmpty && value.allSatisfy { $0 == 0x61 || $0 == 0x62 } },
    ]

    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        URLBytes.decoded(ByteRange(0, bytes.count), of: bytes, plus: .never)
    }
}
