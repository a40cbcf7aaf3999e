import Shunt
import ShuntTools
import Testing

@Suite("The changed outcomes of requests by a change of rules")
struct RuleDifferenceTests {
    struct Case: CustomTestStringConvertible {
        var name: String
        var old: String
        var new: String
        var lines: [String]
        /// The outcomes before and after, for each group; the most frequent first.
        var groups: [String]
        var testDescription: String { name }
    }

    private static func difference(_ old: String, _ new: String, _ lines: [String], rules: Bool = false) throws
        -> RuleDifference
    {
        var difference = RuleDifference(
            from: try RuleSet(text: old),
            to: try RuleSet(text: new),
            asOf: try Timestamp("2026-01-02T03:04:05Z"),
            comparingRules: rules
        )
        for line in lines { difference.compare(try RequestDescription(line: Array(line.utf8))) }
        return difference
    }

    static let cases = [
        Case(
            name: "another action",
            old: "",
            new: "block ^~ kl://Pay/;",
            lines: ["kl://Pay/a", "kl://Pay/b", "kl://Other/"],
            groups: ["2 action forward to block 403"]
        ),
        Case(
            name: "another status",
            old: "block ^~ kl://Pay/;",
            new: "block ^~ kl://Pay/ 410;",
            lines: ["kl://Pay/a"],
            groups: ["1 status block 403 to block 410"]
        ),
        Case(
            name: "another target",
            old: "rename_host a b;",
            new: "rename_host a c;",
            lines: ["kl://a/x"],
            groups: ["1 target forward to forward"]
        ),
        Case(
            name: "another route, and other parameters",
            old: "route kl://a/:x one;\nroute kl://b/:x three;",
            new: "route kl://a/:x two;\nroute kl://b/:y three;",
            lines: ["kl://a/1", "kl://b/1"],
            groups: ["2 route forward to forward"]
        ),
        Case(
            name: "other headers and another body",
            old: "server { location = /a { return 200 one; } location = /b { add_header X 1; return 204; } }",
            new: "server { location = /a { return 200 two; } location = /b { add_header X 2; return 204; } }",
            lines: ["http://a/a", "http://a/b"],
            groups: ["1 answer respond 200 to respond 200", "1 answer respond 204 to respond 204"]
        ),
        Case(
            name: "where a proxy_pass leads",
            old: "server { }",
            new: "server { location /a { proxy_pass http://up; } }",
            lines: ["http://a/a"],
            groups: ["1 target forward to forward"]
        ),
        Case(
            name: "the same outcome by another rule is no change",
            old: "block ^~ kl://Pay/;",
            new: "block host Pay;",
            lines: ["kl://Pay/a"],
            groups: []
        ),
        Case(
            name: "a chance and a time are the same on both sides",
            old: "server { add_header X \"$request_id $msec\"; return 204; }",
            new: "server { add_header X \"$request_id $msec\"; return 204; }",
            lines: ["http://a/a"],
            groups: []
        ),
        Case(
            name: "weights and repetitions add up, and rules that do not read a header see one request",
            old: "",
            new: "block host a;",
            lines: [
                #"{"url": "kl://a/x", "weight": 5}"#, "kl://a/x", #"{"url": "kl://a/x", "headers": {"Accept": "b"}}"#,
                #"{"url": "kl://a/y", "input": {"v": "1"}}"#,
            ],
            groups: ["8 action forward to block 403"]
        ),
        Case(
            name: "files that exist with a request",
            old: "server { root /www; if (-f $document_root/a) { return 204; } }",
            new: "server { root /www; if (-f $document_root/b) { return 204; } }",
            lines: [
                #"{"url": "http://a/", "files": ["/www/a"]}"#, #"{"url": "http://a/", "files": ["/www/a", "/www/b"]}"#,
                "http://a/",
            ],
            groups: ["1 status respond 204 to respond 403"]
        ),
    ]

    @Test("Outcomes are compared, and nothing else", arguments: cases)
    func outcomes(_ example: Case) throws {
        let difference = try Self.difference(example.old, example.new, example.lines)
        let groups = difference.groups().map { "\($0.weight) \($0.change.rawValue) \($0.from) to \($0.to)" }
        #expect(groups == example.groups)
        #expect(difference.changed == difference.groups().reduce(0) { $0 + $1.weight })
        let reverse = try Self.difference(example.new, example.old, example.lines)
        #expect(reverse.changed == difference.changed)
    }

