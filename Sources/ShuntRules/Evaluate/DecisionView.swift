public import ShuntCore
import ShuntRouting

/// A decision that is looked at where the engine made it.
///
/// It has the values of a `Decision` without a copy of any: reading the action, the status and the rule allocates nothing,
/// and the bytes of a value are lent to a closure. It lives inside the closure that it was given to.
@safe
public struct DecisionView: ~Copyable {
    private let lender: Unmanaged<Evaluator>
    private var evaluator: Evaluator {
        @inline(__always) get { unsafe lender.takeUnretainedValue() }
    }
    private let outcome: Outcome

    /// Makes a view of the outcome of an evaluator that the maker holds until the closure that looks at it has returned.
    @unsafe
    package init(_ evaluator: Unmanaged<Evaluator>, _ outcome: Outcome) {
        unsafe lender = evaluator
        self.outcome = outcome
    }

    /// What kind of decision it is.
    public var action: Decision.Action { outcome.action }

    /// The HTTP status; see `Decision.status`.
    public var status: Int? { outcome.status != 0 || outcome.action == .respond ? Int(outcome.status) : nil }

    /// Whether a `proxy_pass` chose where a forwarded request goes.
    public var isUpstream: Bool { outcome.action == .forward && withEvaluator { $0.isProxied } }

    /// Whether a rule changed the request or decided about it.
    public var isDecidedByRule: Bool { outcome.position != .none }

    /// The place of the rule that made the decision; nil where none did.
    public var rule: SourceLocation? { evaluator.program.location(of: outcome.position) }

    /// The name of the route of a forwarded request; nil where none matches.
    public var route: String? {
        guard let routes = evaluator.program.routes, let found = outcome.route else { return nil }
        return routes.route(found.route)?.displayName
    }

    /// Lends the bytes of the resulting URL; nil where the decision has none.
    public func withURL<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try withEvaluator { evaluator throws(Failure) in
            guard let url = evaluator.resultURL(outcome) else { return nil }
            return try evaluator.arena.withBytes(url, body)
        }
    }

    /// Lends the bytes of the path as the rules left it; nil where the decision has none.
    public func withURI<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard outcome.hasURI else { return nil }
        return try withEvaluator { evaluator throws(Failure) in try evaluator.arena.withBytes(outcome.uri, body) }
    }

    /// Lends the bytes of the body that a rule gave; nil where the decision has none.
    public func withBody<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard outcome.hasBody else { return nil }
        return try withEvaluator { evaluator throws(Failure) in try evaluator.arena.withBytes(outcome.body, body) }
    }

    /// Lends the evaluator without counting a reference, which would take as long as what the callers do.
    ///
    /// Sound: the maker of the view holds the evaluator until the view is gone.
    @inline(__always)
    private borrowing func withEvaluator<Value, Failure: Error>(
        _ body: (Evaluator) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result: Result<Value, Failure> = unsafe lender._withUnsafeGuaranteedRef { evaluator in
            do throws(Failure) {
                return .success(try body(evaluator))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The decision as a value of its own: this copies, and allocates.
    public func copy() -> Decision { evaluator.decision(outcome) }
}
