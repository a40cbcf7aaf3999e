import Foundation
import Testing

/// The version in documents, and the files that a package has.
@Suite struct InstallTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: Document.root + "/" + path, encoding: .utf8)
    }

    private static func version() throws -> String {
        let header = try text("Sources/CVersion/include/CVersion.h")
        return String(try #require(header.firstMatch(of: /#define SHUNT_VERSION "(.*)"/)?.1))
    }

    @Test("The files that docs/install.md installs have the version of the sources")
    func files() throws {
        let page = try Self.text("docs/install.md")
        let version = try Self.version()
        #expect(page.contains("apt install ./shunt_\(version)-1_amd64.deb"))
        #expect(page.contains("-xzf shunt-\(version)-linux-x86_64.tar.gz"))
    }

    @Test("The last release in the changelog has the version of the sources")
    func changelog() throws {
        let releases = try Document("CHANGELOG.md").sections.filter { $0.level == 2 && $0.title != "[Unreleased]" }
        guard let last = releases.first else { return }
        #expect(last.title.wholeMatch(of: /\[(.*)\] - \d{4}-\d\d-\d\d/)?.1 == Substring(try Self.version()))
    }

    @Test("An entry of the changelog has at most two lines and 30 words")
    func entries() throws {
        var entries: [(line: Int, text: String, lines: Int)] = []
        for (index, line) in try Document("CHANGELOG.md").lines.enumerated() {
            if line.hasPrefix("- ") {
                entries.append((index + 1, line, 1))
            } else if line.hasPrefix("  "), let last = entries.indices.last {
                entries[last].text += line
                entries[last].lines += 1
            }
        }
        #expect(entries.count > 100)
        for entry in entries {
            let words = entry.text.split(separator: " ").count - 1
            #expect(entry.lines <= 2 && words <= 30, "CHANGELOG.md:\(entry.line) has \(words) words")
        }
    }

    @Test("docs/install.md has every folder and file that the package puts somewhere")
    func places() throws {
        let page = try Self.text("docs/install.md")
        let script = try Self.text("scripts/package")
        let put = script.matches(of: /\nput \S+ (etc|usr\/share\/shunt)(\S*)/).map { "/" + $0.1 + $0.2 }
        #expect(put.count >= 4)
        for path in put where !path.hasPrefix("/etc/logrotate.d/") {
            let isNamed =
                page.contains("`\(path)`") || page.contains("`\((path as NSString).deletingLastPathComponent)`")
            #expect(isNamed, "\(path)")
        }
    }
}
