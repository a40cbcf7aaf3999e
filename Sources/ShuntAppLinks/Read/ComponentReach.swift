import ShuntCore
import ShuntPatterns

/// Finds components that nothing reaches, because those before them take every URL that they take.
///
/// Each finding is proved with automata. Conditions on queries are compared as they are written, so it may miss some.
struct ComponentReach {
    /// The most components that are compared together.
    private static let comparedLimit = 48
    private static let limits = AutomatonLimits(nodes: 20_000, states: 4_000, steps: 500_000)

    private struct Part {
        var component: AppLinkComponent
        var text: String
        var line: Int
        /// The paths that it takes; nil if these are not known.
        var paths: Automaton?
        var fragments: Automaton?
        /// The text before the first wildcard of its path.
        var beginning: String

        var takesEveryPath: Bool { [nil, "*", "/*"].contains(component.path) }
        var takesEverything: Bool {
            takesEveryPath && component.query == nil && [nil, "*"].contains(component.fragment)
        }
    }

    private let variables: [String: [String]]?
    private var parts: [Part] = []

    init(variables: [String: [String]]?) { self.variables = variables }

    /// Adds the next component of the list.
    ///
    /// - Parameters:
    ///   - component: The component, completed by the defaults.
    ///   - text: The component as it is written.
    ///   - line: Its line.
    /// - Returns: The reason why no URL gets to it, and what to do; nil if one does, or if that is not known.
    mutating func add(
        _ component: AppLinkComponent,
        text: String,
        line: Int
    ) -> (message: String, suggestion: String)? {
        let part = part(component, text: text, line: line)
        defer { parts.append(part) }
        guard let paths = part.paths, !paths.isEmpty else { return nil }
        let before = parts.filter { mayCover($0, part) }
        for other in before {
            let place = other.line == line ? other.text : "the one on line \(other.line)"
            if other.component.text == component.text {
                return ("\(place) is the same, so no URL gets here", "leave one out")
            }
            guard let wider = other.paths, Self.isCovered(paths, by: [wider]) else { continue }
            let isSame = other.component.isExcluded ?? false == component.isExcluded ?? false
            let what = other.takesEverything ? "every URL" : "all of them first"
            let move = "move it before \(other.line == line ? other.text : "line \(other.line)")"
            return (
                "no URL gets here, since \(place) takes \(what)",
                isSame && !other.takesEverything ? "leave it out" : move
            )
        }
        guard before.count > 1, before.count <= Self.comparedLimit,
            Self.isCovered(paths, by: before.compactMap(\.paths))
        else { return nil }
        let lines = Set(before.map(\.line)).sorted()
        let (first, last) = (lines.first ?? line, lines.last ?? line)
        let place = first == last ? "line \(first)" : "lines \(first) to \(last)"
        return ("no URL gets here, since those on \(place) take all of them first", "move it before line \(first)")
    }

    private func part(_ component: AppLinkComponent, text: String, line: Int) -> Part {
        var part = Part(component: component, text: text, line: line, beginning: "")
        if component.isCaseSensitive ?? true, let path = component.path {
            let text = variables == nil ? path : AppleComponent.paths(path).first ?? path
            part.beginning = String(text.prefix { !"*?$".contains($0) }).trimmingSlashes
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
        guard wide.beginning.hasPrefix(narrow.beginning) || narrow.beginning.hasPrefix(wide.beginning) else {
            return false
        }
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

extension String {
    /// The text without slashes at its end, of which Apple's devices let some be missing.
    fileprivate var trimmingSlashes: String {
        var text = self
        while text.last == "/" { text.removeLast() }
        return text
    }
}
