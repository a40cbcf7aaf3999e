import ShuntPatterns
import ShuntRules

/// Finds components that nothing reaches, because those before them take every URL that they take.
///
/// Each finding is proved with automata. Conditions on queries are compared as they are written, so it may miss some.
struct ComponentReach {
    /// The most components that are compared together.
    private static let comparedLimit = 48
    /// The most pairs that are compared in a list.
    private static let pairLimit = 20_000
    private static let limits = AutomatonLimits(nodes: 20_000, states: 4_000, steps: 500_000)

    private struct Part {
        var component: AppLinkComponent
        var text: String
        var line: Int
        /// The paths that it takes; nil if these are not known.
        var paths: Automaton?
        var fragments: Automaton?
        /// The text before the first wildcard of its path, and that after the last one.
        var beginning: [UInt8] = []
        var ending: [UInt8] = []

        var takesEveryPath: Bool { [nil, "*", "/*"].contains(component.path) }
        var takesEverything: Bool {
            takesEveryPath && component.query == nil && [nil, "*"].contains(component.fragment)
        }
    }

    private let variables: [String: [String]]?
    private var parts: [Part] = []
    /// The numbers of the parts by their beginnings, and the beginnings in order.
    private var numbers: [[UInt8]: [Int]] = [:]
    private var beginnings: [[UInt8]] = []
    private var lengths: Set<Int> = []
    private var pairs = 0

    init(variables: [String: [String]]?) { self.variables = variables }

    /// Adds the next component of the list, completed by the defaults.
    ///
    /// Returns the reason why no URL gets to it, and what to do; nil if one does, or if that is not known.
    mutating func add(
        _ component: AppLinkComponent,
        text: String,
        line: Int
    ) -> (message: String, suggestion: String)? {
        let part = part(component, text: text, line: line)
        defer { append(part) }
        guard let paths = part.paths, !paths.isEmpty else { return nil }
        let before = alike(part).map { parts[$0] }.filter { mayCover($0, part) }
        pairs += before.count
        guard pairs <= Self.pairLimit else { return nil }
        var isOpen = true
        for other in before {
            let place = other.line == line ? other.text : "the one on line \(other.line)"
            if other.component.text == component.text {
                return ("\(place) is the same, so no URL gets here", "leave one out")
            }
            guard let wider = other.paths, Self.isCovered(paths, by: [wider]) else { continue }
            let isSame = other.component.isExcluded ?? false == component.isExcluded ?? false
            if isSame, isNeeded(component, after: other.component) {
                isOpen = false
                continue
            }
            let what = other.takesEverything ? "every URL" : "all of them first"
            let move = "move it before \(other.line == line ? other.text : "line \(other.line)")"
            return (
                "no URL gets here, since \(place) takes \(what)",
                isSame && !other.takesEverything ? "leave it out" : move
            )
        }
        guard isOpen, before.count > 1, before.count <= Self.comparedLimit,
            Self.isCovered(paths, by: before.compactMap(\.paths))
        else { return nil }
        let lines = Set(before.map(\.line)).sorted()
        let (first, last) = (lines.first ?? line, lines.last ?? line)
        let place = first == last ? "line \(first)" : "lines \(first) to \(last)"
        return ("no URL gets here, since those on \(place) take all of them first", "move it before line \(first)")
    }

    /// True if a component takes paths that another leaves to it where each slash counts, as Apple's pages state.
    private func isNeeded(_ component: AppLinkComponent, after other: AppLinkComponent) -> Bool {
        guard let variables else { return false }
        let paths = [component, other]
            .compactMap { component -> Automaton? in
                let read = AppleComponent(component, variables: variables, slashes: .literal)
                return read.flatMap { Self.automaton($0.paths.map { $0.map(\.tree) }, domain: .everything) }
            }
        return paths.count == 2 && !Self.isCovered(paths[0], by: [paths[1]])
    }

    private mutating func append(_ part: Part) {
        if numbers[part.beginning] == nil {
            let place = place(of: part.beginning)
            beginnings.insert(part.beginning, at: place)
            lengths.insert(part.beginning.count)
        }
        numbers[part.beginning, default: []].append(parts.count)
        parts.append(part)
    }

    /// The place of the first beginning that is not before another in order.
    private func place(of beginning: [UInt8]) -> Int {
        beginnings.partitioningIndex { !$0.lexicographicallyPrecedes(beginning) }
    }

