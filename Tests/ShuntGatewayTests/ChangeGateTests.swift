#if Gateway
import Foundation
import Shunt
import ShuntGateway
import ShuntTools
import TestFolder
import Testing

/// The gate in front of reloads, as those see it who run a gateway.
@Suite struct ChangeGateTests {
    private static let old = ["rules.conf": "server { location /a/ { return 204; } location /b/ { return 200 b; } }\n"]
    private static let much = "server { location /a/ { return 302 /c/; } location /b/ { return 200 b; } }\n"

    private static func gate(
        _ action: ChangeGate.Action = .hold,
        changed: String? = "1%",
        _ more: @escaping (inout GatewayOptions) -> Void = { _ in }
    ) -> RunningGateway.Change {
        RunningGateway.Change { options in
            options.gate.maximumChanged = changed.flatMap { ChangeLimit($0) }
            options.gate.action = action
            more(&options)
        }
    }

    /// Has a gateway see requests.
    private static func ask(_ gateway: RunningGateway, _ count: Int) async throws {
        let requests = (0..<count).map { "GET /a/\($0) HTTP/1.1\r\nHost: a.test\r\n\r\n" }
        let responses = try await gateway.send(requests.joined(), responses: count)
        #expect(responses.map(\.status) == [Int](repeating: 204, count: count))
    }

    private static func post(_ gateway: RunningGateway, _ target: String) async throws -> TestResponse {
        let text = "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        let responses = try await gateway.send(text, to: gateway.adminPort)
        return try #require(responses.first)
    }

