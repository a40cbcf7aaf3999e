#if Gateway
import ShuntCore
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("Entries of tables in what a gateway reports")
struct EntryCountTests {
    private static func files(_ logs: TestFolder) -> [String: String] {
        files.mapValues { $0.replacing("{dir}", with: logs.path) }
    }

    private static let files = [
        "rules.conf": """
        map $uri $new { default ""; include moved.map; }
        log_format own '$shunt_rule [$shunt_entries]';
        server { listen 80; access_log {dir}/own.log own; if ($new) { return 301 $new; } return 204; }
        """,
        "moved.map": "/a /b;\n/never /b;\n",
    ]

    @Test("They are counted like rules, and in the lines of the access log")
    func counts() async throws {
        let folder = try TestFolder()
        let change = RunningGateway.Change { options in
            options.countsEntries = true
            options.accessLog = folder.path + "/log"
        }
        try await RunningGateway.with(Self.files(folder), options: change) { gateway in
            for target in ["/a", "/a", "/x"] { _ = try await gateway.get(target) }
            let rules = try await gateway.get("/rules", from: gateway.adminPort).text
            #expect(rules.contains(#"moved.map:1:1","text":"/a /b","hits":2,"#))
            #expect(rules.contains(#"moved.map:2:1","text":"/never /b","hits":0"#))
            #expect(rules.contains(#""text":"default \"\"","hits":1,"#))
            let page = try await gateway.get("/rules?limit=9&q=/never", from: gateway.adminPort).text
            #expect(page.contains("map $uri $new"))
            let metrics = try await gateway.get("/metrics", from: gateway.adminPort).text
            #expect(metrics.contains("moved.map:1:1\""))
            try await Wait.until("the log is written") {
                try folder.text("log").split(separator: "\n").count == 3
            }
        }
        let lines = try folder.text("log").split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains(#""entries":""#) })
        #expect(lines.filter { $0.contains("moved.map:1:1") }.count == 2)
    }

    @Test("A format of the rules with $shunt_entries has them without an option, and nothing is counted then")
    func format() async throws {
        let folder = try TestFolder()
        let change = RunningGateway.Change { options in options.logDirectories = [folder.path] }
        try await RunningGateway.with(Self.files(folder), options: change) { gateway in
            for target in ["/a", "/x"] { _ = try await gateway.get(target) }
            try await Wait.until("the log is written") {
                (try? folder.text("own.log").split(separator: "\n").count) == 2
            }
            let lines = try folder.text("own.log").split(separator: "\n")
            #expect(lines.first?.hasSuffix("moved.map:1:1]") == true)
            #expect(lines.last?.hasSuffix("rules.conf:1:17]") == true)
        }
    }
}
#endif
