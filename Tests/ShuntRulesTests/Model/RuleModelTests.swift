import ShuntCore
import Testing

@testable import ShuntRules

@Suite("The rules as values")
struct RuleModelTests {
    private static func model(_ text: String) throws -> RuleModel { try RuleSet(text: text).model }

    @Test("Rules have their place, what they do, and the conditions around them")
    func rules() throws {
        let model = try Self.model(
            """
            block host ads.example;
            server {
                server_name a.example;
                if ($arg_x = 1) { return 404; }
                location /a/ {
                    location ~ ^/a/(b+)$ { rewrite ^/a/(.*)$ /c/$1 break; set $v $1; }
                }
                location @named { return 200 ok; }
            }
            """
        )
        let rules = model.rules
        #expect(
            rules.map { model.ruleSet.text(at: $0.position) }.prefix(2) == ["block host ads.example", "return 404"]
        )
        #expect(rules[0].sequence?.owner == .urlPhase)
        #expect(rules[0].block?.names(Array("ads.example".utf8).span) == true)
        let answer = rules[1]
        #expect(answer.answer?.status == 404)
        #expect(answer.sequence?.server?.name == Array("a.example".utf8))
        let ways = answer.ways()
        #expect(ways.count == 1)
        let tested = ways[0]
            .map { test -> String in
                guard case .condition(let condition, let outcome) = test else { return "" }
                return "\(condition.variable?.name ?? "") \(outcome)"
            }
        #expect(tested == ["arg_x true"])
        #expect(answer.endsSequence)
        let rewrite = try #require(rules.first { $0.operation == .rewrite })
        #expect(rewrite.rewrite?.target.pieces == [.literal(Array("/c/".utf8)), .capture(1)])
        #expect(rewrite.rewrite?.flow == .stop)
        #expect(model.rule(at: rewrite.position) == rewrite)
        #expect(rules.last?.answer?.text?.constant == Array("ok".utf8))
    }

    @Test("A location knows its server, the one around it, and those next to it")
    func locations() throws {
        let model = try Self.model(
            """
            server { server_name a.example; location /x { return 200; } }
            server {
                server_name b.example;
                location = /exact { return 200; }
                location /a/ {
                    location ~ ^/a/b$ { return 200; }
                    location /a/c { return 200; }
                }
                location ~ ^/d { return 200; }
            }
            """
        )
        let shown = model.locations.map { location in
            let parent = location.parent.map { " in \($0.text)" } ?? ""
            return "\(location.text)\(parent) of \(String(decoding: location.server.name, as: UTF8.self))"
        }
        #expect(
            shown == [
                "/x of a.example", "= /exact of b.example", "~ ^/a/b$ in /a/ of b.example", "/a/c in /a/ of b.example",
                "/a/ of b.example", "~ ^/d of b.example",
            ]
        )
        let inner = try #require(model.locations.first { $0.modifier == .regex && $0.parent != nil })
        #expect(inner.chain.map(\.text) == ["/a/", "~ ^/a/b$"])
        #expect(inner.level.locations.map(\.text) == ["~ ^/a/b$", "/a/c"])
        #expect(inner.parent?.level.expressions.map(\.text) == ["~ ^/d"])
        #expect(inner.parent?.level.longestPrefix(of: Array("/a/z".utf8))?.text == "/a/")
        #expect(inner.parent?.level.exact(Array("/exact".utf8))?.text == "= /exact")
        #expect(model.location(at: inner.position) == inner)
    }

    @Test("A table has every entry and its place, also those of an included file")
    func tables() throws {
        let files = InMemoryFileSystem([
            "/r/a.conf": """
            map $uri $to { default ""; include redirects.map; ~^/old/(.*) /new/$1; }
            geo $net { default out; 10.0.0.0/8 in; }
            split_clients $remote_addr $half { 50% a; * b; }
            server { if ($to) { return 301 $to; } return 200 $net$half; }
            """,
            "/r/redirects.map": "/a /b;\n/c /d;\n",
        ])
        let model = try RuleSet(path: "/r/a.conf", from: files).model
        let map = try #require(model.maps.first)
        #expect(
            map.entries.map { "\($0.key.text) \($0.written.text)" } == [
                "default ", "/a /b", "/c /d", "~^/old/(.*) /new/$1",
            ]
        )
        let places = map.entries.compactMap { model.location(of: $0.key.position).map { "\($0.file):\($0.line)" } }
        #expect(places == ["/r/a.conf:1", "/r/redirects.map:1", "/r/redirects.map:2", "/r/a.conf:1"])
        #expect(map.source.onlyVariable?.builtin == .uri)
        #expect(map.entries.last?.expression == map.expressions.first?.expression)
        let table = try #require(model.addressTables.first)
        #expect(table.value(for: InternetAddress("10.1.2.3")) == Array("in".utf8))
        #expect(table.source == nil)
        let split = try #require(model.splits.first)
        #expect(split.values.map { String(decoding: $0, as: UTF8.self) } == ["a", "b"])
        #expect(split.isComplete)
        let to = try #require(model.variables.first { $0.name == "to" })
        #expect(to.source == .map(map))
        #expect(to.assignments.isEmpty)
    }

    @Test("Settings are those in force: what a location inherits is there")
    func settings() throws {
        let model = try Self.model(
            """
            server {
                root /srv;
                error_page 404 /missing;
                deny 10.0.0.1;
                location / { try_files $uri =404; }
                location /p/ { alias /srv/q/; limit_except GET { deny all; } }
            }
            """
        )
        let settings = model.locations.map(\.settings)
        #expect(settings.map(\.isAlias) == [false, true])
        #expect(settings[0].root?.constant == Array("/srv".utf8))
        #expect(settings[0].tryFiles?.code == 404)
        #expect(settings[1].tryFiles == nil)
        #expect(settings.map { $0.errorPages?.pages.map(\.code) } == [[404], [404]])
        #expect(settings[0].accessRules == settings[1].accessRules)
        #expect(settings[1].methodLimit?.methods.first == Array("GET".utf8))
        #expect(settings[1].methodLimit?.others.accessRules != settings[1].accessRules)
    }

    @Test("A model is shared as long as it is kept")
    func sharing() throws {
        let ruleSet = try RuleSet(text: "server { return 200; }")
        let first = ruleSet.model
        #expect(ruleSet.model === first)
        #expect(first.document === ruleSet.document)
    }
}
