import ShuntCore
import ShuntPatterns

extension RouteAutomaton {
    /// Returns the requirement of a constraint that `value` does not meet; nil if it does.
    func requirement(_ constraint: ParameterConstraint, missedBy value: [UInt8], _ scratch: RouteScratch) -> String? {
        switch constraint {
        case .none: return nil
        case .type(let type): return type.accepts(value.span) ? nil : type.rawValue
        case .expression(let text):
            let pattern = Array("\\A(?:".utf8) + text + Array(")\\z".utf8)
            guard let expression = expressions.first(where: { $0.pattern == pattern }),
                expression.match(value.span, scratch: scratch.matchScratch) != .matched
            else { return nil }
            return String(decoding: text, as: UTF8.self)
        }
    }
}

extension RouteTable {
    /// A path that differs from that of `url` in the spelling of one component.
    func suggestion(for url: [UInt8]) -> String? {
        let parts = RouteSubject(splitting: url.span)
        let scratch = RouteScratch()
        let request = request(url.span, parts)
        guard request.fragmentStart == Int.max else { return nil }
        collectNamespaces(url.span, parts: parts, scratch: scratch)
        var components: [[UInt8]] = []
        for part in url[request.start..<request.end].split(separator: UInt8(ascii: "/")) {
            let bytes = Array(part)
            components.append(URLBytes.decoded(ByteRange(0, bytes.count), of: bytes, plus: .never))
        }
        guard components.count <= RoutingLimits.components else { return nil }
        var walk = SuggestionWalk(automaton: automaton, components: components)
        for index in 0..<scratch.namespaceCount {
            walk.visit(namespaces.records[Int(scratch.namespace(index))].root, at: 0)
        }
        guard let best = walk.best else { return nil }
        var result: [UInt8] = []
        for (index, component) in components.enumerated() {
            result.append(UInt8(ascii: "/"))
            let bytes = index == best.index ? best.component : component
            URLComponentCoding.append(bytes.span, for: .pathSegment, to: &result)
        }
        // The other component may be spelled right, and a value still not fit.
        let isPath = request.start < url.count && url[request.start] == UInt8(ascii: "/")
        let whole = Array(url[..<request.start]) + result.dropFirst(isPath ? 0 : 1)
        var candidates = RouteCandidates(table: self, url: whole, method: .any)
        return candidates.next() == nil ? nil : String(decoding: result, as: UTF8.self)
    }
}

/// A walk along the states that a path reaches, reading the exact components next to each component of the path.
private struct SuggestionWalk {
    let automaton: RouteAutomaton
    let components: [[UInt8]]
    var best: (index: Int, component: [UInt8], distance: Int)?
    var budget = RoutingLimits.suggestionCandidates

    /// Looks for near components from `index` on, given that everything before it was spelled right.
    mutating func visit(_ state: UInt32, at index: Int) {
        budget -= 1
        guard budget > 0, index < components.count else { return }
        let record = automaton.cells.state(state)
        let wanted = components[index]
        let limit = min(3, max(1, wanted.count / 3))
        if record.probes > 0 {
            let first = CellArena.firstEdge(state, record)
            for slot in 0...Int(record.edgeMask) {
                let edge = automaton.cells.edge(first + slot * CellArena.cell)
                guard edge.length < EdgeRecord.trailingSlash else { continue }
                budget -= 1
                guard budget > 0 else { return }
                guard abs(Int(edge.length) - wanted.count) <= limit, edge.length <= Suggestion.maximumLength else {
                    continue
                }
                let bytes = automaton.cells.bytes(edge)
                if bytes == wanted {
                    visit(edge.target, at: index + 1)
                    continue
                }
                let distance = Suggestion.distance(wanted.map(\.asciiLowercased), bytes.map(\.asciiLowercased))
                guard distance <= limit, best.map({ distance < $0.distance }) ?? true, ends(edge.target, at: index + 1)
                else { continue }
                best = (index, bytes, distance)
            }
        }
        let first = CellArena.firstAlternative(state, record)
        for position in 0..<Int(record.alternativeCount) {
            let alternative = automaton.cells.alternative(first + position * CellArena.cell)
            if alternative.kind == .plain || alternative.kind == .typed || alternative.kind == .expression {
                visit(alternative.target, at: index + 1)
            }
        }
    }

    /// Returns true if the components from `index` on lead to a route.
    private mutating func ends(_ state: UInt32, at index: Int) -> Bool {
        budget -= 1
        guard budget > 0 else { return false }
        let record = automaton.cells.state(state)
        if index == components.count, record.terminalCount > 0 { return true }
        if index < components.count, record.probes > 0 {
            let first = CellArena.firstEdge(state, record)
            for slot in 0...Int(record.edgeMask) {
                let edge = automaton.cells.edge(first + slot * CellArena.cell)
                guard edge.length < EdgeRecord.trailingSlash, Int(edge.length) == components[index].count else {
                    continue
                }
                budget -= 1
                if automaton.cells.bytes(edge) == components[index], ends(edge.target, at: index + 1) { return true }
            }
        }
        let first = CellArena.firstAlternative(state, record)
        for position in 0..<Int(record.alternativeCount) {
            let alternative = automaton.cells.alternative(first + position * CellArena.cell)
            switch alternative.kind {
            case .tail, .tailPieces: return true
            case .plain, .typed, .expression, .pieces:
                if index < components.count, ends(alternative.target, at: index + 1) { return true }
            }
        }
        return false
    }
}
