package import ShuntCore

/// The expected decision about a request, as tests in rule files and test files write it.
package struct ExpectedDecision: Sendable, Hashable {
    package var kind: Decision.Kind
    /// True if it is anything but that.
    package var isNegated = false
    package var status: Int?
    package var url: [UInt8]?
    /// True if a `*` in the URL stands for a part of it.
    package var hasWildcards = false
    package var route: String?

    package init(_ kind: Decision.Kind) { self.kind = kind }

    /// The problem of the words of an expectation.
    package struct Problem: Error, Equatable {
        package var code: DiagnosticCode
        package var message: String
        package var suggestion: String?
        /// The number of the word; that of the last where one is missing.
        package var word: Int
    }

    /// Reads `DECISION [STATUS] [URL]` or `route NAME`.
    package init(words: [[UInt8]]) throws(Problem) {
        guard let first = words.first else {
            throw Problem(code: .missingDecision, message: "a decision is missing", word: 0)
        }
        let name = String(decoding: first, as: UTF8.self)
        var next = 1
        if name == "route" {
            guard words.count > 1 else {
                throw Problem(code: .missingRoute, message: "\"route\" is followed by the name of one", word: 0)
            }
            kind = .forward
            route = String(decoding: words[1], as: UTF8.self)
            next = 2
        } else if let kind = Decision.Kind(rawValue: name) {
            self.kind = kind
            let hasStatus = kind != .degrade
            if hasStatus, next < words.count, let status = words[next].decimalNumber {
                guard (100...599).contains(status) else {
                    let text = String(decoding: words[next], as: UTF8.self)
                    let message = "a status is a number from 100 to 599, not \"\(text)\""
                    throw Problem(code: .invalidStatus, message: message, word: next)
                }
                self.status = status
                next += 1
            }
            let hasURL = kind == .forward || kind == .redirect || kind == .degrade
            if hasURL, next < words.count {
                url = words[next]
                next += 1
            }
        } else {
            let known = Decision.Kind.allCases.map(\.rawValue) + ["route"]
            let message = "there is no decision \"\(name)\""
            let advice = Suggestion.meant(by: name, among: known) ?? "write one of \(known.joined(separator: ", "))"
            throw Problem(code: .unknownDecision, message: message, suggestion: advice, word: 0)
        }
        guard next == words.count else {
            let message = "unexpected \"\(String(decoding: words[next], as: UTF8.self))\" after \"\(name)\""
            throw Problem(code: .extraArgument, message: message, suggestion: "remove it", word: next)
        }
    }

    package func isMet(by decision: Decision) -> Bool { isNamed(decision) != isNegated }

    private func isNamed(_ decision: Decision) -> Bool {
        guard decision.kind == kind, status == nil || status == decision.status,
            route == nil || route == decision.route
        else { return false }
        guard let url else { return true }
        guard let found = decision.urlBytes else { return false }
        return hasWildcards ? URLWildcards.matches(url, found) : url == found
    }

    /// The expectation as tests write it.
    package var text: String {
        let negation = isNegated ? "not " : ""
        if let route { return "\(negation)route \(route)" }
        var parts = [negation + kind.rawValue]
        if let status { parts.append(String(status)) }
        if let url { parts.append(String(decoding: url, as: UTF8.self)) }
        return parts.joined(separator: " ")
    }

    /// A decision in the form of an expectation; `namesRoute` if it has the route rather than the URL.
    package static func text(of decision: Decision, namingRoute namesRoute: Bool = false) -> String {
        if namesRoute, decision.kind == .forward {
            return decision.route.map { "route \($0)" } ?? "forward"
        }
        var parts = [decision.kind.rawValue]
        if let status = decision.status { parts.append(String(status)) }
        if let reason = decision.reason { parts.append("(\(reason))") }
        if let url = decision.url { parts.append(url) }
        return parts.joined(separator: " ")
    }
}
