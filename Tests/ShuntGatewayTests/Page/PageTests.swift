#if Gateway
import Foundation
import Shunt
import ShuntGateway
import ShuntTools
import TestFolder
import Testing

extension Trait where Self == ConditionTrait {
    /// Only where there is a browser.
    static var inBrowser: Self { .enabled(if: Chromedriver.isInstalled, Comment(rawValue: Chromedriver.missing)) }
}

/// Use of the page by a person, in headless Chromium.
@Suite(.serialized, .inBrowser, .timeLimit(.minutes(10))) struct PageTests {
    /// The rules of the README.
    static let example =
        String(#filePath.dropLast("/Tests/ShuntGatewayTests/Page/PageTests.swift".utf8.count)) + "/rules"
    static var exampleRules: RunningGateway.Change { RunningGateway.Change { $0.rules = example } }
    private static let few = [
        "rules.conf": """
        route kl://user/:id name=user;
        server {
            location = /a { return 301 /b; }
            location = /c { return 200 c; }
            location = /d { return 200 d; }
        }

        """
    ]

    @Test("The first of 10,000 rules are there in a second, nothing comes from elsewhere, and few are in the document")
    func opensQuickly() async throws {
        let rules = (0..<10_000).map { "    location = /page/\($0) { return 301 /new/\($0); }\n" }.joined()
        try await RunningGateway.with(["rules.conf": "server {\n\(rules)}\n"]) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                let shown = "performance.getEntriesByName('rules-shown')[0].startTime"
                try await page.open("http://127.0.0.1:\(gateway.adminPort)/?#/rules")
                try await page.wait("document.querySelector('.rows .row button')")
                #if DEBUG
                let bound = 20_000.0
                #else
                let bound = 1_000.0
                #endif
                #expect(try await page.number(shown) < bound)
                let isOwn =
                    "performance.getEntriesByType('resource').every(one => one.name.startsWith(location.origin))"
                #expect(try await page.holds(isOwn))
                #expect(try await page.number("document.querySelectorAll('.rows .row').length") < 60)
                #expect(
                    try await page.text("document.querySelector('main [role=status]').textContent") == "10,000 rules"
                )
                // Who scrolls through all of them waits for none that have passed.
                try await page.run(
                    """
                    const table = document.querySelector('.table');
                    const step = at => {
                      table.scrollTop = at;
                      if (at < table.scrollHeight) requestAnimationFrame(() => step(at + table.scrollHeight / 200));
                      else window.isThrough = true;
                    };
                    step(0);
                    """
                )
                try await page.wait("window.isThrough")
                try await page.wait("document.querySelector('.rows').textContent.includes('/new/9999')")
                // At any moment: a slow one has many others in a row next to it.
                let asked = """
                    performance.getEntriesByType('resource').filter(one => one.name.includes('/rules?'))
                    """
                #expect(
                    try await page.holds(
                        """
                        \(asked).every(one => \(asked).filter(
                          other => other.startTime <= one.startTime && one.startTime < other.responseEnd).length <= 3)
                        """
                    )
                )
                try await page.run("document.querySelector('.table').scrollTop = 0")
                try await page.wait("document.querySelector('.rows').textContent.includes('/new/3')")
                try await page.run("document.querySelector('.table').scrollTop = 36 * 9990")
                try await page.wait("document.querySelector('.rows').textContent.includes('/new/9999')")
                try await page.type("/page/77", into: "input[type=search]")
                // The text of a location is found, too.
                let status = "document.querySelector('main [role=status]').textContent"
                try await page.wait("\(status) === '111 of 10,000 rules'")
                try await page.type("/new/777", into: "input[type=search]")
                try await page.wait("document.querySelector('main [role=status]').textContent === '11 of 10,000 rules'")
            }
        }
    }

    @Test("Markup, bidirectional and control characters are text in every view, and long URLs are cut")
    func showsHostileTextAsText() async throws {
        let text = "</script><img src=x onerror=alert(1)>\u{202e}gnp\u{200b}"
        // The route is not one that could be hit; its name and the rule's text are what is shown.
        let rules = [
            "rules.conf": "route \"/<b>:id\" name=shown;\nserver { location = /x { return 200 \"\(text)\"; } }\n"
        ]
        try await RunningGateway.with(rules) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                let isText = "!document.querySelector('img') && !document.querySelector('main script')"
                try await page.go("rules")
                try await page.wait("document.querySelector('.rows').textContent.includes('<img src=x')")
                try await page.wait("document.querySelector('.rows .ctl')")
                #expect(try await page.text("document.querySelector('.rows').textContent").contains("U+202EgnpU+200B"))
                try await page.click(".open-rule")
                try await page.wait("document.querySelector('.code .ctl')")
                #expect(try await page.holds(isText))

                let long = "http://a.test/" + String(repeating: "<b>\u{202e}", count: 9_000)
                try await page.go("explain")
                try await page.run("document.getElementById('explain-url').value = arguments[0]", long)
                try await page.click("main form button.primary")
                try await page.wait("document.querySelector('.story .ctl')")
                #expect(try await page.text("document.querySelector('.story').textContent").contains("more characters"))
                #expect(try await page.number("document.querySelector('.story').textContent.length") < 60_000)
                #expect(try await page.holds(isText))

                try await page.go("live")
                try await page.wait("document.getElementById('main').dataset.listening")
                _ = try await gateway.get("/</script><img/src=x/onerror=alert(1)>")
                try await page.wait("document.querySelector('.live tbody').textContent.includes('<img/src=x')")
                #expect(try await page.holds(isText))

                try await page.go("routes?url=http%3A%2F%2Fa.test%2F%3Cimg%20src%3Dx%3E")
                try await page.wait("document.querySelector('main').textContent.includes('<b>')")
                #expect(try await page.holds("\(isText) && !document.querySelector('main svg b')"))

                try await page.go("reloads")
                try gateway.directory.replace("rules.conf", "server { location = /x { return 200 \"2\(text)\"; } }\n")
                await gateway.gateway.reload()
                try await page.wait("document.querySelector('.diff')?.textContent.includes('<img src=x')")
                try await page.wait("document.querySelector('.diff .ctl')")
                #expect(try await page.holds(isText))

                try gateway.directory.replace("rules.conf", "server { \"\(text)\" 1; }\n")
                await gateway.gateway.reload()
                try await page.wait("document.querySelector('main').textContent.includes('error: ')")
                #expect(try await page.holds(isText))
                try await page.go("overview")
                try await page.wait("document.querySelector('main').textContent.includes('Decisions by kind')")
                #expect(try await page.holds(isText))
            }
        }
    }

    @Test("A URL is explained step by step as /explain does, what it captured is marked, and its copies hold")
    func explains() async throws {
        try await RunningGateway.with([:], options: Self.exampleRules) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("explain")
                try await page.type("kl://Cashier/checkout?id=1", into: "#explain-url")
                try await page.run(
                    """
                    const label = [...document.querySelectorAll('label')].find(one => one.textContent === '$app_version');
                    document.getElementById(label.htmlFor).value = '3.1.9';
                    """
                )
                try await page.press("\u{e007}")
                try await page.click("main form button.primary")
                try await page.wait("document.getElementById('outcome')")
                let steps = "[...document.querySelectorAll('.story > li.hit')].map(one => one.textContent)"
                #expect(try await page.number("\(steps).length") == 3)
                let first = try await page.text("\(steps)[0]")
                #expect(first.contains("rename_host Cashier Pay"))
                #expect(first.contains("kl://Pay/checkout?id=1"))
                #expect(try await page.text("document.querySelector('.story ins').textContent") == "Pay")
                #expect(try await page.text("\(steps)[1]").contains("if ($app_version < 3.2.0)"))
                #expect(try await page.text("document.querySelector('.story mark').textContent") == "checkout")
                let outcome = try await page.text("document.getElementById('outcome').textContent")
                #expect(outcome.contains("degrade https://m.example.com/pay/checkout?id=1"))
                #expect(try await page.text("location.hash").contains("input.app_version=3.1.9"))
                #expect(
                    try await page.holds(
                        "document.querySelector('.story .skips summary').textContent.includes('did not apply')"
                    )
                )

                let copied = "document.querySelector('[data-copy=\"Copy as expect\"]').dataset.text"
                let expectation = try await page.text(copied)
                #expect(expectation.hasPrefix("expect kl://Cashier/checkout?id=1 degrade"))
                let path = "\(Self.example)/20-degrade.conf"
                let rules = try String(contentsOfFile: path, encoding: .utf8)
                let hosts = try String(contentsOfFile: "\(Self.example)/10-hosts.conf", encoding: .utf8)
                _ = try RuleSet(text: hosts + rules + expectation + "\n")

                // The link is the whole question.
                try await page.run("location.reload()")
                try await page.wait("document.getElementById('outcome')?.textContent.includes('degrade')")
            }
        }
    }

    @Test("Rules that were never hit are filtered, and sorted by hits as /rules has it")
    func filters() async throws {
        try await RunningGateway.with(Self.few) { gateway in
            for _ in 0..<3 { _ = try await gateway.get("/c") }
            _ = try await gateway.get("/d")
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("rules")
                let texts = "[...document.querySelectorAll('.open-rule')].map(one => one.textContent).join('|')"
                try await page.wait("\(texts).includes('return 200 d')")
                try await page.click("[role=columnheader]:nth-child(3) button")
                try await page.wait("\(texts).startsWith('return 200 c|return 200 d|')")
                #expect(try await page.text("document.querySelector('[aria-sort=descending]').textContent") == "Hits")
                try await page.click("[data-filter=never-hit]")
                try await page.wait("\(texts) === 'return 301 /b'")
                #expect(try await page.text("location.hash").contains("filter=never-hit"))
                try await page.click(".open-rule")
                try await page.wait("document.querySelector('.detail')?.textContent.includes('http://')")
                try await page.click(".detail a.button")
                try await page.wait("document.getElementById('outcome')?.textContent.includes('redirect 301')")
            }
        }
    }

    @Test("A file that is changed while the page is open appears with both texts and what it changes")
    func showsReloads() async throws {
        let watching = RunningGateway.Change { $0.watchesRules = true }
        try await RunningGateway.with(Self.few, options: watching) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("reloads")
                try await page.wait("document.querySelectorAll('.attempts li').length === 1")
                let rules = try #require(Self.few["rules.conf"])
                try gateway.directory.replace("rules.conf", rules.replacing("return 200 d", with: "return 302 /e"))
                try await page.wait("document.querySelectorAll('.attempts li').length === 2")
                try await page.wait("document.querySelector('.diff')")
                #expect(try await page.text("document.querySelector('.diff del').textContent") == "200 d")
                #expect(try await page.text("document.querySelector('.diff ins').textContent") == "302 /e")
                try await page.wait("document.querySelector('.flow')")
                #expect(try await page.text("document.querySelector('.flow').textContent").contains("redirect 302"))
                try gateway.directory.replace("rules.conf", "locatoin /;\n")
                try await page.wait("document.querySelector('#attempt .code')?.textContent.includes('^~~~')")
                // One line below the other, under the version that serves.
                #expect(try await page.number("document.querySelectorAll('#attempt .code > div').length") >= 3)
                #expect(!(try await page.text("document.getElementById('attempt').textContent")).contains("U+000A"))
                #expect(
                    try await page.text("document.querySelector('#attempt h2').textContent")
                        .contains("version 2 serves")
                )
                #expect(try await page.text("document.querySelector('#state').textContent").contains("not in use"))
            }
        }
    }

    @Test("Held rules are shown with what they change, and approved by the hash that is shown")
    func approves() async throws {
        let change = RunningGateway.Change { options in
            options.gate.maximumRemoved = ChangeLimit("0")
            options.gate.action = .hold
        }
        try await RunningGateway.with(Self.few, options: change) { gateway in
            try gateway.directory.replace("rules.conf", "server { location = /c { return 410; } }")
            await gateway.gateway.reload()
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("explain?url=http%3A%2F%2Fa.test%2Fc&held=true")
                try await page.wait("document.querySelector('.held')?.textContent.includes('410')")
                try await page.go("reloads")
                try await page.wait("document.querySelector('[data-what=approve]')")
                // Others are held by the time of the click.
                try gateway.directory.replace("rules.conf", "server { location = /c { return 411; } }")
                await gateway.gateway.reload()
                let hash = try await page.text("document.querySelector('#candidate code').textContent")
                #expect(try await page.text("document.querySelector('[data-what=approve]').textContent").contains(hash))
                try await page.wait("document.querySelector('#candidate code').textContent !== '\(hash)'")
                try await page.click("[data-what=approve]")
                try await page.wait("!document.getElementById('candidate')")
                #expect(try await gateway.get("/c").status == 411)
                try await page.wait("document.getElementById('state').textContent.includes('version 2')")
            }
        }
    }

    @Test("The page asks for the token, and keeps it in no URL and no storage")
    func asksForTheToken() async throws {
        let token = "correct-horse-battery"
        let change = RunningGateway.Change { $0.adminToken = Array(token.utf8) }
        try await RunningGateway.with(Self.few, options: change) { gateway in
            try await Browser.at(gateway.adminPort, expecting: "401") { page in
                try await page.wait("document.getElementById('token').open")
                try await page.type("wrong", into: "#token-text")
                try await page.click("#token button")
                try await page.wait(
                    "document.getElementById('token-problem').textContent === 'The token is wrong.'"
                )
                try await page.type(token, into: "#token-text")
                try await page.click("#token button")
                try await page.wait("document.getElementById('main').dataset.ready === 'overview'")
                try await page.go("live")
                try await page.wait("document.getElementById('main').dataset.listening")
                #expect(try await page.holds("localStorage.length === 0 && sessionStorage.length === 0"))
                #expect(try await page.text("document.cookie + location.href").contains(token) == false)
                let names = "performance.getEntriesByType('resource').map(one => one.name).join(' ')"
                #expect(try await page.text(names).contains(token) == false)
            }
        }
    }

    @Test("At most fifty decisions a second are shown, the others are counted, and it can be paused")
    func showsDecisions() async throws {
        try await RunningGateway.with(Self.few) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("live")
                try await page.wait("document.getElementById('main').dataset.listening")
                let count = 3_000
                let request = "GET /c HTTP/1.1\r\nHost: a.test\r\n\r\n"
                _ = try await gateway.send(String(repeating: request, count: count), responses: count)
                let numbers = "document.getElementById('lost').textContent.replaceAll(',', '').match(/\\d+/g)"
                try await page.wait("(\(numbers) ?? []).reduce((sum, one) => sum + +one, 0) === \(count)")
                #expect(try await page.number("\(numbers)[0]") < 1_000)
                try await page.click("main button[aria-pressed]")
                try await page.wait("document.getElementById('lost').textContent === 'Paused.'")
                try await page.run(
                    "const kind = document.querySelector('main select'); kind.value = 'redirect'; kind.dispatchEvent(new Event('change'))"
                )
                try await page.click("main button[aria-pressed]")
                try await page.wait("document.getElementById('lost').textContent === 'Listening.'")
                _ = try await gateway.get("/c")
                _ = try await gateway.get("/a")
                try await page.wait("document.querySelector('.live tbody').textContent.includes('redirect')")
                #expect(try await page.number("document.querySelectorAll('.live tbody tr').length") == 1)
            }
        }
    }

    @Test("The overview draws the counts, and has the findings of lint")
    func showsAnOverview() async throws {
        try await RunningGateway.with([:], options: Self.exampleRules) { gateway in
            _ = try await gateway.send("GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n")
            try await Browser.at(gateway.adminPort) { page in
                try await page.wait("document.querySelectorAll('svg.chart').length === 2")
                try await page.wait("document.querySelector('main').textContent.includes('Lint findings')")
                #expect(try await page.text("document.querySelector('.tile .big').textContent").contains("version 1"))
            }
        }
    }
}
#endif
