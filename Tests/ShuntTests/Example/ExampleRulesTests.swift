import Foundation
import Shunt
import Testing

@Suite("The example rules")
struct ExampleRulesTests {
    @Test("they load without errors and warnings")
    func load() throws {
        let example = try ExampleRules(try ExampleRules.files())
        #expect(example.warnings.map(\.message) == [])
    }

    @Test("every sample is decided as in the table, with and without the index")
    func decisions() throws {
        let files = try ExampleRules.files()
        let example = try ExampleRules(files)
        let linear = try ExampleRules(files, isLinear: true)
        let samples = try ExampleRules.samples()
        #expect(samples == ExampleDecisions.table.map(\.request))
        for (line, expected) in ExampleDecisions.table {
            let request = try ExampleRequest(line).request
            let decision = example.decision(about: request)
            #expect(decision.text == expected, "\(line)")
            #expect(linear.decision(about: request) == decision, "\(line)")
            #expect(example.explanation(of: request).decision == decision, "\(line)")
        }
    }

    /// Directives without which the rule set does not load, because others refer to what they define.
    ///
    /// What is in their blocks is tried on its own.
    private static let definitions = ["map", "geo", "split_clients", "input", "location @", "if", "server_name ~"]

    @Test("every directive and every listed host matters to a sample")
    func everyRuleMatters() throws {
        // The rules' own tests would refuse much of what is tried here.
        let files = try ExampleRules.files().filter { $0.key != "90-tests.conf" }
        #expect(try ExampleRules.files().count == files.count + 1)
        let requests = try ExampleRules.samples().map { try ExampleRequest($0).request }
        let example = try ExampleRules(files)
        let expected = requests.map(example.decision)
        var tried = 0
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            let ranges = name.hasSuffix(".conf") ? RuleText.directives(in: text) : RuleText.hosts(in: text)
            #expect(!ranges.isEmpty, "\(name)")
            for range in ranges {
                tried += 1
                let removed = RuleText.text(range, in: text)
                var others = files
                others[name] = RuleText.blanking(range, in: text)
                guard let rest = try? ExampleRules(others) else {
                    #expect(Self.definitions.contains { removed.hasPrefix($0) }, "\(name) without \(removed)")
                    continue
                }
                let isNoticed = zip(requests, expected).contains { rest.decision(about: $0) != $1 }
                #expect(isNoticed, "\(name): no sample needs \(removed)")
            }
        }
        #expect(tried > 150)
    }
}
