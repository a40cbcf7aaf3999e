import Shunt
import ShuntTools
import Testing

/// The sample of recent requests.
@Suite struct RequestSampleTests {
    private static let reads = RequestReads([])

    private static func request(_ number: Int) -> RuleRequest { RuleRequest(url: "http://a.test/\(number)") }

    @Test("Every request of a span is kept with the same chance, and no more than fit")
    func isFair() {
        var low = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            let sample = RequestSample(capacity: 200, seed: seed)
            for number in 0..<10_000 { sample.note(Self.request(number), reads: Self.reads, at: 1_000) }
            let kept = sample.requests.map(\.request.url)
            #expect(kept.count == 100)
            #expect(Set(kept).count == 100)
            low += kept.filter { (Int($0.dropFirst("http://a.test/".count)) ?? 0) < 5_000 }.count
        }
        // 1,000 of 2,000 are to be expected, with a deviation of 22.
        #expect((890...1110).contains(low))
    }

    @Test("Requests of the last span and of the one before are kept, older ones are not")
    func forgets() {
        let sample = RequestSample(capacity: 10, seed: 7)
        func kept() -> [String] { sample.requests.map { String($0.request.url.dropFirst("http://a.test/".count)) } }
        sample.note(Self.request(1), reads: Self.reads, at: 1_000)
        sample.note(Self.request(2), reads: Self.reads, at: 1_299)
        #expect(kept() == ["1", "2"])
        sample.note(Self.request(3), reads: Self.reads, at: 1_301)
        #expect(kept() == ["1", "2", "3"])
        sample.note(Self.request(4), reads: Self.reads, at: 1_602)
        #expect(kept() == ["3", "4"])
        sample.note(Self.request(5), reads: Self.reads, at: 9_000)
        #expect(kept() == ["5"])
        // A clock that was set back begins again.
        sample.note(Self.request(6), reads: Self.reads, at: 500)
        #expect(kept() == ["6"])
    }

    @Test(
        "Only the headers that the rules read are kept of a long request, and no request that is too long even so"
    )
    func isBounded() throws {
        let rules = try RuleArchive(["a.conf": "server { location / { if ($http_x_plan = gold) { return 204; } } }"])
            .compile()
        let sample = RequestSample(capacity: 10, seed: 7)
        var request = Self.request(1)
        request.headers = [
            RuleRequest.Header("X-Plan", "gold"), RuleRequest.Header("X-Long", String(repeating: "x", count: 2_000)),
        ]
        sample.note(request, reads: RequestReads([rules]), at: 1)
        #expect(sample.requests.map { $0.request.headers.map(\.name) } == [["X-Plan"]])
        request.headers = [RuleRequest.Header("X-Plan", String(repeating: "x", count: 2_000))]
        sample.note(request, reads: RequestReads([rules]), at: 1)
        #expect(sample.requests.count == 1)
        request.headers = [RuleRequest.Header("X-Other", "short")]
        sample.note(request, reads: RequestReads([rules]), at: 1)
        #expect(sample.requests.last?.request.headers.map(\.name) == ["X-Other"])
    }
}
