import Foundation
import Testing

/// The systems of docs/embedding.md, against the check with musl, the workflow and the sources.
@Suite struct PlatformTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: Document.root + "/" + path, encoding: .utf8)
    }

    /// The section, with its rows by the system.
    private static func section() throws -> (text: String, rows: [String: String]) {
        let section = try #require(try Document("docs/embedding.md").sections.first { $0.title == "Platforms" })
        var rows: [String: String] = [:]
        for line in section.text.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells.count == 2 { rows[cells[0]] = cells[1] }
        }
        return (section.text, rows)
    }

    /// The targets and products that a text names.
    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /`(Shunt\w*)`/).map { String($0.1) })
    }

    @Test("The targets that are checked with musl are those of scripts/check-musl")
    func musl() throws {
        let row = try #require(try Self.section().rows["Linux with musl"])
        let script = try Self.text("scripts/check-musl")
        let targets = try #require(script.firstMatch(of: /\nfor target in (.*); do/)).1.split(separator: " ")
        #expect(Self.names(in: row) == Set(targets.map(String.init)))
        #expect(try Self.text("scripts/test").contains("\nscripts/check-musl\n"))
    }

    @Test("The workflow builds the products that are written for other systems, and the manifest has these products")
    func workflow() throws {
        let (_, rows) = try Self.section()
        let workflow = try Self.text(".github/workflows/platforms.yml")
        let products = try #require(workflow.firstMatch(of: /PRODUCTS: (.*)/)).1.split(separator: " ").map(String.init)
        #expect(try Self.names(in: #require(rows["macOS and iOS"])) == Set(products))
        #expect(try Self.names(in: #require(rows["Windows"])) == ["ShuntInterfaces"])
        #expect(workflow.contains("swift build --product ShuntInterfaces\n"))
        let manifest = try Self.text("Package.swift")
        for product in products { #expect(manifest.contains(".library(name: \"\(product)\""), "\(product)") }
        for (system, state) in rows where system == "Windows" || system.hasPrefix("macOS") {
            #expect(state.hasSuffix("not built yet"), "\(system)")
        }
        #expect(try Self.text("README.md").contains("(docs/embedding.md#platforms), and not built there yet."))
    }

    @Test("The targets with other imports of glibc are those for Linux alone")
    func linux() throws {
        var found: Set<String> = []
        for name in try FileManager.default.subpathsOfDirectory(atPath: Document.root + "/Sources")
        where name.hasSuffix(".swift") && !["/CLibrary.swift", "/InotifyQueue.swift"].contains(where: name.hasSuffix) {
            let text = try Self.text("Sources/" + name)
            if text.contains("import Glibc\n") { found.insert(String(name.prefix { $0 != "/" })) }
        }
        #expect(found == ["ShuntCommand", "ShuntFleet", "ShuntGateway"])
        let page = try Self.section().text.replacing("\n", with: " ")
        #expect(page.contains("`ShuntFleet`, `ShuntGateway` and the program `shunt` are for Linux with glibc."))
    }

    @Test("The manifest, the script and the page name the same package of PCRE2")
    func pcre2() throws {
        let page = try Self.section().text
        for path in ["Package.swift", "scripts/check-resolution", "scripts/pcre2-package"] {
            #expect(try Self.text(path).contains("SHUNT_PCRE2"), "\(path)")
        }
        let script = try Self.text("scripts/pcre2-package")
        #expect(script.contains("name: \"CPCRE2\"") && script.contains("#define PCRE2_CODE_UNIT_WIDTH 8\n"))
        #expect(page.contains("SHUNT_PCRE2=/path/to/CPCRE2 swift build"))
    }
}
