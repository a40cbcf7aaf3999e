#if Gateway
import NginxOracle

/// Makes a difference small: whatever can be left out while the two still differ is left out.
struct WireShrinker {
    private let run: WireRun
    /// The sets that may still be asked.
    private var budget = 500

    init(_ run: WireRun) { self.run = run }

    /// The smallest difference that was found, starting from one.
    mutating func shrink(_ difference: WireRun.Difference) async throws -> WireRun.Difference {
        var best = difference
        var set = best.set
        set.connections = [set.connections[best.connection]]
        try await take(set, &best)
        var isSmaller = true
        while isSmaller, budget > 0 {
            isSmaller = false
            var position = 0
            while let smaller = Self.smaller(best.set, position), budget > 0 {
                if try await take(smaller, &best) { isSmaller = true } else { position += 1 }
            }
        }
        return best
    }

    /// Takes a set if its two sides still differ in the same way.
    @discardableResult
    private mutating func take(_ set: WireSet, _ best: inout WireRun.Difference) async throws -> Bool {
        budget -= 1
        let kind = best.kind
        guard let found = try await run.differences(set).first(where: { $0.kind == kind }) else { return false }
        best = found
        return true
    }

    /// A set with one thing less; nil after the last one.
    private static func smaller(_ set: WireSet, _ position: Int) -> WireSet? {
        var (set, position) = (set, position)
        if set.connections.count > 1, removes(&set.connections, &position) { return set }
        for index in set.connections.indices {
            if removes(&set.connections[index].requests, &position) { return set }
            if removes(&set.connections[index].answers, &position) { return set }
            if set.connections[index].step > 0, counts(&position) {
                set.connections[index].step = 0
                return set
            }
            if set.connections[index].pause > 0, counts(&position) {
                set.connections[index].pause = 0
                return set
            }
            for answer in set.connections[index].answers.indices
            where set.connections[index].answers[answer].delay > 0 && counts(&position) {
                set.connections[index].answers[answer].delay = 0
                return set
            }
        }
        if removesNode(&set.rules, &position) { return set }
        for index in set.connections.indices {
            for request in set.connections[index].requests.indices {
                if removes(&set.connections[index].requests[request].headers, &position) { return set }
            }
            for answer in set.connections[index].answers.indices {
                if removes(&set.connections[index].answers[answer].head, from: 1, &position) { return set }
            }
        }
        return nil
    }

    private static func counts(_ position: inout Int) -> Bool {
        position -= 1
        return position < 0
    }

    private static func removes<Element>(_ elements: inout [Element], from first: Int = 0, _ position: inout Int)
        -> Bool
    {
        let count = max(0, elements.count - first)
        guard position < count else {
            position -= count
            return false
        }
        elements.remove(at: first + position)
        return true
    }

    private static func removesNode(_ nodes: inout [RuleNode], _ position: inout Int) -> Bool {
        for index in nodes.indices {
            if counts(&position) {
                nodes.remove(at: index)
                return true
            }
            guard var children = nodes[index].children else { continue }
            if removesNode(&children, &position) {
                nodes[index].children = children
                return true
            }
        }
        return false
    }
}
#endif
