/// The reason why no route matched a URL.
public struct RouteMiss: Sendable, Hashable, CustomStringConvertible {
    /// The reason of a miss.
    @nonexhaustive public enum Reason: Sendable, Hashable {
        /// No route has such a path.
        case noSuchPath
        /// Routes have the path, but not for this method; these are the methods that they take.
        case methodNotAllowed([String])
        /// A route would match, had this parameter another value. `requirement` is the type or the expression.
        case valueDoesNotFit(route: RouteID, parameter: String, value: String, requirement: String)
        /// A route of the rules matches, but no code handles routes of its name.
        case noHandler(String)
        /// A limit was reached before it was known which route comes first, or whether any matches.
        case tooComplex
    }

    /// The reason.
    public let reason: Reason
    /// A path of the table that differs in the spelling of one component; nil when there is none.
    public let suggestion: String?

    /// Makes a reason.
    public init(reason: Reason, suggestion: String? = nil) {
        self.reason = reason
        self.suggestion = suggestion
    }

    /// One sentence for people, without a full stop.
    public var description: String {
        let hint = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
        switch reason {
        case .noSuchPath: return "no route has this path" + hint
        case .methodNotAllowed(let methods): return "the path accepts only " + methods.joined(separator: ", ")
        case .valueDoesNotFit(_, let parameter, let value, let requirement):
            return "\"\(value)\" does not fit \(parameter)(\(requirement))" + hint
        case .noHandler(let route): return "nothing handles the route \"\(route)\"" + hint
        case .tooComplex: return "a limit was reached before it was known which route comes first"
        }
    }
}

/// The result for a URL: a match, or the reason of a miss.
public enum RouteResolution: Sendable {
    /// A route matches.
    case matched(RouteMatch)
    /// No route matches.
    case missed(RouteMiss)

    /// The match, if there is one.
    public var match: RouteMatch? {
        if case .matched(let match) = self { return match }
        return nil
    }

    /// The reason, if there is no match.
    public var miss: RouteMiss? {
        if case .missed(let miss) = self { return miss }
        return nil
    }
}
