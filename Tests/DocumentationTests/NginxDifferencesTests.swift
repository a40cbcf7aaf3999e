import Foundation
import NginxOracle
import Shunt
import Testing

/// Differences from nginx that are too long to be shown in a document.
@Suite struct NginxDifferencesTests {
    @Test("Every row has a proof that exists")
    func everyRow() throws {
        let document = try Document("docs/nginx-differences.md")
        let examples = "Tests/Conformance/nginx-differences.md"
        let anchors = try LinkTests.anchors(of: examples)
        let tests = try Self.testNames()
        let rows = document.lines.filter { $0.hasPrefix("|") && !$0.hasPrefix("|--") && !$0.contains("| proof |") }
        #expect(rows.count > 30)
        for row in rows {
            let proof = try #require(row.dropLast(2).components(separatedBy: " | ").last)
            let links = proof.components(separatedBy: "\(examples)#").dropFirst()
                .map { String($0.prefix { $0 != ")" }) }
            let names =
                proof.contains("](")
                ? []
                : proof.components(separatedBy: "`").enumerated()
                    .filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(!links.isEmpty || !names.isEmpty || proof.contains("rules.md#"), "\(row)")
            for link in links { #expect(anchors.contains(link), "\(row)") }
            for name in names { #expect(tests.contains("func \(name)("), "\(name)") }
        }
    }

    /// The text of all tests.
    private static func testNames() throws -> String {
        let folder = Document.root + "/Tests"
        let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix("Tests.swift") }
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
    }

    private func shunt(_ rules: String, _ target: String) throws -> Decision {
        Engine(try RuleSet(text: rules)).decide(RuleRequest(target: target, host: "localhost"))
    }

    private func nginx(_ rules: String, _ target: String) throws -> RequestOutcome.Kind? {
        guard let oracle = NginxOracle() else { return nil }
        let question = OracleQuestion(rules: Array(rules.utf8), requests: [OracleRequest(target: Array(target.utf8))])
        guard case .answers(let answers, _) = try oracle.ask([question])[0] else { return nil }
        return answers.first?.outcome.kind
    }

    @Test("Literal locations over 255 bytes match as they are written")
    func longLocations() throws {
        let long = "/" + String(repeating: "a", count: 299)
        let rules = "server { listen 80; location \(long) { return 200 long; } location / { return 200 short; } }"
        #expect(try shunt(rules, long).body == Array("long".utf8))
        #expect(try shunt(rules, String(long.dropLast())).body == Array("short".utf8))
        let short = String(long.prefix(100))
        #expect(try shunt(rules, short).body == Array("short".utf8))
        if let answer = try nginx(rules, short) {
            #expect(answer == .response(status: 200, location: nil, body: Array("long".utf8)))
        }
    }

    @Test("A target may have 64 KiB, whatever the buffers of nginx are")
    func longTargets() throws {
        let rules =
            "server { listen 80; client_header_buffer_size 1k; large_client_header_buffers 4 1k; return 200 ok; }"
        let target = "/" + String(repeating: "a", count: 1_999)
        #expect(try shunt(rules, target).status == 200)
        #expect(try shunt(rules, "/" + String(repeating: "a", count: 65_535)).status == 200)
        #expect(try shunt(rules, "/" + String(repeating: "a", count: 65_536)).status == 414)
        if let answer = try nginx(rules, target) {
            #expect(answer == .response(status: 414, location: nil, body: nil))
        }
    }
}
