#if Gateway
import Foundation
import Shunt
import ShuntGateway
import ShuntTools
import TestFolder
import Testing

/// Trials in the page that change nothing: drafts, other times, rules that did not apply, single expressions.
@Suite(.serialized) struct PageDraftTests {
    private static let rules = [
        "10.conf": """
        input $app_version "0";
        if ($app_version >= 3.0.0 && $app_version < 3.2.0 && $time_of_day >= 22:00) { block host night.test 503; }

        """,
        "20.conf": """
        server { server_name a.test; location = /a { return 301 /b; } location = /c { return 200 c; } }

        """,
    ]

    private static func explain(_ gateway: RunningGateway, _ query: String) async throws -> TestResponse {
        try await gateway.get("/explain?\(query)", from: gateway.adminPort)
    }

    @Test("A draft of a file is explained next to the rules in use, and never saved")
    func drafts() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let listed = try await gateway.get("/files", from: gateway.adminPort).text
            let name = gateway.directory.path + "/20.conf"
            #expect(listed.contains("\"\(gateway.directory.path)/10.conf\",\"\(name)\""))
            let file = try await gateway.get("/files?name=\(name)", from: gateway.adminPort).text
            #expect(file.contains("server_name a.test"))
            let draft = "server { server_name a.test; location = /a { return 410; } }"
                .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            let query = "url=http%3A%2F%2Fa.test%2Fa&file=\(name)&draft=\(draft ?? "")"
            let answer = try await Self.explain(gateway, query).text
            let parts = answer.components(separatedBy: "\"draft\":")
            #expect(parts.count == 2)
            #expect(parts[0].contains("\"status\":301"))
            #expect(parts.last?.contains("\"status\":410") == true)
            #expect(try await gateway.get("/a").status == 301)
            #expect(try String(contentsOfFile: name, encoding: .utf8) == Self.rules["20.conf"])
            #expect(!FileManager.default.fileExists(atPath: gateway.directory.path + "/zz.conf"))
            let version = try await gateway.get("/version", from: gateway.adminPort).text
            #expect(version.contains("\"version\":1,"))

