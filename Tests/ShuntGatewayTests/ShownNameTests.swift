#if Gateway
import ShuntServices
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Names and warnings in the log of the program", .timeLimit(.minutes(10)))
struct ShownNameTests {
    @Test("The name of a rule file reaches no terminal unescaped")
    func names() async throws {
        let folder = try TestFolder(["a\u{1b}[2J\u{7}\u{9b}.conf": "server { return 200 x; }"])
        let program = try await ServedProgram.serving(rules: folder.path)
        try folder.replace("a\u{1b}[2J\u{7}\u{9b}.conf", "server { retrun 200 x; }")
        program.send(1)
        try await Wait.until("the reload is refused") { program.errors.contains("version 1 stays in use") }
        program.send(15)
        #expect(try await program.end() == 0)
        for scalar in ["\u{1b}", "\u{7}", "\u{9b}"] as [Unicode.Scalar] {
            #expect(!program.errors.unicodeScalars.contains(scalar))
        }
        #expect(program.errors.contains(#"a\x1b[2J\x07\xc2\x9b.conf:1:10"#))
        let run = try ServedProgram.running(["run", "--rules", folder.path, "http://a.test/"])
        _ = try await run.end()
        #expect(!(run.output + run.errors).unicodeScalars.contains("\u{1b}"))
    }

    @Test("A warning of the check is a warning of the log")
    func warnings() async throws {
        let folder = try TestFolder(["a.conf": "server { mirror /x; return 200 x; }"])
        let options = ["--log", "json", "--accept", "mirror"]
        let program = try await ServedProgram.serving(rules: folder.path, options: options)
        let line = program.errors.split(separator: "\n").first { $0.contains("mirror") }
        #expect(line?.contains(#""level":"warning""#) == true, "\(program.errors)")
    }

    @Test("--max-header holds for headers that rules read", arguments: ["$http_user_agent", "x"])
    func longHeaders(value: String) async throws {
        let rules = ["a.conf": "server { max_headers 300; location / { return 200 \"\(value)\"; } }"]
        let change = RunningGateway.Change { $0.maximumHeaderBytes = 200_000 }
        try await RunningGateway.with(rules, options: change) { gateway in
            for (length, status) in [(70_000, 200), (250_000, 431)] {
                let header = "User-Agent: \(String(repeating: "x", count: length))"
                let answer = try await gateway.get("/", headers: [header])
                #expect(answer.status == status, "\(length)")
            }
        }
    }
}
#endif
