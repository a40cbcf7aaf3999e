/// A rule of another server, as all readers hand it to the writer: tests, an expression on the path, and an action.
struct ImportedRule: Sendable {
    /// The expression on the path.
    struct Pattern: Sendable, Hashable {
        var expression: String
        var ignoresCase = false
        var isNegated = false

        /// Returns true if the rule is for a path, as far as this decides.
        func holds(for path: String) -> Bool {
            ImportedExpression.matches(expression, path, ignoresCase: ignoresCase) != isNegated
        }
    }

    /// The way on after a change of the path.
    enum Continuation: String, Sendable, Hashable {
        case next = ""
        case last
        case `break`
    }

    enum Action: Sendable, Hashable {
        case rewrite(String, Continuation)
        case redirect(Int, String)
        case respond(Int, String? = nil)
        /// To another server; the path is changed before.
        case proxy(String, path: String?)
        case stop
        /// Nothing but the variables.
        case set
    }

    var lines: ClosedRange<Int>
    /// All of these; of each, one.
    var tests: [[ImportedTest]]
    /// The paths that the rule is for; nil for all.
    var pattern: Pattern?
    /// Variables that get values where the rule applies.
    var sets: [(name: String, value: String)] = []
    /// The groups of the expression that must be kept in variables, because what uses them has no expression itself.
    var keptGroups: [Int] = []
    /// True if the target of a redirect is the whole of it, to which no query is added.
    var hasWholeTarget = false
    /// True if other tests use the groups of the expression on the path.
    var testsPathFirst = false
    var action: Action

    init(_ lines: ClosedRange<Int>, _ action: Action, tests: [[ImportedTest]] = [], pattern: Pattern? = nil) {
        self.lines = lines
        self.action = action
        self.tests = tests
        self.pattern = pattern
    }

    /// A rule that refuses requests.
    static func refusal(_ lines: ClosedRange<Int>, tests: [[ImportedTest]] = []) -> Self {
        Self(lines, .respond(403), tests: tests)
    }

    /// A target with variables in the place of the groups of the expression on the path, which are kept in these.
    mutating func keepingGroups(of target: String) -> String {
        var text = target
        for number in 1...9 where text.contains("$\(number)") {
            keptGroups.append(number)
            text = text.replacing("$\(number)", with: "${rest_\(number)}")
        }
        return text
    }

    /// True if it changes the path.
    var rewrites: Bool { if case .rewrite = action { true } else { false } }

    /// True if it is only for paths at which no file is.
    var isForMissingFiles: Bool {
        tests.contains { $0.count == 1 && $0[0].isNegated && $0[0].subject == "$request_filename" }
    }

    /// True if an answer of the rule ends the request.
    var answers: Bool {
        switch action {
        case .redirect, .respond: true
        case .rewrite, .proxy, .stop, .set: false
        }
    }

    /// True if the request does not stay in its location.
    var leaves: Bool {
        if case .rewrite(_, let continuation) = action { return continuation != .break }
        return answers
    }

    /// True if it refuses requests.
    var refuses: Bool {
        if case .respond(let status, _) = action { return status >= 400 }
        return false
    }
}
