import Foundation
import Shunt
import TestSettings
import Testing

/// Input that no author would write, a bounded number of times: damaged rule text, URLs, requests and lists.
///
/// `SHUNT_RANDOM_INPUTS` makes a run longer, `SHUNT_RANDOM_SEED` repeats one.
@Suite struct RandomInputTests {
    static let count = TestSettings.randomInputs
    static let seed = TestSettings.randomSeed.map { UInt64(clamping: $0) } ?? UInt64.random(in: 1...UInt64(UInt32.max))

    @Test func rules() {
        var random = InputMutator(seed: Self.seed)
        for number in 0..<Self.count {
            let text = random.mutated(RandomInputs.rules)
            var fileSystem = InMemoryFileSystem()
            fileSystem.set("/rules/a.conf", .file(text))
            fileSystem.set("/rules/list.txt", .file(Array("ads.test\n".utf8)))
            do throws(RuleSetError) {
                let engine = Engine(try RuleSet(path: "/rules", from: fileSystem))
                for url in RandomInputs.urls {
                    let request = RuleRequest(url: Array(url.utf8))
                    let decision = engine.decide(request)
                    let explained = engine.explain(request).decision
                    #expect(decision.kind == explained.kind, "seed \(Self.seed), input \(number)")
                }
            } catch {
                #expect(error.diagnostics.contains { $0.severity == .error }, "seed \(Self.seed), input \(number)")
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test func urlsAndRequests() throws {
        let ruleSet = try RuleSet(text: RandomInputs.rules.joined(separator: "\n"))
        let indexed = Engine(ruleSet)
        var options = Engine.Options()
        options.isLinear = true
        let linear = Engine(ruleSet, options: options)
        var random = InputMutator(seed: Self.seed &+ 1)
        for number in 0..<Self.count * 10 {
            var request = RuleRequest(url: random.mutated(RandomInputs.urls))
            if number % 2 == 0 {
                request = RuleRequest(
                    target: random.mutated(RandomInputs.targets),
                    host: random.mutated(RandomInputs.hosts)
                )
                request.headers = [
                    RuleRequest.Header(name: Array("X-A".utf8), value: random.mutated(RandomInputs.targets))
                ]
            }
            let decision = indexed.decide(request)
            let reference = linear.decide(request)
            let place = "seed \(Self.seed), input \(number): \(request.subject)"
            #expect(decision.kind == reference.kind && decision.urlBytes == reference.urlBytes, "\(place)")
            #expect(decision.status == reference.status && decision.body == reference.body, "\(place)")
            #expect(!decision.headers.contains { $0.valueBytes.contains { $0 < 0x20 || $0 == 0x7f } }, "\(place)")
        }
    }

    @Test func lists() {
        var random = InputMutator(seed: Self.seed &+ 2)
        for number in 0..<Self.count {
            let list = random.mutated(RandomInputs.lists)
            var fileSystem = InMemoryFileSystem()
            fileSystem.set("/rules/a.conf", .file(Array("blocklist list.txt 410;".utf8)))
            fileSystem.set("/rules/list.txt", .file(list))
            do throws(RuleSetError) {
                let engine = Engine(try RuleSet(path: "/rules", from: fileSystem))
                for line in list.split(separator: 0x0a).prefix(8) {
                    _ = engine.decide(RuleRequest(url: Array("https://".utf8) + line + Array("/".utf8)))
                }
            } catch {
                #expect(!error.diagnostics.isEmpty, "seed \(Self.seed), input \(number)")
            }
        }
    }
}
