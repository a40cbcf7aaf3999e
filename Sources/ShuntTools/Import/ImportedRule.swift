/// A rule of another server, as all readers hand it to the writer: tests, an expression on the path, and an action.
struct ImportedRule: Sendable {
    /// A test of one value of a request.
    struct Test: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case matches(String, ignoresCase: Bool)
            case equals(String)
            /// Neither empty nor 0.
            case isTrue
            case file, directory, fileOrDirectory
        }

        /// A string of the rule language, such as `$host`, or a path for the tests of files.
        var subject: String
        var kind: Kind
        var isNegated = false
        /// True if the expression has groups that the rule uses by name.
        var hasNamedGroups = false
    }

    /// The expression on the path.
    struct Pattern: Sendable, Hashable {
        var expression: String
        var ignoresCase = false
        var isNegated = false
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
        case respond(Int, String?)
        /// To another server; the path is changed before.
        case proxy(String, path: String?)
        case stop
        /// Nothing but the variables.
        case set
    }

    var lines: ClosedRange<Int>
    /// All of these; of each, one.
    var tests: [[Test]] = []
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

    init(_ lines: ClosedRange<Int>, _ action: Action) {
        self.lines = lines
        self.action = action
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
