import SeededRandom
import ShuntCore
import Testing

@Suite("Did you mean")
struct SuggestionTests {
    private let names = [
        "rewrite", "return", "server", "server_name", "set", "if", "Location", "location", "map", "$app_version",
    ]

    @Test(
        "Closest name",
        arguments: [
            ("rewriet", "rewrite"), ("rewrit", "rewrite"), ("rwrite", "rewrite"), ("retrun", "return"),
            ("servername", "server_name"),
            ("serve", "server"), ("LOCATION", "Location"), ("Locaton", "Location"), ("locaton", "location"),
            ("REWRITE", "rewrite"),
            ("fi", "if"), ("mpa", "map"), ("$app_versoin", "$app_version"), ("sett", "set"), ("xyzzy", nil), ("", nil),
            ("x", nil),
            ("proxy_pass", nil), ("redirect", nil), ("rewrite", nil),
        ] as [(String, String?)]
    )
    func closest(name: String, expected: String?) {
        #expect(Suggestion.closest(to: name, among: names) == expected)
        #expect(Suggestion.closest(to: name, among: names.reversed()) == expected)
    }

    @Test("The result does not depend on the order of equal candidates")
    func ties() {
        #expect(Suggestion.closest(to: "abx", among: ["aby", "abz"]) == "aby")
        #expect(Suggestion.closest(to: "abx", among: ["abz", "aby"]) == "aby")
        #expect(Suggestion.closest(to: "abx", among: ["abY", "abX"]) == "abX")
    }

    @Test("What is passed over unseen is never the closest")
    func passedOver() {
        var random = SeededGenerator(seed: 1)
        var found = 0
        for _ in 0..<2000 {
            let letters = Array("abcdEFGH!".utf8)
            let name = String(decoding: random.bytes(letters, 3 + random.below(8)), as: UTF8.self)
            let other = String(decoding: random.bytes(letters, 3 + random.below(8)), as: UTF8.self)
            let distance = Suggestion.distance(Array(name.utf8), Array(other.utf8))
            let isNear = distance <= min(3, max(1, name.utf8.count / 3))
            guard isNear, name.lowercased() != other.lowercased() else { continue }
            found += 1
            let folded = Suggestion.distance(Array(name.lowercased().utf8), Array(other.lowercased().utf8))
            #expect(folded <= distance)
            #expect(Suggestion.closest(to: name, among: [other]) == other, "\(name), \(other)")
        }
        #expect(found > 20)
    }

    @Test("Names beyond the limit are not compared")
    func limit() {
        let name = String(repeating: "a", count: Suggestion.maximumLength)
        #expect(Suggestion.closest(to: name, among: [name.dropLast() + "b"]) != nil)
        #expect(Suggestion.closest(to: name + "a", among: [name]) == nil)
        #expect(Suggestion.closest(to: name, among: [name + "a"]) == nil)
    }

    @Test(
        "Distance",
        arguments: [
            ("", "", 0), ("a", "", 1), ("", "ab", 2), ("ab", "ba", 1), ("abc", "ca", 3), ("kitten", "sitting", 3),
            ("abcd", "acbd", 1),
        ]
    )
    func distance(left: String, right: String, expected: Int) {
        #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == expected)
        #expect(Suggestion.distance(Array(right.utf8), Array(left.utf8)) == expected)
    }
}
