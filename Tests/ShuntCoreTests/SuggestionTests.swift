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

    @Test("A name with few changes is found, wherever they are")
    func changed() {
        var random = SeededGenerator(seed: 1)
        let letters = Array("abcdEFGH!09_".utf8)
        var compared = 0
        for _ in 0..<2000 {
            let name = random.bytes(letters, 1 + random.below(12))
            let most = min(3, max(1, name.count / 3))
            var other = name
            for _ in 0..<most {
                let place = random.below(other.count)
                switch random.below(4) {
                case 0: other.insert(random.pick(letters), at: place)
                case 1 where other.count > 1: other.remove(at: place)
                case 2: other.swapAt(place, max(0, place - 1))
                default: other[place] = random.pick(letters)
                }
            }
            guard name != other, Suggestion.distance(name, other) <= most else { continue }
            compared += 1
            let (wanted, candidate) = (String(decoding: name, as: UTF8.self), String(decoding: other, as: UTF8.self))
            #expect(Suggestion.closest(to: wanted, among: [candidate]) == candidate, "\(wanted), \(candidate)")
        }
        #expect(compared > 1000)
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
