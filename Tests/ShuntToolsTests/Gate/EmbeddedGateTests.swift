import Shunt
import ShuntTools
import Testing

/// The gate in a program that embeds the engine, as the documents show it.
@Suite struct EmbeddedGateTests {
    @Test("A store whose rules change too much keeps those that it has, until the new ones are approved")
    func holds() async throws {
        let source = MemorySource(RuleArchive(["a.conf": "block host a.test;"]))
        let sample = RequestSample(capacity: 10_000)
        var gateOptions = ChangeGate.Options()
        gateOptions.maximumChanged = ChangeLimit("1%")
        let gate = ChangeGate(gateOptions, sample: { sample.requests })
        var options = RuleStore.Options()
        gate.guard(&options)
        let store = try await RuleStore.open(source, options: options)
        let reads = RequestReads([store.snapshot.ruleSet])
        for number in 0..<200 {
            let request = RuleRequest(url: "https://b.test/\(number)")
            sample.note(request, reads: reads, at: Timestamp.now().seconds)
        }

        source.replace(with: RuleArchive(["a.conf": "block host a.test b.test;"]))
        let held = await store.reload()
        #expect(held.failure?.reason == .held)
        #expect(store.snapshot.version == 1)
        let report = try #require(gate.held)
        #expect(report.changed == 200)
        #expect(report.groups.map(\.to) == ["block 403"])

        #expect(gate.approve(report.contentHash))
        #expect(await store.reload().failure == nil)
        #expect(store.snapshot.version == 2)
        #expect(gate.held == nil)
        #expect(!gate.approve(report.contentHash))
    }
}