    /// The numbers of the parts whose paths may begin as those of another do, in order.
    private func alike(_ part: Part) -> [Int] {
        let beginning = part.beginning
        var found: [Int] = []
        for length in lengths where length < beginning.count { found += numbers[Array(beginning[..<length])] ?? [] }
        for longer in beginnings[place(of: beginning)...] {
            guard longer.starts(with: beginning) else { break }
            found += numbers[longer] ?? []
        }
        return found.sorted()
    }

    private func part(_ component: AppLinkComponent, text: String, line: Int) -> Part {
        var part = Part(component: component, text: text, line: line)
        if component.isCaseSensitive ?? true, let path = component.path {
            let text = Array((variables == nil ? path : AppleComponent.paths(path).first ?? path).utf8)
            let isWildcard: (UInt8) -> Bool = { [variables] byte in
                (variables == nil ? "*?." : "*?$)").utf8.contains(byte)
            }
            part.beginning = Array(text.prefix { !isWildcard($0) }).trimmingSlashes
            let short = text.trimmingSlashes
            part.ending = Array(short[(short.lastIndex(where: isWildcard).map { $0 + 1 } ?? 0)...])
        }
        if let variables {
            guard let read = AppleComponent(component, variables: variables) else { return part }
            part.paths = Self.automaton(read.paths.map { $0.map(\.tree) }, domain: Self.shortPaths)
            part.fragments = Self.automaton(read.fragment.map { [$0.tree] }, domain: .everything)
        } else if let read = AndroidComponent(component), read.hasConditions {
            part.paths = Self.automaton(read.path.map { [$0.tree] }, domain: .everything)
            part.fragments = Self.automaton(read.fragment.map { [$0.tree] }, domain: .everything)
        }
        return part
    }

    /// The paths without slashes at their end, as Apple's devices compare them.
    private static let shortPaths = try? Automaton(pattern: "^/(?:[\\x01-\\xff]*[\\x01-.0-\\xff])?\\z")

    private static func automaton(_ trees: [PatternNode?]?, domain: Automaton?) -> Automaton? {
        guard let domain else { return nil }
        var known: [PatternNode] = []
        for tree in trees ?? [.anyCharacters] {
            guard let tree else { return nil }
            known.append(tree)
        }
        let whole = PatternNode.sequence([.start, .choice(known), .absoluteEnd])
        guard let automaton = try? Automaton(whole, limits: limits) else { return nil }
        if domain.isUniversal { return automaton }
        return try? Language.intersection([.automaton(automaton), .automaton(domain)]).automaton(limits: limits)
    }

    private static func isCovered(_ paths: Automaton, by others: [Automaton]) -> Bool {
        let union = Language.union(others.map { .automaton($0) })
        return (try? Language.automaton(paths).isSubset(of: union, limits: limits)) ?? false
    }

    /// True if a component takes every query and fragment that another takes, and may take its paths.
    private func mayCover(_ wide: Part, _ narrow: Part) -> Bool {
        let (ending, other) = (wide.ending.reversed(), narrow.ending.reversed())
        guard ending.starts(with: other) || other.starts(with: ending) else { return false }
        let isAlike = (wide.component.isPercentEncoded ?? true) == (narrow.component.isPercentEncoded ?? true)
        guard wide.takesEveryPath || isAlike, coversQuery(wide, narrow) else { return false }
        // On Apple's devices a part that is missing is an empty one.
        guard let fragment = wide.component.fragment, variables == nil || fragment != "*" else { return true }
        guard isAlike, narrow.component.fragment != nil, let fragments = narrow.fragments, let others = wide.fragments
        else { return false }
        return Self.isCovered(fragments, by: [others])
    }

    private func coversQuery(_ wide: Part, _ narrow: Part) -> Bool {
        switch (wide.component.query, narrow.component.query) {
        case (nil, _), (.pattern("*"), _): return true
        case (.pattern(let pattern), .pattern(let other)): return pattern == other
        case (.items(let items), let other):
            var others: [String: String] = [:]
            if case .items(let items) = other { others = items }
            return items.allSatisfy { ($0.value == "*" && variables != nil) || others[$0.key] == $0.value }
        default: return false
        }
    }
}

extension [UInt8] {
    /// The text without slashes at its end, of which Apple's devices let some be missing.
    fileprivate var trimmingSlashes: [UInt8] {
        var text = self
        while text.last == UInt8(ascii: "/") { text.removeLast() }
        return text
    }
}
