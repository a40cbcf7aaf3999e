import ShuntRules

/// The requirements for a request that is searched for: the values it needs.
struct RequestDraft {
    /// The tests that the values have to pass.
    var tests: [SourceTest] = []
    /// The tests of the rules on the way that were thought of.
    var way: [RuleModel.Guard] = []
    /// The server it is for; nil for a URL that the URL phase sees.
    var server: RuleModel.Server?
    /// Variables whose tests could not be turned into tests of the request.
    var unsolved: [String] = []
    /// True if files have to be there.
    var needsFiles = false
    /// True if these are directories.
    var needsDirectories = false
    /// Paths that exist, whatever rules look for.
    var files: [String] = []
    /// Rules on the way that are let through.
    var accepted: Set<RuleModel.Step> = []
    /// The number of skipped subjects.
    var skipped = 0

    func adding(_ source: RequestSource, _ test: ValueTest) -> RequestDraft {
        var draft = self
        draft.tests.append(SourceTest(source: source, test: test))
        return draft
    }

    func tests(of source: RequestSource) -> [ValueTest] { tests.filter { $0.source == source }.map(\.test) }
}
