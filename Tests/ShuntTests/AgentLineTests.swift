import Shunt
import ShuntCore
import ShuntRules
import Testing

/// Lines of lists of agents that are not plain names.
@Suite("Lines of agents")
struct AgentLineTests {
    @Test(
        "A line that was written for something else is left out and reported",
        arguments: [
            ("\"BadBot\"", "has quotes"), ("'BadBot'", "has quotes"), ("~*badbot 1;", "entry of a map"),
            ("badbot 1;", "entry of a map"), ("-", "most User-Agents"), ("User-agent: GPTBot", "robots.txt"),
            ("Disallow: /", "robots.txt"),
            ("RewriteCond %{HTTP_USER_AGENT} ^BadBot", "Apache"), ("SetEnvIfNoCase User-Agent Bad bad", "Apache"),
            ("RewriteEngine On", "Apache"), ("@aibots {", "configuration"), ("}", "configuration"),
            ("if ($http_user_agent ~* GPTBot) {", "configuration"), ("return 403;", "configuration"),
            ("abort", "configuration"),
            ("^BadBot", "expression"), ("bad.*bot", "expression"), ("(bad|evil)bot", "expression"),
            ("bot\\d", "expression"), ("[Ww]get", "expression"), ("BadBot$", "expression"),
        ]
    )
    func mistakes(line: String, message: String) throws {
        let rules = try RuleSet(
            path: "/r",
            from: InMemoryFileSystem(["/r/a.conf": "block agents n;", "/r/n": "\(line)\nother\n"])
        )
        let notes = rules.diagnostics.flatMap(\.notes)
        #expect(notes.count == 1 && notes[0].message.contains(message), "\(notes.map(\.message))")
        #expect(notes.first?.location.line == 1)
    }

    @Test("Names of agents in a JSON object, and one object of networks on each line")
    func objects() throws {
        let files = [
            "/r/a.conf": "block agents n;\nblock networks j;",
            "/r/n": "{\n\"GPTBot\": {\"operator\": \"o\"},\n\"Bytespider\": {\"respect\": \"no\"}\n}",
            "/r/j":
                "{\"cidr\": \"192.0.2.0/24\", \"id\": \"a\"}\n{\"cidr\": \"198.51.100.7\"}\n{\"type\": \"metadata\"}\n",
        ]
        let rules = try RuleSet(path: "/r", from: InMemoryFileSystem(files))
        #expect(rules.diagnostics.isEmpty, "\(rules.diagnostics)")
        let engine = Engine(rules)
        for (agent, address, place) in [
            ("x GPTBot/1", "10.0.0.1", "/r/n:2"), ("bytespider", "10.0.0.1", "/r/n:3"), ("a", "192.0.2.9", "/r/j:1"),
            ("a", "198.51.100.7", "/r/j:2"), ("operator", "10.0.0.1", ""),
        ] {
            var request = RuleRequest(url: "https://www.test/")
            request.headers = [.init("User-Agent", agent)]
            request.remoteAddress = address
            let rule = engine.decide(request).rule
            #expect(rule.map { "\($0.file):\($0.line)" } ?? "" == place)
        }
    }

    @Test(
        "An object that is not one of names of agents, and lines that are not objects, are reported",
        arguments: [
            ("agents", "{\"crawlers\": {\"GPTBot\": {\"operator\": \"o\"}}}"),
            ("agents", "{\"GPTBot\": {\"operator\": \"o\"}}"),
            ("agents", "{\"a\": {\"b\": [\"c\"]}, \"d\": {}}"), ("networks", "[]\n10"),
            ("networks", "{\"a\": 1}\n[\"10.0.0.1\"]"),
        ]
    )
    func noObjects(kind: String, text: String) {
        #expect(throws: RuleSetError.self) {
            try RuleSet(path: "/r", from: InMemoryFileSystem(["/r/a.conf": "block \(kind) n;", "/r/n": text]))
        }
    }

    @Test(
        "A comment after a name does not belong to it",
        arguments: [
            ("BadBot # since 2024", "badbot/1", true), ("BadBot\t# x", "badbot", true), ("Bot #1", "a Bot", false),
            ("Bot #1", "a Bot #1", true), ("a#b", "xa#b", true),
            ("a#b", "xa", false), ("/bad #\\d/", "Bad #1", true), ("/bad/ # x", "bad", true),
            ("Download\\ Demon", "download demon", true),
            ("[en] (compatible;", "Mozilla/4.0 [en] (compatible; x", true),
            ("Windows 98;", "Mozilla/4.0 (Windows 98; x)", true),
        ]
    )
    func comments(line: String, agent: String, isBlocked: Bool) throws {
        let rules = try RuleSet(
            path: "/r",
            from: InMemoryFileSystem(["/r/a.conf": "block agents n;", "/r/n": line])
        )
        #expect(rules.diagnostics.isEmpty)
        var request = RuleRequest(url: "https://www.test/")
        request.headers = [.init("User-Agent", agent)]
        #expect((Engine(rules).decide(request).kind == .block) == isBlocked)
    }
}
