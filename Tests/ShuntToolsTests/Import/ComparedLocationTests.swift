import ShuntCore
import Testing

@testable import ShuntTools

@Suite("Locations of two servers, compared")
struct ComparedLocationTests {
    private static let url = "http://EXAMPLE.com:8080/a"

    private func isSame(_ one: String, _ other: String) -> Bool {
        let (here, there) = (Array(one.utf8), Array(other.utf8))
        return AnswerComparison.Location(here, from: Array(Self.url.utf8))
            .isSame(as: AnswerComparison.Location(there, from: Array(Self.url.utf8)))
    }

    @Test(
        "The same URLs",
        arguments: [
            ("https://x.example/a", "https://X.example:443/a"), ("http://x.example", "http://x.example:80/"),
            ("http://x.example/%61%c3%a9", "http://x.example/aé"), ("http://x.example/a%20b", "http://x.example/a b"),
            ("/b", "http://example.com:8080/b"), ("http://example.com/b", "/b"), ("mailto:%61", "mailto:a"),
        ]
    )
    func same(_ one: String, _ other: String) { #expect(isSame(one, other)) }

    @Test(
        "Different URLs",
        arguments: [
            ("https://x.example/caf%C3%A9", "https://x.example/caf%25C3%25A9"),
            ("https://x.example/a#top", "https://x.example/a%23top"),
            ("https://x.example/?next=%2Fa%26b", "https://x.example/?next=/a&b"),
            ("https://x.example/a%2Fb", "https://x.example/a/b"), ("http://x.example/", "https://x.example/"),
            ("http://x.example/", "http://x.example:8080/"), ("/b", "http://other.example/b"),
        ]
    )
    func different(_ one: String, _ other: String) { #expect(!isSame(one, other)) }

    @Test("A query that Apache escaped once more is the same, and a path is not")
    func twice() {
        let answer = AnswerComparison.Location(Array("/a%2520b?q=%2520".utf8), from: Array(Self.url.utf8))
        let same = AnswerComparison.Location(Array("/a%2520b?q=%20".utf8), from: Array(Self.url.utf8))
        let different = AnswerComparison.Location(Array("/a%20b?q=%20".utf8), from: Array(Self.url.utf8))
        #expect(same.isSame(as: answer.withQueryDecoded) && !different.isSame(as: answer.withQueryDecoded))
    }
}
