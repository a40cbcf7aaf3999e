import ShuntPatterns
import ShuntRules

extension ValueTest {
    /// The test whether a host is one of those that a name stands for; of a wildcard that is wanted, one host.
    init(_ name: HostNamePattern, isWanted: Bool, limits: AutomatonLimits) {
        let label = Array("a".utf8)
        let dot = Array(".".utf8)
        switch (name.kind, isWanted) {
        case (.exact, _), (.domain, true): self.init(.equals(name.literal))
        case (.subdomains, true): self.init(.equals(label + dot + name.literal))
        case (.prefix, true): self.init(.equals(name.literal + dot + label))
        case (let kind, false):
            let literal = PatternNode.literal(name.literal, caseless: false)
            let dot = PatternNode.literal(dot, caseless: false)
            let tree: PatternNode =
                switch kind {
                case .subdomains: .sequence([dot, literal, .absoluteEnd])
                case .domain: .sequence([.choice([.start, dot]), literal, .absoluteEnd])
                default: .sequence([.start, literal, dot])
                }
            guard let automaton = try? Automaton(tree, limits: limits) else {
                self.init(.equals(name.literal))
                return
            }
            self.init(.isIn(automaton))
        }
    }
}
