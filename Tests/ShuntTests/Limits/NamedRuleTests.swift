import Shunt
import Testing

/// Decisions name the rule that caused them, also where nothing was found, or finding out took too long.
@Suite("The rule that is named")
struct NamedRuleTests {
    private func line(_ rules: String, _ target: String, files: [String: String] = [:]) throws -> (Int?, Int?) {
        var options = Engine.Options()
        if !files.isEmpty { options.fileSystem = InMemoryFileSystem(files) }
        options.matchLimits = MatchLimits(steps: 20_000)
        let decision = Engine(try RuleSet(text: rules), options: options)
            .decide(RuleRequest(target: target, host: "a.example"))
        return (decision.status, decision.rule?.line)
    }

    @Test("A missing file names the directive that looked")
    func missingFile() throws {
        let rules = """
            server {
                root /www;
                location /a/ { alias /other/; }
                location /t/ {
                    try_files $uri =404;
                }
                location /d/ { }
            }
            """
        let files = ["/www/d/x": "x", "/www/y": "y"]
        for (target, status, line) in [
            ("/none", 404, 2), ("/d/none", 404, 2), ("/a/x", 404, 3), ("/t/x", 404, 5), ("/d/", 403, 2),
            ("/e/", 404, 2),
        ] {
            let found = try self.line(rules, target, files: files)
            #expect(found.0 == status, "\(target)")
            #expect(found.1 == line, "\(target)")
        }
    }

    @Test("A location or a name that reaches the limit is the rule")
    func limits() throws {
        let rules = """
            server {
                rewrite ^/never /x;
                location / { }
                location ~ ^/(a+)+$ { }
            }
            """
        let long = "/" + String(repeating: "a", count: 4_000) + "!"
        #expect(try line(rules, long) == (500, 4))
    }

    @Test("The server whose name reaches the limit is the rule, not the one before it")
    func limitOfAName() throws {
        let rules = """
            server { server_name a.example; return 200; }
            server {
                listen 80;
                server_name b.example
                    ~^(a+)+$;
                return 204;
            }
            """
        var options = Engine.Options()
        options.matchLimits = MatchLimits(steps: 20_000)
        let engine = Engine(try RuleSet(text: rules), options: options)
        let host = String(repeating: "a", count: 3_000)
        let decision = engine.decide(RuleRequest(target: "/", host: host + "b"))
        #expect(decision.status == 500)
        #expect(decision.rule?.description == "rules.conf:2:1")
        #expect(engine.decide(RuleRequest(target: "/", host: "a.example")).status == 200)
    }
}
