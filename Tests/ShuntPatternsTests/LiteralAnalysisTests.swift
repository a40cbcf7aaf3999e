import SeededRandom
import Testing

@testable import ShuntPatterns

@Suite struct LiteralAnalysisTests {
    /// The literals of a pattern, in a form to compare: `^` prefixes, `$` suffixes, `~` required lists.
    static func describe(_ pattern: String, caseless: Bool = false) throws -> String {
        let analysis = LiteralAnalysis(try RegularExpression([UInt8](pattern), caseless: caseless))
        if let reason = analysis.reason { return reason }
        return analysis.branches
            .map { branch in
                var parts: [String] = []
                if let list = branch.prefixes { parts.append("^" + list.map(\.text).joined(separator: ",")) }
                if let list = branch.suffixes { parts.append("$" + list.map(\.text).joined(separator: ",")) }
                for list in branch.required { parts.append("~" + list.map(\.text).joined(separator: ",")) }
                return parts.joined(separator: " ")
            }
            .joined(separator: " | ")
    }

    @Test(arguments: [
        ("^/old/section-17/(.*)$", "^/old/section-17/"),
        ("^/OLD/", "^/old/"),
        ("^/a$", "^/a $/a"),
        ("^/a/(\\d{4})/b\\.html?$", "^/a/ $/b.htm,/b.html"),
        ("^/(en|de|fr)/x", "^/de/x,/en/x,/fr/x"),
        (
            "^https?://(?:www\\.)?a\\.example/",
            "^http://a.example/,http://www.a.example/,https://a.example/,https://www.a.example/"
        ),
        ("/item[12]\\.php$", "$/item1.php,/item2.php"),
        ("wp-admin", "~wp-admin"),
        ("(?i)WP-Admin", "~wp-admin"),
        ("\\.(?:php|jsp)$", "$.jsp,.php"),
        ("[?&]id=(\\d+)", "~?id=,&id="),
        ("^/a(/|$)", "^/a"),
        ("(^|/)foo", "~foo,/foo"),
        ("^/a|b$|cc", "^/a | $b | ~cc"),
        ("^(?:/a|/b)$", "^/a,/b $/a,/b"),
        ("^/ab?c", "^/abc,/ac"),
        ("^/(?:ab){2}", "^/abab"),
        ("^/(?:ab){9}$", "^/abababab $abababab"),
        ("^/(?:ab)+c", "^/ab ~ab ~abc"),
        ("^/a{0}b", "^/b"),
        ("^/a.*b.*/c$", "^/a $/c"),
        ("^/a.*bcd.*/c$", "^/a $/c ~bcd"),
        ("^/foo(?!bar)baz", "^/foobaz"),
        ("^/foo(?=b)", "^/foo"),
        ("^/\\x41\\tb", "^/a\tb"),
        ("(a|b)\\1xyz", "~xyz"),
        ("^\\^\\$$", "^^$ $^$"),
        ("^/(?#comment)a", "^/a"),
        ("^/(?<name>a)b", "^/ab"),
        ("a{b}", "~a{b}"),
        ("^/[[:digit:]]/ab", "^/ ~/ab"),
        ("(?:foo|bar.*)x", "~foo,bar"),
        ("^.{3}abc", "~abc"),
        ("\\bfoo\\b", "~foo"),
        ("foo\\z", "$foo"),
        ("\\Afoo\\Z", "^foo $foo"),
        ("^/a\\Kb", "^/ab"),
        ("x?^/ab", "~x/ab,/ab"),
        ("ab$c", "~abc"),
    ]) func finds(_ pattern: String, _ expected: String) throws {
        #expect(Self.sorted(try Self.describe(pattern)) == Self.sorted(expected))
    }

    /// The same with the strings of each list in order.
    static func sorted(_ description: String) -> String {
        description.split(separator: " ")
            .map { part in
                String(part.prefix(1)) + part.dropFirst().split(separator: ",").sorted().joined(separator: ",")
            }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("", "no fixed text in every match"),
        ("^/(.*)$", "no fixed text but \"/\" at the start"),
        ("/$", "no fixed text but \"/\" at the end"),
        ("^(.*)$", "no fixed text in every match"),
        ("[a-z]+", "no fixed text in every match"),
        ("foo|.*", "no fixed text in every match"),
        ("a", "no fixed text in every match"),
        ("(?x) foo", "\"(?x\" at offset 0 is not followed by the index"),
        ("foo(?m)^", "\"(?m\" at offset 3 is not followed by the index"),
        ("(*UTF)foo", "\"(*UTF)fo\" at offset 0 is not followed by the index"),
        ("foo(?1)(a)", "\"(?1\" at offset 3 is not followed by the index"),
        ("foo(a)?(?(1)b|c)", "\"(?(\" at offset 7 is not followed by the index"),
        ("\\Qfoo\\E", "\"\\Q\" at offset 0 is not followed by the index"),
        ("(?|foo|bar)", "\"(?|\" at offset 0 is not followed by the index"),
        ("foo\\x{61}", "\"\\x\" at offset 3 is not followed by the index"),
        ("foo\\010", "\"\\0\" at offset 3 is not followed by the index"),
        ("(?<n>a)\\k<n>foo", "\"\\k\" at offset 7 is not followed by the index"),
    ]) func findsNothing(_ pattern: String, _ reason: String) throws {
        #expect(try Self.describe(pattern) == reason)
    }

    /// A subject that PCRE2 matches has the literals of some branch by the analysis.
    @Test(arguments: 1...4) func holdsForEveryMatch(seed: UInt64) {
        var generator = PatternGenerator(seed: 300 + seed)
        let scratch = MatchScratch()
        var checked = 0
        generator.exoticPercent = 6
        for _ in 0..<800 {
            let text = generator.random.chance(80) ? generator.expression() : generator.rule()
            let caseless = generator.random.chance(20)
            guard let expression = try? RegularExpression([UInt8](text), caseless: caseless, engine: .pcre2) else {
                continue
            }
            let analysis = LiteralAnalysis(expression)
            guard analysis.reason == nil else { continue }
            for _ in 0..<50 {
                let subject = generator.random.chance(85) ? generator.text() : generator.subject()
                guard expression.match(subject.span, scratch: scratch) == .matched else { continue }
                checked += 1
                let folded = subject.map(\.folded)
                guard analysis.branches.contains(where: { Self.holds($0, folded) }) else {
                    Issue.record("\(text.debugDescription) matches \(subject.text.debugDescription)")
                    return
                }
            }
        }
        #expect(checked > 100)
    }

    static func holds(_ branch: LiteralAnalysis.Branch, _ subject: [UInt8]) -> Bool {
        if let prefixes = branch.prefixes, !prefixes.contains(where: { subject.starts(with: $0) }) { return false }
        if let suffixes = branch.suffixes {
            let shorter = subject.last == UInt8(ascii: "\n") ? subject.dropLast().asArray : subject
            let ends = [subject, shorter]
            let fits = suffixes.contains { suffix in ends.contains { $0.reversed().starts(with: suffix.reversed()) } }
            if !fits { return false }
        }
        return branch.required.allSatisfy { list in list.contains { subject.text(contains: $0) } }
    }
}

extension [UInt8] {
    func text(contains part: [UInt8]) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { self[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
