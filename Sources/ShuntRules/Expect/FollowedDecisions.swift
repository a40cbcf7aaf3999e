/// The decisions about the URL that a decision leads to, and about that of the next one: decided step by step, and
/// compared.
package struct FollowedDecisions {
    private let expected: [ExpectedDecision]
    private var index = 0
    /// The next request to be decided about; nil when all came out as expected, or one did not.
    package private(set) var next: RuleRequest?
    /// The first that did not come out as expected.
    package private(set) var mismatch: Expectation.Mismatch?

    package init(_ expected: [ExpectedDecision], after decision: Decision, about request: RuleRequest) {
        self.expected = expected
        advance(from: decision, about: request)
    }

    package mutating func take(_ decision: Decision) {
        guard let request = next else { return }
        let expected = expected[index]
        guard expected.isMet(by: decision) else {
            next = nil
            mismatch = Expectation.Mismatch(
                part: .following(index),
                expected: expected.text,
                found: ExpectedDecision.text(of: decision, namingRoute: expected.route != nil),
                url: request.urlBytes
            )
            return
        }
        index += 1
        advance(from: decision, about: request)
    }

    private mutating func advance(from decision: Decision, about request: RuleRequest) {
        next = nil
        guard index < expected.count else { return }
        next = RequestAfter.of(decision, about: request)
        guard next == nil else { return }
        mismatch = Expectation.Mismatch(
            part: .following(index),
            expected: expected[index].text,
            found: "\(decision.kind.rawValue), and no URL to follow"
        )
    }
}
