#if Gateway
import Testing

/// The view of the rules, as a person uses it.
@Suite(.serialized, .inBrowser) struct PageRulesTests {
    private static let rules = ["rules.conf": "server { location = /c { allow 127.0.0.0/8; return 200 c; } }\n"]

    @Test("The rules are as many as everywhere else; what is not a rule has a row, too")
    func counts() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("rules")
                try await page.wait("document.querySelector('main [role=status]').textContent === '2 rows, 1 rule'")
                #expect(try await page.text("document.getElementById('state').textContent").contains("1 rule"))
            }
        }
    }

    @Test("A rule closes with Escape")
    func escape() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("rules")
                try await page.wait("document.querySelector('.open-rule')")
                try await page.click(".open-rule")
                try await page.wait("!document.querySelector('.detail').hidden")
                try await page.press("\u{e00c}")
                try await page.wait("document.querySelector('.detail').hidden")
            }
        }
    }
}
#endif
