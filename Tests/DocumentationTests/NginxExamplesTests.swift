import Foundation
import Shunt
import Testing

@testable import NginxOracle

extension DocumentationTests {
    /// Asks the real nginx whether it does what the documents state.
    @Suite struct NginxExamplesTests {
        @Test(
            "nginx does what the documents state",
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
                    case .failed(let problem):
                        Issue.record("\(example.place): \(problem)")
                        continue
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

        @Test(
            "nginx agrees with the reference wherever it can be asked",
            .enabled(if: NginxOracle() != nil, "nginx is not installed: apt-get install nginx")
        )
        func reference() throws {
            let oracle = try #require(NginxOracle())
            var asked = 0
            for example in Example.all(in: try Document("docs/rules.md")) where Self.concernsNginx(example) {
                let engine = example.engine(try example.load(), isLinear: false)
                for block in example.outcomes where block.language == "requests" {
                    let requests = try DocumentedRequest.all(in: block).filter { Self.canBeSent($0.request) }
                    guard !requests.isEmpty else { continue }
                    let reply = try oracle.ask([try Self.question(example, requests)])[0]
                    guard case .answers(let answers, let ports) = reply else {
                        Issue.record("\(example.place): nginx refuses these rules: \(reply)")
                        continue
                    }
                    for (request, answer) in zip(requests, answers) {
                        asked += 1
                        let ours = OutcomeText.linesLikeNginx(engine.decide(request.request))
                        var theirs = OutcomeText.lines(answer, ports: ports)
                        if theirs[0].hasPrefix("forward") { theirs = [theirs[0]] }
                        #expect(ours == theirs, "\(block.line): \(request.lines[0])")
                    }
                }
            }
            #expect(asked > 60)
        }

        /// Returns true if rules have none but nginx's directives, on one port, and no files.
        private static func concernsNginx(_ example: Example) -> Bool {
            let text = example.files.map(\.text).joined()
            let own = ["block", "input ", "rename_host", "rewrite_url", "degrade", "match ", "route ", "else "]
            let others = [
                "listen 8080", "listen 81", "443", "http {", "max_headers", "/www", "_pass ", "geo $", "[::]",
            ]
            return example.files.first?.language == "nginx" && text.contains("server {")
                && !(own + others).contains { text.contains($0) }
                && !example.outcomes.contains { $0.language == "error" }
        }

        /// Returns true if a request can be sent to a server on this machine.
        private static func canBeSent(_ request: RuleRequest) -> Bool {
            guard case .target = request.subject else { return false }
            return request.remoteAddress == "127.0.0.1" && request.time == nil && request.inputs.isEmpty
        }

        /// The place of a file next to the configuration.
        private static func path(_ file: Document.Block) -> String {
            let name = Example.name(file)
            return name.hasPrefix("rules/") ? String(name.dropFirst("rules/".count)) : name
        }

        private static func question(_ example: Example, _ requests: [DocumentedRequest]) throws -> OracleQuestion {
            let rules = try #require(example.files.first, "\(example.place): no rules")
            let files = example.files.dropFirst()
                .map { SupportFile(kind: .configuration, path: path($0), content: Array($0.text.utf8)) }
            let asked = try requests.map { documented in
                guard case .target(let target, let host) = documented.request.subject else {
                    throw DocumentedRequest.Problem(description: "line \(documented.line): nginx takes no URLs")
                }
                var request = OracleRequest(target: target, host: nil)
                if let host { request.headers = [HeaderLine(name: Array("Host".utf8), value: host)] }
                request.headers += documented.request.headers.map {
                    HeaderLine(name: $0.nameBytes, value: $0.valueBytes)
                }
                request.method = documented.request.methodBytes
                request.version = Array("HTTP/\(documented.request.version)".utf8)
                return request
            }
            return OracleQuestion(rules: Array(rules.text.utf8), requests: asked, files: Array(files))
        }
    }
}
