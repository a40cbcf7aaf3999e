import Testing

@testable import ShuntRules

@Suite struct IncludePatternTests {
    @Test(
        arguments: [
            ("a.conf", "*.conf", true), ("a.conf", "*", true), (".a", "*", false), (".a", ".*", true), ("a", "?", true),
            ("ab", "?", false), ("", "*", true), ("a", "a*", true), ("abc", "a*c", true), ("abcd", "a*c", false),
            ("b", "[abc]", true), ("d", "[abc]", false), ("d", "[!abc]", true), ("d", "[^abc]", true),
            ("b", "[a-c]", true),
            ("d", "[a-c]", false), ("-", "[a-]", true), ("]", "[]]", true), ("[", "[", true), ("[a", "[a", true),
            ("*", "\\*", true), ("a", "\\*", false), ("10-x.conf", "[0-9]*-*.conf", true), (".a", "?a", false),
            (".a", "[.]a", false), ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "*a*a*a*a*a*a*a*a*a*a*b", false),
        ] as [(String, String, Bool)]
    )
    func matchesNames(name: String, pattern: String, expected: Bool) {
        #expect(IncludePattern.matches(Array(name.utf8), Array(pattern.utf8)) == expected)
    }
}