            let added = try await Self.explain(
                gateway,
                "url=http%3A%2F%2Fz.test%2F&file=zz.conf&draft=block%20host%20z.test%3B"
            )
            #expect(added.text.components(separatedBy: "\"draft\":").last?.contains("\"decision\":\"block\"") == true)
        }
    }

    @Test("Errors of a draft have their places, and a file elsewhere is no draft")
    func refusedDrafts() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let query = "url=http%3A%2F%2Fa.test%2Fa&file=\(gateway.directory.path)/20.conf&draft="
            let answer = try await Self.explain(gateway, query + "%0A%20retrun%20200%3B").text
            #expect(answer.contains("/20.conf:2:2"))
            #expect(answer.contains("^~~~~~"))
            for name in ["", "other/20.conf", "../20.conf", "/etc/passwd", "passwd", "30.txt"] {
                let answer = try await Self.explain(gateway, "url=http%3A%2F%2Fa.test%2F&file=\(name)&draft=x")
                #expect(answer.status == 400, "\(name)")
                #expect(answer.text == "no rule file is named \"\(name)\"\n")
            }
            for name in ["nothing.conf", "/etc/passwd"] {
                #expect(try await gateway.get("/files?name=\(name)", from: gateway.adminPort).status == 404)
            }
            // An include of a draft finds the files of the rules only.
            let include = try await Self.explain(gateway, query + "include%20%2Fetc%2Fpasswd%3B").text
            #expect(include.contains("\"diagnostics\""))
            #expect(!include.contains("root:"))
        }
    }

    @Test("A draft learns nothing about the files of the machine")
    func filesOfTheMachine() async throws {
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(Self.rules, options: change) { gateway in
            for tested in [
                "if (-f /etc/passwd) { return 201; } return 202;", "root /proc/self/cwd; return 202 [$realpath_root];",
            ] {
                let draft = "server { server_name a.test; location = /a { \(tested) } }"
                    .addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                let query = "url=http%3A%2F%2Fa.test%2Fa&file=\(gateway.directory.path)/20.conf&draft=\(draft ?? "")"
                let parts = try await Self.explain(gateway, query).text.components(separatedBy: "\"draft\":")
                #expect(parts.count == 2)
                #expect(parts.last?.contains("\"status\":202") == true)
                #expect(parts.last?.contains("[/") == false || parts.last?.contains("[/proc/self/cwd]") == true)
            }
        }
    }

    @Test("A request is explained at another time, and a rule that did not apply with its reason")
    func timesAndReasons() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let query = "url=https%3A%2F%2Fnight.test%2F&input.app_version=3.1.0&time="
            let night = try await Self.explain(gateway, query + "2026-11-28T23:00:00Z").text
            #expect(night.contains("\"decision\":\"block\",\"status\":503"))
            let place = "&why_not=10.conf:2"
            let day = try await Self.explain(gateway, query + "2026-11-28T09:00:00Z" + place).text
            #expect(day.contains("\"decision\":\"forward\""))
            #expect(day.contains("\"why_not\":[{"))
            #expect(day.contains("\"reason\":\"not reached\""))
            #expect(day.contains("night.test"))
            let wrong = try await Self.explain(gateway, query + "soon")
            #expect(wrong.status == 400)
            #expect(wrong.text.hasPrefix("time is not an ISO 8601 time"))
            let nowhere = try await Self.explain(gateway, query + "2026-11-28T09:00:00Z&why_not=10.conf:99")
            #expect(nowhere.status == 400)
            #expect(nowhere.text == "there is no rule at \"10.conf:99\"\n")
        }
    }

    @Test(
        "One expression is tried on one text",
        arguments: [
            (
                "expression=%5E%2Fitem%2F(%3F%3Cid%3E%5Cd%2B)(x)%3F&subject=%2Fitem%2F42",
                "{\"matches\":true,\"groups\":[{\"number\":0,\"text\":\"/item/42\",\"range\":[0,8]},"
                    + "{\"number\":1,\"name\":\"id\",\"text\":\"42\",\"range\":[6,8]}]}"
            ),
            ("expression=%5E%2FA&subject=%2Fa", "{\"matches\":false}"),
            (
                "expression=%5E%2FA&subject=%2Fa&caseless=true",
                "{\"matches\":true,\"groups\":[{\"number\":0,\"text\":\"/a\",\"range\":[0,2]}]}"
            ),
            ("expression=(&subject=x", "{\"problem\":\"missing closing parenthesis\",\"offset\":1}"),
        ]
    )
    func expressions(query: String, answer: String) async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            let found = try await gateway.get("/match?\(query)", from: gateway.adminPort)
            #expect(found.text.trimmingCharacters(in: .newlines) == answer)
            #expect(try await gateway.get("/match?subject=x", from: gateway.adminPort).status == 400)
        }
    }

    @Test(
        "The page shows an if with its tests as one step, a draft, a reason and the groups of an expression",
        .inBrowser
    )
    func page() async throws {
        try await RunningGateway.with(Self.rules) { gateway in
            try await Browser.at(gateway.adminPort) { page in
                let query = "url=https%3A%2F%2Fnight.test%2F&input.app_version=3.1.0&time=2026-11-28T23%3A00%3A00Z"
                try await page.go("explain?\(query)")
                try await page.wait("document.getElementById('outcome')?.textContent.includes('503')")
                let ifs =
                    "[...document.querySelectorAll('.story > li.hit')].filter(one => one.textContent.includes('if ('))"
                #expect(try await page.number("\(ifs).length") == 1)
                #expect(try await page.number("\(ifs)[0].querySelectorAll('li').length") == 3)
                #expect(try await page.number("\(ifs)[0].querySelectorAll('.head ins').length") == 3)

                try await page.go("explain?\(query.replacing("T23", with: "T09"))&why_not=10.conf%3A2")
                try await page.wait("document.querySelector('main').textContent.includes('It was not reached')")
                try await page.click("main form details:last-of-type summary")
                try await page.wait("document.querySelector('main textarea.mono').value.includes('night.test')")
                try await page.run(
                    "const text = document.querySelector('main textarea.mono'); text.value = text.value.replace('22:00', '08:00')"
                )
                try await page.click("main form button.primary")
                try await page.wait("document.querySelector('.held')?.textContent.includes('503')")
                #expect(try await page.text("document.querySelector('.held').textContent").contains("Different from"))

                try await page.click("details.card summary")
                try await page.run(
                    """
                    const [expression, subject] = document.querySelectorAll('details.card input');
                    expression.value = '^/item/(\\\\d+)'; subject.value = '/item/42';
                    """
                )
                try await page.click("details.card button")
                try await page.wait("document.querySelector('details.card mark')?.textContent === '42'")
                #expect(try await page.text("document.getElementById('state').textContent").contains("on "))
                try await AccessibilityCheck.check(page, "explain with a draft")
            }
        }
    }
}
#endif
