import ShuntPatterns
import Testing

/// The languages and sizes of single expressions, and refused ones.
@Suite struct AutomatonTests {
    @Test(arguments: [
        // Each with what it accepts and what it does not, between bars.
        ("abc", "abc|xabcx|abc\n", "|ab|ABC"),
        ("(?i)^/A$", "/a|/A|/a\n", "/b|/a\n\n|x/a"),
        ("^/a$", "/a|/a\n", "/a\n\n|/ab|"),
        ("^/a\\z", "/a", "/a\n|/ab"),
        ("a.c", "abc|axc", "a\nc|ac"),
        ("(?s)a.c", "a\nc", "ac"),
        ("^(?!www\\.)[a-z.]+$", "example.com|ww.x", "www.x|www.|"),
        ("^/(?!www\\.)x", "/x|/xyz", "/www.x|/"),
        ("(?<!a)b", "b|cb|abb", "ab|aab|"),
        ("(?<=^|/)x", "x|a/x|/x/", "ax|a"),
        ("\\bcat\\b", "cat|a cat.|cat\n", "concat|cats|_cat"),
        ("\\Bcat", "concat", "cat|a cat"),
        ("^(?:(?=ab)a|(?!b)b|c)*$", "|c|cc", "a|b|ab"),
        ("^(?:a(?=.*c)|[bc])*$", "abc|aac|bbc|b", "a|ab|ca"),
        ("^a{2,3}b{0}c?$", "aa|aaac", "a|aab|aaaa"),
        ("a\\Kb", "ab|xab", "b|a"),
        ("[[:^alpha:]]x", "1x|.x", "ax|Zx"),
        ("^(?=.*\\d)(?=.*[a-z])(?!.*\\s).{3,}$", "a1b|1aa", "ab|abc|a 1b|123"),
        ("^$", "|\n", "a|\n\n"),
        ("(?<=\\bfoo)bar", "foobar|a foobar", "xfoobar|bar"),
    ])
    func acceptsWhatPCRE2Matches(_ pattern: String, accepted: String, refused: String) throws {
        let automaton = try automaton(pattern)
        for subject in accepted.split(separator: "|", omittingEmptySubsequences: false) {
            #expect(automaton.accepts(subject.utf8), "\(subject.debugDescription)")
        }
        for subject in refused.split(separator: "|", omittingEmptySubsequences: false) {
            #expect(!automaton.accepts(subject.utf8), "\(subject.debugDescription)")
        }
    }

    @Test(
        "Atomic and possessive parts with the same meaning without",
        arguments: [
            ("a++b", "a+b"), ("[^/]*+/", "[^/]*/"), ("(?>a|ab)c", "ac"), ("(?>a|b)*+c", "[ab]*c"),
            ("(?>a{0}a)a", "aa"), ("(?>(?:ab)*)abc", "(?!)"), ("^(?>(?:ab)*?)c", "^c"), ("(?>ab|a)b?c", "ab?c|abbc"),
            ("^(?>a?b|a)a", "^(?:a?b|a(?!b))a"),
            ("^(?:ab?){2}+b", "^(?:a(?:b|(?!b))){2}b"), ("^(?>a{1,3}b|a)c", "^(?:a{1,3}b|a(?!a{0,2}b))c"),
        ]
    )
    func readsAtomicParts(_ pattern: String, same: String) throws {
        #expect(try language(pattern).isEqual(to: language(same)))
    }

    @Test func possessiveRepetitionCanMatchNothing() throws {
        #expect(try automaton("a++a").isEmpty)
        #expect(try automaton("\\d*+[0-5]x").isEmpty)
        #expect(try automaton("^(?>a|ab)c$").accepts("ac".utf8))
        #expect(try !automaton("^(?>a|ab)c$").accepts("abc".utf8))
    }

