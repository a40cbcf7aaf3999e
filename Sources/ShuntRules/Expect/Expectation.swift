import ShuntCore

/// Everything that a test expects of one request.
package struct Expectation: Sendable, Hashable {
    package struct Header: Sendable, Hashable {
        package var name: [UInt8]
        /// Its value; nil for any.
        package var value: [UInt8]?
        /// True if there is to be none.
        package var isAbsent = false

        package init(name: [UInt8], value: [UInt8]?, isAbsent: Bool = false) {
            self.name = name
            self.value = value
            self.isAbsent = isAbsent
        }
    }

    /// The expected decision; nil for any.
    package var decision: ExpectedDecision?
    package var headers: [Header] = []
    package var body: [UInt8]?
    package var parameters: [Decision.Parameter] = []
    package var rule: ExpectedRule?
    /// The expected decisions about the resulting URL, about that of the next decision, and so on.
    package var following: [ExpectedDecision] = []

    package init() {}

    /// The most decisions that may follow.
    package static let mostFollowing = 10

    /// One thing that did not come out as expected.
    package struct Mismatch: Sendable, Hashable {
        package enum Part: Sendable, Hashable {
            case decision, body, rule
            case header(Int)
            case parameter(Int)
            case following(Int)
        }

        package var part: Part
        package var expected: String
        package var found: String
        /// The URL that was asked, where it is not that of the test.
        package var url: [UInt8]?
    }

    /// Returns the parts of a decision that differ from the expectation: a wrong decision alone, because the rest
    /// follows from it.
    ///
    /// What is decided about the resulting URL is left to `FollowedDecisions`; `name` is the deciding rule's in notes.
    package func mismatches(of decision: Decision, named name: String? = nil) -> [Mismatch] {
        if let expected = self.decision, !expected.isMet(by: decision) {
            let found = ExpectedDecision.text(of: decision, namingRoute: expected.route != nil)
            return [Mismatch(part: .decision, expected: expected.text, found: found)]
        }
        var result: [Mismatch] = []
        for (index, header) in headers.enumerated() {
            guard let found = Self.problem(of: header, in: decision) else { continue }
            result.append(Mismatch(part: .header(index), expected: Self.text(header), found: found))
        }
        if let body, body != decision.body {
            let found = decision.body.map { RequestFields.quoted($0) } ?? "no body"
            result.append(Mismatch(part: .body, expected: "the body \(RequestFields.quoted(body))", found: found))
        }
        for (index, parameter) in parameters.enumerated() where !decision.parameters.contains(parameter) {
            let value = decision.routeParameter(parameter.name)
            result.append(
                Mismatch(
                    part: .parameter(index),
                    expected: "the parameter \(parameter.name) \(RequestFields.quoted(parameter.value))",
                    found: value.map { RequestFields.quoted($0) } ?? "no parameter \(parameter.name)"
                )
            )
        }
        if let rule, !rule.isMet(by: decision.rule, named: name) {
            let found = "a decision by " + (decision.rule.map { "\($0)" } ?? "no rule")
            result.append(Mismatch(part: .rule, expected: "a decision by \(rule.text)", found: found))
        }
        return result
    }

    // MARK: Headers

    private static func text(_ header: Header) -> String {
        let name = String(decoding: header.name, as: UTF8.self)
        if header.isAbsent { return "no header \(name)" }
        return header.value.map { "the header \(name) \(RequestFields.quoted($0))" } ?? "a header \(name)"
    }

    /// Returns the actual value; nil if the header is as expected.
    private static func problem(of header: Header, in decision: Decision) -> String? {
        let values = values(of: header.name, in: decision)
        if header.isAbsent { return values.first.map { RequestFields.quoted($0) } }
        guard let expected = header.value else { return values.isEmpty ? "none" : nil }
        if values.contains(expected) { return nil }
        return values.isEmpty ? "no such header" : values.map { RequestFields.quoted($0) }.joined(separator: ", ")
    }

    /// Returns true if a header is otherwise than expected.
    package func mismatches(onlyOf header: Header, in decision: Decision) -> Bool {
        Self.problem(of: header, in: decision) != nil
    }

    /// The values of a header; where a client is sent is one, too.
    package static func values(of name: [UInt8], in decision: Decision) -> [[UInt8]] {
        let folded = name.map(\.asciiLowercased)
        var values = (decision.headers + decision.successHeaders)
            .filter { $0.nameBytes.map(\.asciiLowercased) == folded }.map(\.valueBytes)
        let isSent = decision.kind == .redirect || decision.kind == .respond
        if isSent, let url = decision.urlBytes, folded.elementsEqual("location".utf8) { values.append(url) }
        return values
    }
}
