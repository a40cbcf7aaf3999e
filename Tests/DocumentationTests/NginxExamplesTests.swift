import Foundation
import Shunt
import Testing

@testable import NginxOracle

extension DocumentationTests {
    /// Asks the real nginx whether it does what the documents say of it.
    @Suite struct NginxExamplesTests {
        @Test(
            "nginx does what the documents say",
            .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx"),
            arguments: Document.whole
        )
        func nginx(path: String) throws {
            let oracle = try #require(NginxOracle())
            var recorded: [(Document.Block, [String])] = []
            for example in Example.all(in: try Document(path)) {
                for block in example.outcomes where ["nginx-requests", "nginx-error"].contains(block.language) {
                    let requests = block.language == "nginx-error" ? [] : try DocumentedRequest.all(in: block)
                    let reply = try oracle.ask([try Self.question(example, requests)])[0]
                    let lines: [String]
                    switch reply {
                    case .refused(let refusal): lines = [refusal.message]
                    case .answers(let answers, let ports):
                        lines = DocumentedRequest.lines(
                            requests,
                            with: answers.map { OutcomeText.lines($0, ports: ports) }
                        )
                    }
                    if Document.isRecording {
                        recorded.append((block, lines))
                    } else {
                        #expect(lines == block.lines, "\(path):\(block.line)")
                    }
                }
            }
            if Document.isRecording { try Document.write(recorded, to: path) }
        }

        private static func question(_ example: Example, _ requests: [DocumentedRequest]) throws -> OracleQuestion {
            let rules = try #require(example.files.first, "\(example.place): no rules")
            let files = example.files.dropFirst()
                .map { SupportFile(kind: .configuration, path: Example.name($0), content: Array($0.text.utf8)) }
            let asked = try requests.map { documented in
                guard case .target(let target, let host) = documented.request.subject else {
                    throw DocumentedRequest.Problem(description: "line \(documented.line): nginx takes no URLs")
                }
                var request = OracleRequest(target: target, host: nil)
                if let host { request.headers = [HeaderLine(name: Array("Host".utf8), value: host)] }
                request.headers += documented.request.headers.map { HeaderLine(name: $0.name, value: $0.value) }
                request.method = documented.request.method
                request.version = Array("HTTP/\(documented.request.version)".utf8)
                return request
            }
            return OracleQuestion(rules: Array(rules.text.utf8), requests: asked, files: Array(files))
        }
    }
}
