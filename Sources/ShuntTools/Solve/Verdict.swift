public import ShuntCore

/// The answer to a question about rules: it is proved, confirmed by the engine, or not proved.
@nonexhaustive
public enum Verdict: Sendable {
    /// A request does what was asked for: the engine was asked with it.
    case confirmed(RequestDescription)
    /// No request does: these rules take all that could.
    case dead(because: [SourceLocation])
    /// Neither is known.
    case unproved(UnprovedReason)
}

/// The reason why there is neither a proof nor a request.
@nonexhaustive
public enum UnprovedReason: Error, Sendable, Hashable, CustomStringConvertible {
    /// An expression has no automaton, or a limit was passed.
    case expression(String)
    /// The test depends on a variable that rules compute.
    case computed(String)
    /// It depends on files.
    case files
    /// It was true the last time at this moment.
    case past(Timestamp)
    /// No request that was tried did it.
    case notFound(tried: Int)

    /// The reason in words.
    public var description: String {
        switch self {
        case .expression(let reason): reason
        case .computed(let name): "it depends on $\(name), which rules compute"
        case .files: "it depends on a file"
        case .past(let moment): "never true since \(moment)"
        case .notFound(let count): "no example found (\(count) tried)"
        }
    }
}