    /// The hash of the rules that are held, as `/status` has it.
    private static func heldHash(_ gateway: RunningGateway) async throws -> String {
        let status = try await gateway.get("/status", from: gateway.adminPort).text
        let parts = status.split(separator: #""gate":{"hash":""#, maxSplits: 1)
        return String(try #require(parts.count == 2 ? parts[1] : nil).prefix(64))
    }

    @Test("Rules that change too much are held, and used once exactly they are approved")
    func holds() async throws {
        try await RunningGateway.with(Self.old, options: Self.gate()) { gateway in
            try await Self.ask(gateway, 150)
            try gateway.directory.replace("rules.conf", Self.much)
            let answer = try await Self.post(gateway, "/reload")
            #expect(answer.status == 422)
            #expect(answer.text.contains(#""outcome":"failed","reason":"held""#))
            #expect(answer.text.contains("150 of 150 requests change, more than 1%: 150 respond 204 → redirect 302"))
            #expect(try await gateway.get("/a/1").status == 204)

            let status = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(
                status.contains(#""requests":151,"changed":151"#) || status.contains(#""requests":150,"changed":150"#)
            )
            #expect(status.contains(#""from":"respond 204","to":"redirect 302""#))
            #expect(status.components(separatedBy: #""method":"GET","request":"a.test/a/"#).count == 4)
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("shunt_rules_held{reason=\"gate\"} 1\n"))

            let hash = try await Self.heldHash(gateway)
            let other = try await Self.post(gateway, "/candidate/approve?hash=\(String(hash.reversed()))")
            #expect(other.status == 409)
            #expect(other.text == "the rules that are held have the hash \(hash)\n")
            #expect(try await Self.post(gateway, "/candidate/approve").status == 400)
            #expect(try await gateway.get("/a/1").status == 204)

            let approved = try await Self.post(gateway, "/candidate/approve?hash=\(hash)&by=anna")
            #expect(approved.status == 200)
            let history = try await gateway.get("/history", from: gateway.adminPort).text
            #expect(history.contains(#""verdict":"approved by anna (127.0.0.1)""#))
            #expect(gateway.messages.all.contains { $0.contains("held rules are approved") })
            // One number of rules at the start: there are none before to which others are added.
            #expect(gateway.messages.all.contains { $0.contains("version 1 is in use") && !$0.contains("added") })
            #expect(gateway.messages.all.contains { $0.contains("version 2 is in use") && $0.contains("added") })
            #expect(approved.text.contains(#""outcome":"loaded""#))
            #expect(try await gateway.get("/a/1").status == 302)
            let after = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(!after.contains(#""gate""#))
            #expect(after.contains(#""stale":false"#))
            #expect(try await Self.post(gateway, "/candidate/approve?hash=\(hash)").text == "no rules are held\n")
        }
    }

    @Test("An approval is for one content: files that changed since are judged again")
    func approvesOneContent() async throws {
        try await RunningGateway.with(Self.old, options: Self.gate()) { gateway in
            try await Self.ask(gateway, 150)
            try gateway.directory.replace("rules.conf", Self.much)
            #expect(try await Self.post(gateway, "/reload").status == 422)
            let hash = try await Self.heldHash(gateway)
            try gateway.directory.replace("rules.conf", "server { location /a/ { return 303 /d/; } }\n")
            #expect(try await Self.post(gateway, "/candidate/approve?hash=\(hash)").status == 409)
            #expect(try await gateway.get("/a/1").status == 204)
            let other = try await Self.heldHash(gateway)
            #expect(other != hash)
        }
    }

    @Test("Rules that were rejected stay so until their files change, and a reload that is forced passes")
    func rejectsAndForces() async throws {
        try await RunningGateway.with(Self.old, options: Self.gate()) { gateway in
            try await Self.ask(gateway, 150)
            try gateway.directory.replace("rules.conf", Self.much)
            #expect(try await Self.post(gateway, "/reload").status == 422)
            let hash = try await Self.heldHash(gateway)
            #expect(try await Self.post(gateway, "/candidate/reject?hash=0").status == 409)
            #expect(try await Self.post(gateway, "/candidate/reject?hash=\(hash)").text == "rejected\n")
            let again = try await Self.post(gateway, "/reload")
            #expect(
                again.text.contains(#""reason":"refused","summary":"these rules were rejected by an administrator""#)
            )
            #expect(try await Self.post(gateway, "/candidate/approve?hash=\(hash)").status == 409)

            // The old files are back, then the new ones once more: a new try.
            try gateway.directory.replace("rules.conf", Self.old["rules.conf"] ?? "")
            #expect(try await Self.post(gateway, "/reload").text.contains(#""outcome":"unchanged""#))
            try gateway.directory.replace("rules.conf", Self.much)
            #expect(try await Self.post(gateway, "/reload").text.contains(#""reason":"held""#))
            let forced = try await Self.post(gateway, "/reload?force=true")
            #expect(forced.status == 200)
            #expect(try await gateway.get("/a/1").status == 302)
            #expect(
                gateway.messages.all.contains { $0.contains("trigger: force") || $0.contains("\"trigger\": force") }
            )
        }
    }

    @Test("Old files that are back take nothing with them that was held")
    func forgets() async throws {
        try await RunningGateway.with(Self.old, options: Self.gate()) { gateway in
            try await Self.ask(gateway, 150)
            try gateway.directory.replace("rules.conf", Self.much)
            #expect(try await Self.post(gateway, "/reload").status == 422)
            try gateway.directory.replace("rules.conf", Self.old["rules.conf"] ?? "")
            #expect(try await Self.post(gateway, "/reload").status == 200)
            let status = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(!status.contains(#""gate""#))
        }
    }

    private static let actionCases: [(ChangeGate.Action, String, Int, Int, String?)] = [
        (.warn, "1%", 150, 302, "150 of 150 requests change, more than 1%"),
        (.hold, "1%", 50, 302, "too few requests to judge: 50 of the 100 that are needed"),
        (.hold, "100%", 150, 302, nil),
        (.refuse, "1%", 150, 204, "the rules change too much: 150 of 150 requests change, more than 1%"),
    ]

    @Test(
        "Rules that pass are in use at once, with a warning if they change much or cannot be judged",
        arguments: actionCases
    )
    func actions(action: ChangeGate.Action, changed: String, count: Int, status: Int, message: String?) async throws {
        try await RunningGateway.with(Self.old, options: Self.gate(action, changed: changed)) { gateway in
            try await Self.ask(gateway, count)
            try gateway.directory.replace("rules.conf", Self.much)
            _ = try await Self.post(gateway, "/reload")
            #expect(try await gateway.get("/a/1").status == status)
            let warnings = gateway.messages.all.filter { $0.hasPrefix("warning rules:") }
            #expect(warnings.count == (message == nil ? 0 : 1))
            if let message { #expect(warnings.first?.contains(message) == true) }
        }
    }

    @Test("Requests of a file may not change at all, and rules may not be fewer")
    func otherBudgets() async throws {
        let required = Self.gate(changed: "100%") { options in
            options.gate.requests = [RequestDescription(RuleRequest(target: "/b/1", host: "a.test"))]
        }
        try await RunningGateway.with(Self.old, options: required) { gateway in
            try gateway.directory.replace("rules.conf", "server { location /a/ { return 301 /z/; } }\n")
            let answer = try await Self.post(gateway, "/reload").text
            #expect(answer.contains("1 of 1 requests that may not change do; too few requests to judge: 0 of"))
            let status = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(
                status.contains(
                    #""required_changes":[{"method":"GET","request":"a.test/b/1","old":"respond 200","new":"forward"}]"#
                )
            )
        }
        let removed = Self.gate(changed: nil) { $0.gate.maximumRemoved = ChangeLimit("0") }
        try await RunningGateway.with(Self.old, options: removed) { gateway in
            try gateway.directory.replace("rules.conf", "server { location /b/ { return 200 b; } }\n")
            #expect(try await Self.post(gateway, "/reload").text.contains("rules are removed, more than 0"))
            try gateway.directory.replace("rules.conf", Self.much)
            #expect(try await Self.post(gateway, "/reload").status == 200)
        }
    }

    @Test("Nothing is held at the start, also not with a last-known-good copy")
    func start() async throws {
        let folder = try TestFolder(["rules/rules.conf": Self.much])
        let keeps = Self.gate { options in
            options.rules = "\(folder.path)/rules"
            options.store.lastKnownGood = LastKnownGood(path: "\(folder.path)/copy")
            options.gate.maximumRemoved = ChangeLimit("0")
        }
        try await RunningGateway.with([:], options: keeps) { gateway in
            let answer = try await gateway.get("/a/1")
            #expect(answer.status == 302)
        }
        try folder.replace("rules/rules.conf", "sever {}\n")
        try await RunningGateway.with([:], options: keeps) { gateway in
            let status = try await gateway.get("/status", from: gateway.adminPort).text
            #expect(status.contains(#""last_known_good":true"#))
            #expect(try await gateway.get("/a/1").status == 302)
        }
    }

    @Test("The rules in use are there for shunt diff")
    func archive() async throws {
        let folder = try TestFolder(["new/rules.conf": Self.much, "urls.txt": "http://a.test/a/7\nhttp://a.test/b/\n"])
        try await RunningGateway.with(Self.old) { gateway in
            let address = "http://127.0.0.1:\(gateway.adminPort)"
            let files = gateway.directory.path
            let arguments = ["\(folder.path)/new", "--format", "json", "--requests", "\(folder.path)/urls.txt"]
            let outcomes = try await Blocking.run {
                [
                    try Self.run(["diff", address] + arguments), try Self.run(["diff", files] + arguments),
                    try Self.run(["diff", address + "/nothing"] + arguments),
                ]
            }
            #expect(outcomes[0].status == 1)
            #expect(outcomes[0].output == outcomes[1].output)
            #expect(outcomes[0].output.contains(#""changed":1,"#))
            #expect(outcomes[2].status == 3)
            #expect(outcomes[2].errors.contains("404"))
        }
    }

    private static func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ServedProgram.program)
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let texts = try [output, errors]
            .map { String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self) }
        process.waitUntilExit()
        return (process.terminationStatus, texts[0], texts[1])
    }
}
#endif