    @Test("Requests that the rules cannot distinguish are decided once; others each")
    func distinct() throws {
        let headers = (0..<50)
            .map { #"{"url": "http://a/x", "headers": {"Accept": "\#($0)", "Cookie": "a=\#($0 % 5)"}}"# }
        let none = try Self.difference("", "server { }", headers)
        #expect((none.requests, none.distinct) == (50, 1))
        let cookie = try Self.difference("", "server { if ($cookie_a = 1) { return 204; } }", headers)
        #expect((cookie.requests, cookie.distinct, cookie.changed) == (50, 5, 10))
        let header = try Self.difference("server { if ($http_accept = 7) { return 204; } }", "", headers)
        #expect((header.requests, header.distinct, header.changed) == (50, 50, 1))
        let addresses = (1...9).map { #"{"url": "http://a/x", "remote_addr": "192.0.2.\#($0)"}"# }
        #expect(try Self.difference("", "server { deny 192.0.2.4; }", addresses).changed == 1)
        #expect(try Self.difference("", "geo $g { 192.0.2.4 1; } if ($g) { block ~ .; }", addresses).changed == 1)
        #expect(try Self.difference("", "block host b;", addresses).distinct == 1)
        let lengths = [7, 9, 9].map { #"{"url": "http://a/x", "headers": {"Content-Length": "\#($0)"}}"# }
        #expect(try Self.difference("server { }", "server { client_max_body_size 8; }", lengths).changed == 2)
        let times = ["01", "02"].map { #"{"url": "kl://a/x", "time": "2026-01-\#($0)T00:00:00Z"}"# }
        let window = "if ($time < 2026-01-02T00:00:00Z) { block host a; }"
        #expect(try Self.difference("", window, times).changed == 1)
    }

    @Test("Groups by rule, by change and by host, each with the most frequent request first")
    func groups() throws {
        let lines = ["kl://a/1", "kl://a/2", "kl://a/2", "kl://b/1"]
        let difference = try Self.difference("", "block host a;\nblock host b;", lines)
        let rules = difference.groups(by: .rule)
        #expect(rules.map(\.newRule) == ["block host a", "block host b"])
        #expect(rules.map(\.weight) == [3, 1])
        #expect(rules[0].requests.map(\.request.request.url) == ["kl://a/2", "kl://a/1"])
        #expect(rules[0].requests[0].weight == 2)
        #expect(difference.groups(by: .change).map(\.weight) == [4])
        #expect(difference.groups(by: .host).map(\.host) == ["a", "b"])
    }

    @Test("The same outcome by another rule is counted where that is asked for")
    func sameOutcome() throws {
        let lines = ["kl://a/1", "kl://a/2", "kl://b/1"]
        let difference = try Self.difference("block host a;", "block ^~ kl://a/;", lines, rules: true)
        #expect(difference.changed == 0)
        #expect(difference.sameOutcomes.count == 1)
        #expect(difference.sameOutcomes.first?.old == "block host a")
        #expect(difference.sameOutcomes.first?.new == "block ^~ kl://a/")
        #expect(difference.sameOutcomes.first?.weight == 2)
    }

    @Test(
        "Budgets",
        arguments: [
            ("0", 0, 10, true), ("0", 1, 10, false), ("3", 3, 10, true), ("3", 4, 10, false), ("10%", 1, 10, true),
            ("10%", 2, 10, false), ("0.1%", 1, 1000, true), ("0.1%", 2, 1000, false), ("5%", 0, 0, true),
        ]
    )
    func budgets(text: String, changed: Int, all: Int, isKept: Bool) throws {
        let budget = try #require(ChangeLimit(text))
        #expect(budget.allows(changed, of: all) == isKept)
        #expect(budget.description == text)
    }

    @Test("Invalid budgets", arguments: ["", "%", "-1", "1.5", "101%", "x", "1e3", "1 %"])
    func noBudgets(text: String) {
        #expect(ChangeLimit(text) == nil)
    }

    @Test("Rule sets are compared by their places below what was loaded, and single files whatever their names")
    func structure() {
        let old = RuleArchive(["a.conf": "block host a;\nblock host b;\n"], directory: "old/rules")
        let new = RuleArchive(["a.conf": "block host a;\nblock host c;\nbreak;\n"], directory: "/srv/new")
        let changes = StructureDifference.between(old, new)
        #expect(changes.edited.map(\.after.text) == ["block host c"])
        #expect(changes.edited.map(\.after.location.file) == ["a.conf"])
        #expect(changes.added.map(\.text) == ["break"])
        #expect(StructureDifference.between(old, old).isEmpty)
        let renamed = RuleArchive(["b.conf": "block host a; # x\nblock  host b;\n"], directory: "n")
        #expect(StructureDifference.between(old, renamed).isEmpty)
        let first = RuleArchive(["1.conf": "break;", "2.conf": "block host a;"], directory: "o")
        let second = RuleArchive(["2.conf": "block host a;", "3.conf": "break;"], directory: "n")
        #expect(!StructureDifference.between(first, second).isEmpty)
        let one = RuleArchive(
            path: "x/one.conf",
            entries: ["x": .directory, "x/one.conf": .file(Array("break;".utf8))]
        )
        let two = RuleArchive(path: "two.conf", entries: [".": .directory, "two.conf": .file(Array("break ;".utf8))])
        #expect(StructureDifference.between(one, two).isEmpty)
    }
}
