#if Gateway
import Foundation
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// Rules with directives that decide and that the gateway does not do.
@Suite("Refused directives", .timeLimit(.minutes(10)))
struct RefusedDirectiveTests {
    private static let gate = "server { mirror /closed; return 200 open; }\n"

    @Test("A gateway does not start with a gate that it does not keep, unless that is accepted")
    func start() async throws {
        let error = await #expect(throws: ReloadError.self) {
            try await RunningGateway.with(["a.conf": Self.gate]) { _ in }
        }
        let text = "\(try #require(error))"
        for part in [
            "a.conf:1:10: error: the gateway does not do \"mirror\": no request is sent twice",
            "   1 | server { mirror /closed;",
            "     |          ^~~~~~ to serve without it, write ignore_directive",
        ] { #expect(text.contains(part), "\(text)") }
        let accepting = RunningGateway.Change { $0.acceptedDirectives = ["mirror"] }
        try await RunningGateway.with(["a.conf": Self.gate], options: accepting) { (gateway) async throws in
            #expect(try await gateway.get("/").text == "open")
        }
        try await RunningGateway.with(["a.conf": "ignore_directive mirror; " + Self.gate]) {
            (gateway) async throws in
            #expect(try await gateway.get("/").text == "open")
        }
    }

    @Test("A reload that brings such a directive is refused, and what was served is served")
    func reload() async throws {
        let folder = try TestFolder(["a.conf": "server { return 200 before; }\n"])
        let program = try await ServedProgram.serving(rules: folder.path)
        try folder.write("a.conf", Self.gate)
        program.send(1)
        try await Wait.until("the reload is refused") { program.errors.contains("version 1 stays in use") }
        #expect(program.errors.contains("the gateway does not do \"mirror\""))
        program.send(15)
        #expect(try await program.end() == 0)
    }

    @Test("A default upstream answers in the place of other protocols, and keeps no gate")
    func upstream() throws {
        let rules = try RuleSet(
            text: "server { root /srv; location /php/ { fastcgi_pass unix:/s; } mirror /closed; }"
        )
        func names(hasUpstream: Bool) -> [String] {
            rules.servingErrors(accepting: [], hasUpstream: hasUpstream)
                .compactMap { error in
                    error.message.split(separator: "\"").dropFirst().first.map(String.init)
                }
        }
        #expect(Set(names(hasUpstream: false)) == ["fastcgi_pass", "mirror"])
        #expect(names(hasUpstream: true) == ["mirror"])
    }

    @Test("A gateway that decides for another proxy leaves gates to the proxy")
    func decisions() async throws {
        let deciding = RunningGateway.Change { $0.decisionService = DecisionService(form: .forward) }
        try await RunningGateway.with(["a.conf": Self.gate], options: deciding) { (gateway) async throws in
            #expect(try await gateway.get("/").status == 200)
        }
    }
}
#endif
