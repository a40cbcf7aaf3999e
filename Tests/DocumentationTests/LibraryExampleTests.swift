import Foundation
import Shunt
import Testing

/// The Swift code of the quick start.
@Suite struct LibraryExampleTests {
    /// The code of the page, word for word, except the import and the path of the rules.
    private func example(_ path: String, _ print: (Any...) -> Void) throws {
        let rules = try RuleSet(path: path)
        let engine = Engine(rules)

        var request = RuleRequest(url: "kl://Cashier/checkout?id=1")
        request.inputs["app_version"] = "3.1.9"

        let decision = engine.decide(request)
        switch decision.action {
        case .degrade(let degrade): print("open", degrade.url)
        case .redirect(let redirect): print("open", redirect.location)
        case .forward: print("serve", decision.route ?? "the usual way")
        default: print("no:", decision)
        }
    }

    @Test("The code of the quick start is this one, and works with the rules of the repository")
    func quickStart() throws {
        var printed: [Any] = []
        try example(Document.root + "/rules") { printed = $0 }
        #expect(printed.map { "\($0)" }.joined(separator: " ") == "open https://m.example.com/pay/checkout?id=1")
        let source = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n").map { $0.trimmed }
        let block = try #require(try Document("docs/quick-start.md").blocks.first { $0.language == "swift" })
        for line in block.lines where !line.isEmpty && line != "import Shunt" {
            let line = line.replacingOccurrences(of: "path: \"rules\"", with: "path: path")
            #expect(source.contains(line.trimmed), "\(line)")
        }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self).trimmed }
}
