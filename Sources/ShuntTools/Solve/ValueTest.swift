import Shunt
import ShuntPatterns
import ShuntRules

/// A requirement for a value: a header, a path, a variable.
struct ValueTest {
    enum Kind {
        /// It is neither empty nor `0`.
        case truthy
        /// It is this text.
        case equals([UInt8])
        /// It is one of these.
        case isAny(of: [[UInt8]])
        /// An expression of the program matches it.
        case matches(RuleModel.Expression)
        /// It is in a set.
        case isIn(Automaton)
        /// It compares with a version.
        case version(Condition.Kind, [UInt8])
        /// It compares with a moment.
        case moment(Condition.Kind, Timestamp)
        /// It compares with a time of day, in seconds.
        case timeOfDay(Condition.Kind, Int64)
        /// Its hash lies in one of the shares of a split.
        case share(RuleModel.Split, [Int])
    }

    var kind: Kind
    /// True if the opposite is asked.
    var isNegated = false

    var isShare: Bool { if case .share = kind { true } else { false } }

    init(_ kind: Kind, negated: Bool = false) {
        self.kind = kind
        isNegated = negated
    }

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

/// The place where a value of a request comes from.
enum RequestSource: Hashable {
    /// The whole URL, in the URL phase.
    case url
    /// The path and the query as they are sent.
    case target
    /// The path as a server sees it: decoded.
    case path
    /// The query as it is sent.
    case arguments
    case argument([UInt8])
    case host
    case method
    /// A header, by the name that variables have for it.
    case header([UInt8])
    case cookie([UInt8])
    case input(String)
    case address
    case isSecure
    /// The port that it arrived at.
    case port
    case time(BuiltinVariable)
}

/// A test of a value of a request.
struct SourceTest {
    var source: RequestSource
    var test: ValueTest
}
