import Foundation
import Shunt
import ShuntCore
import ShuntTools
import Testing

/// The gate in a program that embeds the engine, as the documents show it.
@Suite struct EmbeddedGateTests {
    /// A store with a gate that has seen requests.
    private static func opened(_ rules: String, asked requests: [RuleRequest]) async throws
        -> (MemorySource, RuleStore, ChangeGate)
    {
        let source = MemorySource(RuleArchive(["a.conf": rules]))
        let sample = RequestSample(capacity: 10_000)
        var gateOptions = ChangeGate.Options()
        gateOptions.maximumChanged = ChangeLimit("1%")
        let gate = ChangeGate(gateOptions, sample: { sample.requests })
        var options = RuleStore.Options()
        gate.guard(&options)
        let store = try await RuleStore.open(source, options: options)
        let reads = RequestReads([store.snapshot.ruleSet])
        for request in requests { sample.note(request, reads: reads, at: Timestamp.now().seconds) }
        return (source, store, gate)
    }

    @Test("A store whose rules change too much keeps those that it has, until the new ones are approved")
    func holds() async throws {
        let requests = (0..<200).map { RuleRequest(url: "https://b.test/\($0)") }
        let (source, store, gate) = try await Self.opened("block host a.test;", asked: requests)
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

    @Test("Requests of several clients that look the same are one example")
    func distinctExamples() async throws {
        let forOneClient = "if ($remote_addr = 192.0.2.9) { block host c.test; }"
        let requests = (0..<200)
            .map { number in
                var request = RuleRequest(url: "https://b.test/\(number % 2)")
                request.remoteAddress = "10.0.0.\(number)"
                return request
            }
        let (source, store, gate) = try await Self.opened(forOneClient, asked: requests)
        source.replace(with: RuleArchive(["a.conf": "\(forOneClient) block host b.test;"]))
        await store.reload()
        let report = try #require(gate.held)
        #expect(report.groups.map(\.requests.count) == [200])
        let text = String(decoding: report.object.line, as: UTF8.self)
        for number in 0..<2 {
            #expect(text.components(separatedBy: "\"https://b.test/\(number)\"").count == 2, "\(text)")
        }
    }
}
