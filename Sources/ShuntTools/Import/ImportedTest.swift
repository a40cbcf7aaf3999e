/// A test of one value of a request.
struct ImportedTest: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case matches(String, ignoresCase: Bool = false)
        case equals(String)
        /// Neither empty nor 0.
        case isTrue
        case file, directory, fileOrDirectory
    }

    /// A string of the rule language, such as `$host`, or a path for the tests of files.
    var subject: String
    var kind: Kind
    var isNegated: Bool
    /// True if the expression has groups that the rule uses by name.
    var hasNamedGroups: Bool

    init(_ subject: String, _ kind: Kind, isNegated: Bool = false, hasNamedGroups: Bool = false) {
        self.subject = subject
        self.kind = kind
        self.isNegated = isNegated
        self.hasNamedGroups = hasNamedGroups
    }

    /// The test that holds where this one does not.
    var opposite: Self {
        var other = self
        other.isNegated.toggle()
        return other
    }

    /// True if it looks for a file instead of reading a value.
    var isOfFiles: Bool {
        switch kind {
        case .file, .directory, .fileOrDirectory: true
        case .matches, .equals, .isTrue: false
        }
    }

    /// The expression on the path, if it is such a test.
    var pathExpression: String? {
        if case .matches(let text, _) = kind, subject == "$uri" { text } else { nil }
    }

    /// The variable with a header of a request.
    static func header(_ name: some StringProtocol) -> String {
        "$http_\(name.lowercased().replacing("-", with: "_"))"
    }

    /// The groups that hold where not all of these do; nil for none, and for several with alternatives.
    static func opposite(of groups: [[Self]]) -> [[Self]]? {
        if groups.count == 1 { return groups[0].map { [$0.opposite] } }
        guard !groups.isEmpty, groups.allSatisfy({ $0.count == 1 }) else { return nil }
        return [groups.map { $0[0].opposite }]
    }
}
