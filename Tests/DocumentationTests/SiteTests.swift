import Foundation
import TestFolder
import Testing

/// The site that `scripts/docs-site` renders of the documents.
@Suite struct SiteTests {
    /// A program in the place of pandoc, which need not be installed: it copies its input.
    private static let pandoc = """
        #!/bin/sh
        while [ $# -gt 1 ]; do
            [ "$1" != --output ] || output=$2
            shift
        done
        cp "$1" "$output"

        """

    /// Renders the site into the folder `site` of a new one.
    private static func render() throws -> TestFolder {
        let folder = try TestFolder(["bin/pandoc": pandoc])
        let pandoc = folder.path + "/bin/pandoc"
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: pandoc)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [Document.root + "/scripts/docs-site", folder.path + "/site"]
        process.environment = ["PATH": folder.path + "/bin:/usr/bin:/bin"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return folder
    }

    /// Renders the site, and returns the entries of the index of its search: address, title and text.
    private static func index() throws -> [[String]] {
        let script = try render().text("site/search-index.js")
        let list = script.replacing("window.searchIndex = ", with: "").replacing(",\n];", with: "]")
        return try JSONDecoder().decode([[String]].self, from: Data(list.utf8))
    }

    @Test("The search has every section of the documents, with its address")
    func search() throws {
        let entries = try Self.index()
        #expect(entries.allSatisfy { $0.count == 3 && !$0[1].isEmpty })
        for page in Document.whole + Document.others where page.hasPrefix("docs/") {
            let address = String(page.dropLast(2)) + "html"
            let found = Set(entries.map { $0[0] }.filter { $0 == address || $0.hasPrefix(address + "#") })
            let title = LinkTests.anchor(try #require(Document(page).sections.first).title)
            let sections = try LinkTests.anchors(of: page).subtracting([title]).map { address + "#" + $0 }
            #expect(found == Set(sections + [address]), "\(page)")
        }
        for words in ["metrics and alerts", "maintenance page", "why a rule does not match", "audit"] {
            #expect(entries.contains { $0[1].lowercased().contains(words) && $0[0].hasPrefix("docs/") }, "\(words)")
        }
    }

    private static let browser = ["/usr/bin/chromium", "/usr/local/bin/chromium", "/usr/bin/google-chrome"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Questions as readers type them, each with the section that answers it.
    static let questions = [
        ("answer a path with 503 for part of the users until a time", "cookbook.html#close-a-path-with-a-503-"),
        ("import redirects from CSV", "lists.html#import-redirects-"),
        ("redirect loops and doubles", "lists.html#import-redirects-"),
        ("hits per redirect", "lists.html#import-redirects-"),
        ("deep links and universal links with the same rules", "app-links.html#deep-links-universal-links-"),
        ("apple-app-site-association from rules", "app-links.html#deep-links-universal-links-"),
        ("Swift dependency", "embedding.html#swift-dependency-"),
        ("Swift thread safety, reload", "embedding.html#swift-dependency-"),
        ("install Python", "other-languages.html#python"),
        ("install Go", "other-languages.html#go"),
        ("which ports does it listen on", "serving-nginx-conf.html#listeners-ports-and-tls"),
        ("TLS certificate ACME reload", "serving-nginx-conf.html#tls-certificates-"),
        ("limit requests per client", "serving-nginx-conf.html#a-password-and-a-limit-"),
        ("scrape metrics Prometheus", "operations.html#metrics-and-alerts-"),
        ("upgrade without lost connections", "install.html#upgrade-without-lost-connections"),
        ("why does location not match my URL", "testing.html#why-a-rule-does-not-match"),
        ("try one expression with its groups", "testing.html#try-one-expression-"),
        ("Grafana dashboard", "operations.html#metrics-and-alerts-"),
        ("metric hits by rule label", "operations.html#metrics-and-alerts-"),
        ("run tests against the running gateway", "testing.html#tests-against-a-running-server"),
        ("Hurl tests against gateway", "testing.html#tests-against-a-running-server"),
        ("audit who changed approved rule", "changing-rules.html#audit-who-changed-"),
        ("how do I require approval", "changing-rules.html#require-approval-"),
    ]

    @Test(
        "The search finds the section that answers a reader's question first",
        .enabled(if: browser != nil, "Chromium is not installed")
    )
    func firstAnswers() throws {
        let folder = try Self.render()
        let queries = String(decoding: try JSONEncoder().encode(Self.questions.map(\.0)), as: UTF8.self)
        try folder.write(
            "site/questions.html",
            """
            <input id="search"><ol id="found"></ol><pre></pre>
            <script src="search-index.js"></script><script src="search.js" data-root=""></script>
            <script>
            const input = document.getElementById("search");
            document.querySelector("pre").textContent = \(queries).map((question) => {
                input.value = question;
                input.dispatchEvent(new Event("input"));
                return document.querySelector("#found a")?.getAttribute("href") ?? "nothing";
            }).join("\\n");
            </script>

            """
        )
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Self.browser))
        process.arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--user-data-dir=\(folder.path)/profile", "--dump-dom", "file://\(folder.path)/site/questions.html",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let page = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let found = try #require(page.firstMatch(of: #/<pre>(.*?)</pre>/#.dotMatchesNewlines()))
            .1.split(separator: "\n")
        try #require(found.count == Self.questions.count)
        for ((question, section), address) in zip(Self.questions, found) {
            #expect(address.hasPrefix("docs/" + section), "\(question)")
        }
    }
}
