public import ShuntRules

/// The kind of change of a request's outcome between two rule sets.
@nonexhaustive
public enum OutcomeChange: String, Sendable, Hashable, CaseIterable {
    /// Something else happens to it.
    case action
    /// The same happens with another status.
    case status
    /// It goes to another URL.
    case target
    /// It is for another route, or the route gets other parameters.
    case route
    /// The answer has other headers or another body, or a `proxy_pass` chooses where it goes and did not.
    case answer

    /// Creates the change; nil if a client or a handler would notice nothing.
    ///
    /// Which rule decided is not read, and of a failure that it failed with the same reason.
    public init?(from old: Decision, to new: Decision) {
        if old.kind != new.kind || old.reason != new.reason {
            self = .action
        } else if old.status != new.status {
            self = .status
        } else if old.urlBytes != new.urlBytes || old.targetBytes != new.targetBytes {
            self = .target
        } else if old.route != new.route || old.parameters != new.parameters {
            self = .route
        } else if old.body != new.body || old.headers != new.headers || old.successHeaders != new.successHeaders
            || old.upstreamHeaders != new.upstreamHeaders
            || old.isUpstream != new.isUpstream
        {
            self = .answer
        } else {
            return nil
        }
    }
}

extension Decision {
    /// The outcome in one or two words.
    var outcome: String { status.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }
}
