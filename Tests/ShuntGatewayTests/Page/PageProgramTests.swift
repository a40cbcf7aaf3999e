#if Gateway
import Foundation
import TestFolder
import Testing

/// `shunt page`: the page for rules without traffic.
@Suite(.serialized) struct PageProgramTests {
    /// The program while a test reads it.
    private static func with(rules: String, _ body: (UInt16) async throws -> Void) async throws {
        let files = try TestFolder()
        try files.write("errors", "")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: ServedProgram.program)
        process.arguments = ["page", "--rules", rules, "--listen", "0"]
        let errors = try #require(FileHandle(forWritingAtPath: files.path + "/errors"))
        process.standardError = errors
        process.standardOutput = errors
        try process.run()
        defer { process.terminate() }
        var port: UInt16 = 0
        try await Wait.until("shunt page listens") {
            let text = try files.text("errors")
            guard let found = text.range(of: "the page is at http://127.0.0.1:") else { return false }
            port = UInt16(text[found.upperBound...].prefix { $0.isNumber }) ?? 0
            return port != 0
        }
        try await body(port)
    }

    @Test("Rules that an author edits are explained, checked and loaded again, and their tests are run", .inBrowser)
    func page() async throws {
        let folder = try TestFolder()
        try folder.write(
            "rules.conf",
            "server { location = /a { return 301 /b; } location = /c { return 204; } }\nexpect http://a.test/a redirect 301;\n"
        )
        try await Self.with(rules: folder.path) { port in
            try await Browser.at(port) { page in
                try await page.wait("document.querySelector('main').textContent.includes('Test coverage')")
                #expect(try await page.text("document.querySelector('main').textContent").contains("1 test, all pass"))
                try await AccessibilityCheck.check(page, "the overview of shunt page")
                try await page.go("explain?url=http%3A%2F%2Fa.test%2Fc")
                try await page.wait("document.getElementById('outcome')?.textContent.includes('204')")
                // Without requests there is nothing to count.
                try await page.go("rules")
                try await page.wait("document.querySelector('.open-rule')")
                let heads = "[...document.querySelectorAll('[role=columnheader]')].map(one => one.textContent).join()"
                #expect(try await page.text(heads) == "Place,Rule,Findings")
                #expect(try await page.holds("!document.querySelector('[data-filter=never-hit]')"))
                try await page.go("live")
                try await page.wait("document.querySelector('main').textContent.includes('No requests arrive here')")
                try await page.go("reloads")
                try folder.replace(
                    "rules.conf",
                    "server { location = /a { return 302 /b; } location = /c { return 204; } }\n"
                )
                try await page.wait("document.querySelector('.diff ins')?.textContent === '2'")
            }
        }
    }

    @Test("It reports mistakes of rules, and does not begin")
    func refuses() async throws {
        let folder = try TestFolder()
        try folder.write("rules.conf", "locatoin;\n")
        for (arguments, status, words) in [
            (["--rules", folder.path], Int32(3), "rules.conf:1:1: error"),
            (["--rules", folder.path, "--listen", "0.0.0.0:0"], 2, "can be reached from other machines"),
        ] {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: ServedProgram.program)
            process.arguments = ["page"] + arguments
            let pipe = Pipe()
            process.standardError = pipe
            try process.run()
            let text = try await Blocking.run {
                let data = pipe.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                return String(decoding: data, as: UTF8.self)
            }
            #expect(process.terminationStatus == status)
            #expect(text.contains(words), "\(text)")
        }
    }
}
#endif
