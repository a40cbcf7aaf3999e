#if Gateway
import Testing

/// The view of the routes, as a person uses it.
@Suite(.serialized, .inBrowser) struct PageRoutesTests {
    @Test("A URL lights up its way in the tree of the routes, whose hits are counted")
    func showsRoutes() async throws {
        let rules = ["rules.conf": "route /user/:id name=user;\nroute /user/me name=me;\nroute /item/:id name=item;\n"]
        try await RunningGateway.with(rules) { gateway in
            for _ in 0..<3 { _ = try await gateway.get("/user/7") }
            try await Browser.at(gateway.adminPort) { page in
                try await page.go("routes")
                try await page.type("http://a.test/user/42", into: "main input")
                try await page.click("main form button")
                try await page.wait("document.querySelectorAll('.tree .lit').length === 2")
                #expect(try await page.text("document.querySelector('.tree').textContent").hasPrefix("PatternNameHits"))
                #expect(
                    try await page.text("document.querySelector('.tree .leaf.lit, .tree .lit.leaf').textContent")
                        .contains("user3")
                )
            }
        }
    }
}
#endif