    @Test func knowsWhatIsAlwaysAndNeverTrue() throws {
        #expect(try automaton("").isUniversal)
        #expect(try automaton("a*").isUniversal)
        #expect(try automaton("(?s).|^\\z").isUniversal)
        #expect(try automaton("a\\Ab").isEmpty)
        #expect(try automaton("$a").isEmpty)
        #expect(try automaton("\\z.").isEmpty)
        #expect(try automaton("(?=a)b").isEmpty)
        #expect(try automaton("a\\bb").isEmpty)
        #expect(try !automaton("(?s)$.").isEmpty)
        #expect(Automaton.nothing.isEmpty && !Automaton.nothing.isUniversal)
        #expect(Automaton.everything.isUniversal && Automaton.everything.accepts([]))
    }

    @Test(arguments: [
        ("^(\\w+)/\\1$", "\"\\1\" is a backreference"),
        ("(a|b(?R))", "\"(?R\" at offset 4 is not read as an automaton"),
        ("(?(?=a)a|b)", "is not read as an automaton"),
        ("(*UTF)a", "is not read as an automaton"),
        ("(?x) a", "is not read as an automaton"),
        ("a\\R", "\"\\R\" depends on how PCRE2 was built"),
        ("(?>(?:a|ab)*c)d", "an atomic or possessive part that may lose matches"),
        ("(?=(?:b|a){0})", "PCRE2's search may miss matches of it"),
        ("(?:|^a){0}b", "PCRE2's search may miss matches of it"),
        ("ab*(?:c)?+b", "an atomic part that may be empty, in front of which PCRE2 may miss matches"),
        ("ab*(?>|c)b", "an atomic part that may be empty, in front of which PCRE2 may miss matches"),
        ("(?<=a$)b", "a lookbehind that looks ahead"),
        ("(?<=a(?=b))b", "a lookbehind that looks ahead"),
        ("^(a|b)*a(a|b){18}$", "more than 10,000 states"),
        ("(?:a{60}b{60}){300}", "more than 20,000 nodes"), ("^(a|b)*a(a|b){18}$", "more than 10,000 states"),
    ])
    func refusesWithAReason(_ pattern: String, reason: String) throws {
        let refusal = try #require(try refusal(pattern))
        #expect(refusal.description.hasSuffix(reason), "\(refusal)")
    }

    /// The classic of exponential growth: judged as long as it is small enough.
    @Test func countsStates() throws {
        #expect(try automaton("^(a|b)*a(a|b){12}$").stateCount > 8192)
        #expect(try automaton("^a{3}\\z").stateCount == 4)
        #expect(try automaton("^a{3}\\z").letterCount == 2)
        #expect(try automaton("abc").stateCount == 3)
    }

    @Test(arguments: [
        "", "a", "^/(?!x)[a-z]+$", "\\bx\\b", "(?<=a)b", "^(?>a|ab)c", "^(a|b)*a(a|b){3}$", "(?:a(?!.*b)|c)+$",
        "\\1(a)", "[",
    ])
    func limitsOfOneRefuseOrAnswer(_ pattern: String) throws {
        guard let expression = try? expression(pattern), let whole = try? Automaton(expression) else { return }
        for limits in [
            AutomatonLimits(nodes: 1), AutomatonLimits(states: 1), AutomatonLimits(steps: 1),
            AutomatonLimits(nodes: 0, states: -1, steps: 0),
        ] {
            guard let small = try? Automaton(expression, limits: limits) else { continue }
            #expect(try Language.automaton(small).isEqual(to: .automaton(whole)))
        }
    }

    /// States, letters and subjects come in one order, whatever Swift's hashes are in this process.
    @Test func comesOutTheSameEachTime() throws {
        for pattern in [
            "^/(?!www\\.|x(?=y))[a-z.]+(?:\\b|-)?$", "(?<=a|b)(?:c|d(?!e))+", "^(?i)item-\\d{3,5}(?:\\.html)?$",
        ] {
            let first = try automaton(pattern)
            let second = try automaton(pattern)
            #expect(String(describing: first) == String(describing: second))
        }
        let subjects = try automaton("^/(?!b)[a-c]{1,2}(?=c|$)").subjects(atMost: 8).map(\.text)
        #expect(subjects == ["/a", "/c", "/aa", "/ab", "/ac", "/a\n", "/ca", "/cb"])
    }
}
