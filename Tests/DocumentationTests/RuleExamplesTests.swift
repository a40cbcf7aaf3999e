import Foundation
import NginxOracle
import Shunt
import Testing

extension DocumentationTests {
    /// Runs the rules that the documents show.
    @Suite struct RuleExamplesTests {
        @Test("Every example of rules has an outcome that is tested", arguments: Document.whole)
        func complete(path: String) throws {
            for example in Example.all(in: try Document(path)) {
                let rules = example.files.filter { $0.language == "nginx" }
                #expect(
                    rules.isEmpty || !example.outcomes.isEmpty,
                    "\(example.place): nothing says what these rules do"
                )
            }
        }

        @Test("Shunt does what the documents state", arguments: Document.whole + Document.others + Document.articles)
        func shunt(path: String) throws {
            var recorded: [(Document.Block, [String])] = []
            for example in Example.all(in: try Document(path)) where !example.files.isEmpty {
                let result = Result { () throws(RuleSetError) in try example.load() }
                for block in example.outcomes {
                    let lines: [String]
                    switch (block.language, result) {
                    case ("requests", .success(let ruleSet)): lines = try Self.decisions(block, example, ruleSet)
                    case ("error", .failure(let error)): lines = Self.lines(error.description)
                    case ("warning", .success(let ruleSet)):
                        lines = Self.lines(DiagnosticRenderer().render(ruleSet.diagnostics))
                    case ("error", .success): lines = ["(the rules are accepted)"]
                    case ("requests", .failure(let error)), ("warning", .failure(let error)):
                        Issue.record("\(example.place): the rules are refused:\n\(error)")
                        continue
                    default: continue
                    }
                    if Document.isRecording {
                        recorded.append((block, lines))
                    } else {
                        #expect(lines == block.lines, "\(path):\(block.line)")
                    }
                }
                let showsDiagnostics = example.outcomes.contains {
                    ["warning", "error", "console"].contains($0.language)
                }
                if case .success(let ruleSet) = result, !showsDiagnostics, Document.whole.contains(path) {
                    let text = DiagnosticRenderer().render(ruleSet.diagnostics)
                    #expect(
                        ruleSet.diagnostics.isEmpty,
                        "\(example.place): warnings that the document does not show:\n\(text)"
                    )
                }
            }
            if Document.isRecording { try Document.write(recorded, to: path) }
        }

        private static func decisions(_ block: Document.Block, _ example: Example, _ ruleSet: RuleSet) throws
            -> [String]
        {
            let requests = try DocumentedRequest.all(in: block)
            #expect(!requests.isEmpty, "\(example.document):\(block.line): no requests")
            let engine = example.engine(ruleSet, isLinear: false)
            let linear = example.engine(ruleSet, isLinear: true)
            return DocumentedRequest.lines(
                requests,
                with: requests.map { request in
                    let lines = OutcomeText.lines(engine.decide(request.request), showsTypes: example.showsTypes)
                    #expect(OutcomeText.lines(linear.decide(request.request), showsTypes: example.showsTypes) == lines)
                    return lines
                }
            )
        }

        static func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }
}
