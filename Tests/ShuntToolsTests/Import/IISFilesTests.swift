import ShuntRules
import Testing

@testable import ShuntTools

@Suite("Files and limits of IIS")
struct IISFilesTests {
    @Test("Checks of IIS that refuse nothing have no note, and its own files are not shown")
    func iisFiles() throws {
        let imported = try IISImport.rules(
            named: "web.config",
            text: """
                <configuration><system.webServer>
                <security><requestFiltering><requestLimits maxAllowedContentLength="1000" /></requestFiltering>
                <access sslFlags="None" /><authentication><anonymousAuthentication enabled="true" />
                </authentication></security>
                <rewrite><rules><rule name="a"><match url="^page" /><conditions>
                <add input="{REQUEST_FILENAME}" matchType="IsFile" negate="true" /></conditions>
                <action type="Rewrite" url="/b" /></rule></rules></rewrite></system.webServer></configuration>
                """,
            root: "/srv"
        )
        #expect(imported.notes.isEmpty && imported.text.contains("client_max_body_size 1000;"))
        let requests = """
            GET /Web.Config a -> respond 403
            GET /x/web.config a -> respond 403
            GET /bin/site.dll a -> respond 403
            GET /App_Data/x.mdf a -> respond 403
            GET /binary a -> respond 404
            """
        let ruleSet = try RuleSet(text: imported.text)
        let cases = try TestFile(Array(requests.utf8), named: "cases", host: nil).cases
        for outcome in RuleTests(ruleSet, cases).run().outcomes where outcome.result != .passed {
            Issue.record("\(outcome.test.request): \(outcome.decision.map { "\($0)" } ?? "")\n\(imported.text)")
        }
    }

    @Test(
        "A size that is not a limit here, or not a size, is left out with a note",
        arguments: [
            ("0", "0 means no limit here"), ("-1", "this is not a size"), ("1k", "this is not a size"),
            ("2147483648", "this is not a size"),
        ]
    )
    func sizes(size: String, reason: String) throws {
        let imported = try IISImport.rules(
            named: "web.config",
            text: """
                <configuration><system.webServer><security><requestFiltering>
                <requestLimits maxAllowedContentLength="\(size)" /></requestFiltering></security>
                </system.webServer></configuration>
                """,
            root: "/srv"
        )
        #expect(imported.notes.map(\.reason) == [reason] && imported.notes.map(\.line) == [2])
        #expect(!imported.text.contains("client_max_body_size"))
        _ = try RuleSet(text: imported.text)
    }
}
