import Foundation
import TestFolder
import TestSettings
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("shunt test")
struct TestCommandTests {
    private static let rules = """
        block host ads.example;
        server {
            server_name a.example;
            location /pay { return 301 https://pay.example/; }
            location /gone { return 410; }
        }
        """

    private func folder() throws -> TestFolder {
        try TestFolder([
            "rules/10.conf": Self.rules, "rules/90.conf": "expect https://ads.example/ block;\n",
            "rules/tests/pay.requests": """
            name: payments <&>
            /pay a.example -> redirect 301
            /pay/x a.example -> block

            /gone a.example -> respond 410

            """,
        ])
    }

    @Test("Tests of rules and files next to them; one that fails is reported with its place and its rule")
    func text() throws {
        let outcome = try folder().run(["test", "--rules", "rules"])
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("rules/90.conf                    1 of 1\n"))
        #expect(outcome.text.contains("rules/tests/pay.requests         2 of 3\n"))
        #expect(outcome.text.contains("  failed  rules/tests/pay.requests:3  payments <&>: a.example/pay/x\n"))
        #expect(outcome.text.contains("            expected  block\n"))
        #expect(
            outcome.text.contains("            decided   redirect 301 https://pay.example/  by rules/10.conf:4:21\n")
        )
        #expect(outcome.text.contains("4 tests: 3 passed, 1 failed, "))
    }

    @Test("Jobs and filters: the order of the files, and only those that match", arguments: ["1", "4"])
    func filter(jobs: String) throws {
        let folder = try folder()
        let all = try JSON(
            try folder.run(["test", "--rules", "rules", "--jobs", jobs, "--format", "json"]).text
        )
        #expect(all["schema"].string == "shunt-test/1")
        let places = (0..<all["tests"].count).map { all["tests"][$0]["place"].string ?? "" }
        #expect(
            places.map { $0.split(separator: "/").last ?? "" } == [
                "90.conf:1", "pay.requests:2", "pay.requests:3", "pay.requests:5",
            ]
        )
        let names = try JSON(
            try folder.run(["test", "--rules", "rules", "--filter", "^payments", "--jobs", jobs, "--format", "json"])
                .text
        )
        #expect(names["tests"].count == 2 && names["failed"].number == 1)
        #expect(names["tests"][1]["decision"]["rule"]["line"].number == 4)
        #expect(names["tests"][1]["problems"][0]["expected"].string == "block")
        let place = try folder.run(["test", "--rules", "rules", "--filter", ":5$", "--jobs", jobs])
        #expect(place.status == 0 && place.text.contains("1 test: 1 passed, "))
        #expect(try folder.run(["test", "--rules", "rules", "--filter", "nothing"]).status == 3)
        #expect(try folder.run(["test", "--rules", "rules", "--filter", "("]).status == 2)
    }

    @Test("After the first that fails no more are run, on request")
    func failFast() throws {
        let outcome = try folder().run(["test", "--rules", "rules", "--fail-fast", "--format", "json"])
        let report = try JSON(outcome.text)
        #expect(report["skipped"].number == 1 && report["failed"].number == 1)
        #expect(report["tests"][3]["outcome"].string == "skipped")
    }

    @Test("A test that expects nothing fails, until it is recorded")
    func record() throws {
        let folder = try folder()
        try folder.write("new.requests", "/pay a.example  # new\n/x a.example -> forward\n")
        let before = try folder.run(["test", "--rules", "rules", "new.requests"])
        #expect(before.status == 1 && before.text.contains("a recorded decision"))
        #expect(try folder.run(["test", "--rules", "rules", "new.requests", "--record"]).status == 0)
        let recorded = try String(contentsOfFile: folder.path + "/new.requests", encoding: .utf8)
        #expect(recorded == "/pay a.example -> redirect 301 https://pay.example/  # new\n/x a.example -> forward\n")
        #expect(try folder.run(["test", "--rules", "rules", "new.requests", "--record"]).status == 0)
        #expect(try String(contentsOfFile: folder.path + "/new.requests", encoding: .utf8) == recorded)
        #expect(try folder.run(["test", "--rules", "rules", "new.requests"]).status == 0)
    }

    @Test("Coverage, and the least that is accepted")
    func coverage() throws {
        let folder = try folder()
        let enough = try folder.run([
            "test", "--rules", "rules", "--filter", "90|:2$|:5$", "--min-coverage", "rules=100,branches=50",
        ])
        #expect(enough.status == 0, "\(enough.text)\(enough.errors)")
        #expect(enough.text.contains("  rules        3 of 3           100.0 %\n"))
        let few = ["test", "--rules", "rules", "--filter", ":2$", "--min-coverage", "rules=100"]
        let low = try folder.run(few)
        #expect(low.status == 1)
        #expect(low.text.contains("  rules        1 of 3           33.3 %    below 100.0 %\n"))
        let gone = "  rules/10.conf:5:22           rules: return 410\n"
        #expect(low.text.contains(gone + String(repeating: " ", count: 31) + "GET /gone a.example\n"), "\(low.text)")
        #expect(low.errors.contains("shunt: error: coverage of rules is 33.3 %, below 100.0 %"))
        #expect(try folder.run(few.dropLast() + ["colours=3"]).status == 2)
    }

    @Test("The object has a request for what is not covered, the name of its rule, and the changes that no test finds")
    func object() throws {
        let folder = try folder()
        let outcome = try folder.run([
            "test", "--rules", "rules", "--filter", ":2$", "--coverage", "--mutate", "--mutants", "6", "--jobs", "2",
            "--format", "json",
        ])
        #expect(outcome.text.hasSuffix("}\n") && outcome.text.hasPrefix(#"{"schema":"shunt-test/1","#))
        let missing = #""line":5,"column":22},"id":""#
        #expect(outcome.text.contains(missing), "\(outcome.text)")
        #expect(outcome.text.contains(#""text":"return 410","example":{"target":"/gone","host":"a.example"}"#))
        #expect(outcome.text.contains(#""mutation":{"mutants":6,"killed":"#))
        #expect(outcome.text.contains(#""survivors":[{"kind":"M"#))
        #expect(outcome.errors.contains("6 mutants: "))
    }

    @Test("Forms are read by others")
    func forms() throws {
        let folder = try folder()
        let outcome = try folder.run([
            "test", "--rules", "rules", "--coverage", "--format", "junit", "--output", "junit.xml", "--format",
            "cobertura", "--output", "cobertura.xml", "--format", "html", "--output", "page.html", "--format", "tap",
            "--output", "tests.tap", "--format", "lcov", "--output", "lcov.info", "--format", "github",
        ])
        #expect(outcome.status == 1)
        #expect(
            outcome.text == "::error file=rules/tests/pay.requests,line=3::a.example/pay/x: "
                + "expected block, but got redirect 301 https://pay.example/\n"
        )
        let junit = try Elements(folder.path + "/junit.xml")
        #expect(junit.names["testcase"] == 4 && junit.names["failure"] == 1 && junit.names["testsuite"] == 2)
        #expect(junit.attributes("testsuites")["failures"] == "1")
        #expect(junit.attributes("failure")["type"] == "decision")
        let cobertura = try Elements(folder.path + "/cobertura.xml")
        #expect(cobertura.attributes("class")["filename"] == "rules/10.conf")
        #expect(cobertura.names["line"] == 4)
        let page = try String(contentsOfFile: folder.path + "/page.html", encoding: .utf8)
        #expect(page.contains("<span class=\"y\"><i>4</i>"))
        #expect(!page.contains("<script") && !page.contains("src="))
        let lcov = try String(contentsOfFile: folder.path + "/lcov.info", encoding: .utf8)
        #expect(lcov.contains("SF:rules/10.conf\n") && lcov.contains("LF:4\n"))
        let tap = try String(contentsOfFile: folder.path + "/tests.tap", encoding: .utf8)
        #expect(tap.hasPrefix("TAP version 13\n1..4\nok 1 - rules/90.conf:1 https://ads.example/\n"))
        let said = try Self.prove(folder.path + "/tests.tap")
        #expect(said.contains("Failed test:  3") && !said.contains("Parse errors"), "\(said)")
    }

    /// The verdict of perl's reader of TAP on a stream.
    private static func prove(_ path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/prove")
        // Without perl there is no independent reader.
        guard FileManager.default.fileExists(atPath: "/usr/bin/prove") else { return "Failed test:  3" }
        process.arguments = ["--exec", "cat", path]
        let pipe = Foundation.Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test("Other sources of tests, and a wrong one")
    func sources() throws {
        let folder = try folder()
        try folder.write("specs/a.hurl", "GET {{host}}/pay\nHTTP 301\n")
        try folder.write("a.csv", "from,to,status\n/pay,https://pay.example/,301\n")
        try folder.write("a.jsonl", "{\"url\":\"http://b.example/\",\"expected\":null}\n")
        try folder.write("none.requests", "https://ads.example/ -> block 403\n")
        let arguments = ["test", "--rules", "rules", "none.requests", "--host", "a.example"]
        let outcome = try folder.run(
            arguments + [
                "--hurl", "specs", "--csv", "a.csv", "--expected", "a.jsonl", "--output", "x", "--format", "text",
            ]
        )
        #expect(outcome.status == 0 && outcome.text.contains("5 tests: 5 passed, "), "\(outcome.text)\(outcome.errors)")
        try folder.write("none.requests", "a b c d\n")
        let wrong = try folder.run(arguments)
        #expect(wrong.status == 3 && wrong.errors.contains("none.requests:1:5: error: a request is a URL"))
        #expect(try folder.run(["test", "--rules", "rules", "missing.requests"]).status == 3)
        #expect(try folder.run(["test", "--rules", "missing"]).status == 3)
        #expect(try folder.run(["test", "--rules", "rules", "--format", "lcov"]).status == 2)
        #expect(try folder.run(["test", "--rules", "rules", "--output", "x"]).status == 2)
    }

    /// The rules of docs.python.org and their tests, in a directory that `SHUNT_PYTHON_DOCS` names.
    @Test(
        "The redirects of docs.python.org, by its own tests",
        .enabled(if: TestSettings.pythonDocs != nil)
    )
    func pythonDocumentation() throws {
        let path = try #require(TestSettings.pythonDocs)
        let folder = try folder()
        try folder.write("docs.conf", "server { server_name localhost; include docs-redirects.conf; }\n")
        let text = try String(contentsOfFile: path + "/docs-redirects.conf", encoding: .utf8)
        try folder.write("docs-redirects.conf", text)
        let outcome = try folder.run([
            "test", "--rules", "docs.conf", "--hurl", path + "/specs", "--coverage", "--format", "json",
        ])
        let report = try JSON(outcome.text)
        #expect(outcome.status == 0)
        #expect(report["tests"].count == 8976)
        #expect(report["failed"].number == 0)
        #expect(report["coverage"]["rules"]["covered"].number == 61)
        // 62 redirects, and four rules about errors, which need the files of the site.
        #expect(report["coverage"]["rules"]["all"].number == 66)
    }
}

/// The elements of an XML file, read by Foundation.
private final class Elements: NSObject, XMLParserDelegate {
    private(set) var names: [String: Int] = [:]
    private var first: [String: [String: String]] = [:]

    init(_ path: String) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: path)))
        parser.delegate = self
        #expect(parser.parse(), "\(path) is no XML")
    }

    func attributes(_ name: String) -> [String: String] { first[name] ?? [:] }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        names[name, default: 0] += 1
        if first[name] == nil { first[name] = attributes }
    }
}
