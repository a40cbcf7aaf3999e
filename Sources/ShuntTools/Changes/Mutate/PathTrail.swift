import Shunt
import ShuntPatterns

/// The paths that a request had while it was decided: what expressions on paths were matched with.
///
/// If a changed expression matches the same of them as before, the request is decided as before.
struct PathTrail: Sendable {
    private let paths: Set<[UInt8]>

    /// Nil where a path is not known byte for byte.
    init?(_ steps: [Trace.Step]) {
        var paths = Set<[UInt8]>()
        for step in steps {
            for text in [step.subject, step.change?.before, step.change?.after].compactMap(\.self) {
                // What is not text was replaced.
                if text.utf8.contains(0xef), text.unicodeScalars.contains("\u{fffd}") { return nil }
                switch step.kind {
                case .phase, .location, .redirect, .rule: paths.insert(Array(text.utf8))
                default: continue
                }
            }
        }
        self.paths = paths
    }

    /// Returns true if an expression and a changed one distinguish some of the paths, or find other parts in it.
    func isDistinguished(by change: ChangedPathExpression) -> Bool {
        paths.contains { change.tellsApart($0) }
    }
}

/// An expression on paths and what it was changed to.
final class ChangedPathExpression {
    private let before: RegularExpression
    private let after: RegularExpression
    private let scratch = MatchScratch()

    /// Nil where the subjects are not paths.
    init?(_ change: ExpressionChange) {
        guard change.subject == .path, let before = change.before, let after = change.after else { return nil }
        self.before = before
        self.after = after
    }

    func tellsApart(_ path: [UInt8]) -> Bool {
        let old = outcome(of: before, path)
        let new = outcome(of: after, path)
        guard let old, let new else { return true }
        return old != new
    }

    /// Returns the contents of the groups without the whole match; empty without a match, nil if a limit was passed.
    private func outcome(of expression: RegularExpression, _ path: [UInt8]) -> [ByteRange?]? {
        scratch.renew()
        switch expression.match(path.span, scratch: scratch) {
        case .noMatch: return []
        case .matched:
            // A first member shows that there is a match, even one without groups.
            return [nil] + (1...max(1, expression.captureCount)).map { scratch.capture($0) }
        case .limitExceeded: return nil
        }
    }
}
