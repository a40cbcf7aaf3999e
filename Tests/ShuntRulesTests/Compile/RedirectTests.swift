import ShuntCore
import Testing

@testable import ShuntRules

@Suite("Redirects of upstreams")
struct RedirectTests {
    /// Messages about a mistake, for a location with a `proxy_pass` after the directives.
    static let messages: [(directives: String, message: String)] = [
        (
            "proxy_redirect Default;",
            """
            rules.conf:2:16: error: invalid value "Default" [invalid-value]
               2 | proxy_redirect Default;
                 |                ^~~~~~~ did you mean "default"?
            """
        ),
        (
            "proxy_redirect http://127.0.0.1:8080/;",
            """
            rules.conf:2:16: error: invalid value "http://127.0.0.1:8080/" [invalid-value]
               2 | proxy_redirect http://127.0.0.1:8080/;
                 |                ^~~~~~~~~~~~~~~~~~~~~~ write its replacement after it, such as "/"
            """
        ),
        (
            "proxy_redirect default;",
            """
            rules.conf:2:16: error: "proxy_redirect default" is derived from a "proxy_pass" that precedes it in its block [misplaced-default]
               2 | proxy_redirect default;
                 |                ^~~~~~~ put it after the "proxy_pass"
            """
        ),
        (
            "proxy_redirect /a /b; proxy_redirect off;",
            """
            rules.conf:2:23: error: "proxy_redirect off" cannot be combined with another one [duplicate-directive]
               2 | proxy_redirect /a /b; proxy_redirect off;
                 |                       ^~~~~~~~~~~~~~ remove one of them
            rules.conf:2:1: note: the first is here
               2 | proxy_redirect /a /b; proxy_redirect off;
                 | ^
            """
        ),
        (
            "proxy_redirect ~*^/(a $1;",
            """
            rules.conf:2:21: error: invalid regular expression: missing closing parenthesis [invalid-regex]
               2 | proxy_redirect ~*^/(a $1;
                 |                     ^ close it with ")", or write "\\(" for a parenthesis that is meant literally
            """
        ),
        (
            "proxy_redirect /a $hots/;",
            """
            rules.conf:2:19: error: unknown variable "$hots" [unknown-variable]
               2 | proxy_redirect /a $hots/;
                 |                   ^~~~~ did you mean "$host"?
            """
        ),
    ]

    @Test(arguments: messages)
    func isToldWithItsPlace(_ directives: String, _ message: String) {
        let text = "location / {\n\(directives)\nproxy_pass http://127.0.0.1:8080; }"
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: "server { \(text) }") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func variablesHaveNoDefault() {
        let rules = "server { location / { proxy_pass http://127.0.0.1$uri; proxy_redirect default; } }"
        let error = #expect(throws: RuleSetError.self) { try RuleSet(text: rules) }
        #expect(error?.diagnostics.map(\.code) == ["misplaced-default"])
    }

    @Test(
        "A redirect that matches everything, or never has a value, has a warning",
        arguments: [("~ /a", "empty-regex"), ("~* /a", "empty-regex"), ("~^/(a) /$2", "missing-capture")]
    )
    func warns(_ words: String, _ code: String) throws {
        let rules = "server { location / { proxy_pass http://127.0.0.1; proxy_redirect \(words); } }"
        #expect(try RuleSet(text: rules).diagnostics.map(\.code) == [code])
    }

    /// Returns the changed Location for a request; nil if it continues unchanged.
    private func rewritten(_ location: String, _ rules: String, _ target: String = "/") throws -> String? {
        let ruleSet = try RuleSet(text: rules)
        var evaluation = Evaluation(ruleSet.program)
        evaluation.evaluate(RuleRequest(target: target, host: "a.test"))
        guard evaluation.outcome.isUpstream, let redirects = evaluation.upstreamRedirects else { return nil }
        let bytes = LocationRewriter(ruleSet).changes(by: redirects, at: nil).rewritten(Array(location.utf8).span)
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("A request has its own values and those of its location")
    func values() throws {
        let rules = """
            server {
                location ~ ^/(a|b)$ {
                    proxy_pass http://up.test;
                    proxy_redirect ~^/x/(?<end>.*)$ /$end/$arg_n;
                    proxy_redirect /y/ /z/;
                    proxy_redirect /$1/ /$arg_n/;
                    proxy_redirect ~^(.)/$ $1$host$arg_n$1;
                }
            }
            """
        #expect(try rewritten("/x/1", rules, "/a?n=2") == "/1/2")
        #expect(try rewritten("/y/1", rules, "/a?n=2") == "/z/1")
        #expect(try rewritten("/a/1", rules, "/a?n=2") == "/2/1")
        #expect(try rewritten("/b/1", rules, "/b") == "//1")
        #expect(try rewritten("/b/1", rules, "/a") == nil)
        #expect(try rewritten("c/", rules, "/a?n=2") == "ca.test2c")
    }

    @Test("The example of the reference")
    func documented() throws {
        let rules = """
            server {
                server_name example.com;
                location /shop/ {
                    proxy_pass http://127.0.0.1:8080/;
                    proxy_redirect default;
                    proxy_redirect ~^http://[^/]+:8081/(.*)$ https://$host/pay/$1;
                }
            }
            """
        #expect(try rewritten("http://127.0.0.1:8080/b", rules, "/shop/a") == "/shop/b")
        #expect(try rewritten("http://10.0.0.1:8081/c", rules, "/shop/a") == "https://a.test/pay/c")
        #expect(try rewritten("http://10.0.0.1:8080/c", rules, "/shop/a") == nil)
    }

    @Test("An expression that takes too long is not for a Location, and the next one is asked")
    func limits() throws {
        let rules = """
            server {
                location / {
                    proxy_pass http://up.test;
                    proxy_redirect ~^(a+)+$ /slow;
                    proxy_redirect a /next;
                }
            }
            """
        #expect(try rewritten("aaa", rules) == "/slow")
        #expect(try rewritten(String(repeating: "a", count: 60) + "!", rules)?.hasPrefix("/next") == true)
    }

    @Test("Only a proxy redirects, and a level sets it for all below it")
    func levels() throws {
        #expect(try rewritten("http://up.test/a", "server { proxy_redirect http://up.test/ /b/; }") == nil)
        let rules = "http { proxy_redirect / /http/; server { location / { proxy_pass http://up.test; } } }"
        #expect(try rewritten("/a", rules) == "/http/a")
        #expect(try rewritten("http://up.test/a", rules) == nil)
    }
}
