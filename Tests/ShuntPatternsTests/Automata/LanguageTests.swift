import ShuntPatterns
import Testing

/// Questions about several automata: what is proved, and which subject is found.
@Suite struct LanguageTests {
    @Test(arguments: [
        ("^/a", "^/a/b", "/a"), ("^/[a-z]+$", "^/[a-y]+$", "/z"), ("^/a$", "^/a\\z", "/a\n"),
        ("(?i)^/a$", "^/a$", "/A"), ("^/item-\\d{3}", "^/item-0", "/item-100"), ("a|b", "a", "b"),
        ("^/3.6/x", "^/3\\.6/x", "/3a6/x"), ("^/a", "^/(?!a)", "/a"), ("\\bx", "^x", "-x"),
    ])
    func findsTheShortestSubjectOfADifference(_ all: String, _ part: String, _ subject: String) throws {
        let difference = try language(all).subtracting(language(part))
        #expect(try difference.shortestSubject()?.text == subject)
        #expect(difference.contains(Array(subject.utf8)))
        #expect(try !language(all).isSubset(of: language(part)))
    }

    @Test(arguments: [
        ("^/a/b", "^/a"), ("^/a$", "(?i)^/[aA]$"), ("^/\\d+$", "^/\\w+$"), ("^/(a|b)$", "^/[ab]$"), ("xay", "a"),
        ("^https?://www\\.a\\.com/", "a\\.com"), ("^(?=.*a)(?=.*b)", "a"), ("(?<=/)x", "/x"), ("\\bcat\\b", "cat"),
        ("^a{3,5}\\z", "^a+$"), ("(?!)", "x"),
    ])
    func provesInclusion(_ part: String, _ all: String) throws {
        #expect(try language(part).isSubset(of: language(all)))
    }

    @Test(arguments: [
        ("(?i)^/A$", "^/[aA]$"), ("a+", "a"), ("^(?:a|b)*\\z", "^[ab]*\\z"), ("^(?!a)", "^(?:[^a]|\\z)"),
        ("(?<!x)y", "^y|[^x]y"), ("\\bx", "^x|[^x\\w]x|\\Wx"), ("^a$", "^a(?:\\n?\\z)"), ("x(?!.*y)", "x(?!.*y)(?=)"),
        ("^(?:(?!ab).)*\\z", "^(?!.*ab).*\\z"),
    ])
    func provesEquality(_ left: String, _ right: String) throws {
        #expect(try language(left).isEqual(to: language(right)))
        #expect(try language(left).symmetricDifference(language(right)).shortestSubject() == nil)
    }

    @Test func tellsNearlyEqualOnesApart() throws {
        #expect(try !language("(?i)^/A$").isEqual(to: language("^/a$")))
        #expect(try !language("^/a$").isEqual(to: language("^/a\\z")))
        #expect(try !language("^/a.b").isEqual(to: language("^/a\\.b")))
    }

    /// Several together cover what none of them does.
    @Test func provesThatSeveralCoverOne() throws {
        let rule = try language("^/[a-c]$")
        let covers = try Language.union(["^/a", "^/[bc]\\z", "\n"].map(language))
        #expect(try rule.isSubset(of: covers))
        let fewer = try Language.union(["^/a", "^/[bc]\\z"].map(language))
        #expect(try rule.subtracting(fewer).shortestSubject()?.text == "/b\n")
    }

    /// An automaton of the whole accepts what the question holds.
    @Test func makesOneAutomaton() throws {
        let whole = try Language.intersection([
            language("^/[a-z]+$"), .complement(language("x")), .union([language("^/a"), language("b\\z")]),
        ])
        let automaton = try whole.automaton()
        for subject in ["/a", "/ab", "/axb", "/b", "/ba", "/cb", "/cb\n", "", "/a\n", "/x"] {
            #expect(automaton.accepts(subject.utf8) == whole.contains(Array(subject.utf8)), "\(subject)")
        }
        #expect(try Language.automaton(automaton).isEqual(to: whole))
        #expect(automaton.shortestSubject()?.text == "/a")
        #expect(try Language.intersection([]).automaton().isUniversal)
        #expect(try Language.union([]).automaton().isEmpty)
        #expect(try Language.complement(.automaton(.nothing)).automaton().isUniversal)
    }

    @Test func stopsAtTheLimits() throws {
        let many = try Language.intersection(["(a|b)*a(a|b){9}$", "(b|c)*b(b|c){9}$", "^[abc]*$"].map(language))
        #expect(throws: AutomatonRefusal.states(100)) { try many.automaton(limits: AutomatonLimits(states: 100)) }
        #expect(throws: AutomatonRefusal.steps(1000)) { try many.automaton(limits: AutomatonLimits(steps: 1000)) }
        let question = try Language.intersection([language("a"), language("b")])
        for limits in [AutomatonLimits(states: 1), AutomatonLimits(steps: 1)] {
            #expect(throws: AutomatonRefusal.self) { try question.shortestSubject(limits: limits) }
        }
    }

    /// The example of the library's documentation.
    @Test func documentedExample() throws {
        let old = try language("^/item-\\d+$")
        let new = try language("^/item-[0-9]{1,5}\\z")
        let paths = Language.automaton(try SubjectDomain.path(mergesSlashes: true).automaton())
        #expect(try new.isSubset(of: old))
        let subject = try Language.intersection([old.subtracting(new), paths]).shortestSubject()
        #expect(subject?.text == "/item-0\n")
    }

    @Test func listsSubjectsShortestFirst() throws {
        let subjects = try automaton("^/(?:item|x)-\\d?[a-b]{0,2}\\z").subjects(atMost: 6).map(\.text)
        #expect(subjects == ["/x-", "/x-a", "/x-0", "/x-aa", "/x-0a", "/item-"])
        #expect(try automaton("^a{0,2}\\z").subjects(atMost: 10).map(\.text) == ["", "a", "aa"])
        #expect(try automaton("^a*\\z").subjects(atMost: 10, length: 3).map(\.text) == ["", "a", "aa", "aaa"])
        #expect(try automaton("^a*\\z").subjects(atMost: 0).isEmpty)
        #expect(Automaton.nothing.subjects(atMost: 3).isEmpty)
    }
}
