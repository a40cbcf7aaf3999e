import Foundation
import Testing

/// Links between the documents: the page is there, and so is the heading.
@Suite struct LinkTests {
    /// The documents that people read, by their paths from the root.
    static let pages: [String] = {
        let root = [
            "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Tests/Conformance/README.md",
            "Simulation/README.md",
            "Tests/Conformance/module-promises.md", "Tests/Conformance/ancestors.md",
        ]
        return (root + Document.whole + Document.others + Document.articles)
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }()

    /// The target of a link, with its line.
    struct Link {
        var line: Int
        var target: String
    }

    @Test("No link is dead", arguments: pages)
    func noDeadLinks(_ page: String) throws {
        var dead: [String] = []
        for link in try Self.links(in: page) where !link.target.contains("://") && !link.target.hasPrefix("mailto:") {
            let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                .map(String.init)
            let path = parts[0].isEmpty ? page : Self.path(parts[0], from: page)
            if !FileManager.default.fileExists(atPath: Document.root + "/" + path) {
                dead.append("\(page):\(link.line): there is no \(path)")
            } else if parts.count == 2, path.hasSuffix(".md"), try !Self.anchors(of: path).contains(parts[1]) {
                dead.append("\(page):\(link.line): there is no heading #\(parts[1]) in \(path)")
            }
        }
        #expect(dead.isEmpty, "\(dead.joined(separator: "\n"))")
    }

    @Test("The start page leads to every page of docs/, and the page on migrating to the articles on it")
    func everyPage() throws {
        let modules = "Sources/ShuntModules/ShuntModules.docc/From"
        for (folder, start) in [("docs/", "docs/README.md"), (modules, "docs/migrating-from-app-routers.md")] {
            let targets = try Self.links(in: start)
                .map { Self.path(String($0.target.prefix { $0 != "#" }), from: start) }
            for page in Self.pages
            where page.hasPrefix(folder) && page != start && !page.dropFirst(folder.count).contains("/") {
                #expect(targets.contains(page), "\(start) does not lead to \(page)")
            }
        }
    }

    @Test("A list of contents has every chapter", arguments: pages)
    func contents(_ page: String) throws {
        let document = try Document(page)
        guard let start = document.lines.firstIndex(where: { $0.hasPrefix("Contents:") }) else { return }
        let list = document.lines[start...].prefix { !$0.isEmpty }.joined(separator: "\n")
        for section in document.sections where section.level == 2 {
            let anchor = Self.anchor(section.title)
            #expect(list.contains("(#\(anchor))"), "\(page):\(section.line): \(section.title) is not in the contents")
        }
    }

    @Test("Links, anchors and paths are read as they are shown")
    func reading() throws {
        #expect(Self.anchor("`ignore_directive`") == "ignore_directive")
        #expect(Self.anchor("Servers, and `if`s: what (not) to do") == "servers-and-ifs-what-not-to-do")
        #expect(Self.anchor("a & b") == "a--b")
        #expect(Self.path("../README.md", from: "docs/rules.md") == "README.md")
        #expect(Self.path("urls.md", from: "docs/rules.md") == "docs/urls.md")
        #expect(try Self.anchors(of: "docs/rules.md").contains("ignore_directive"))
        #expect(try Self.links(in: "README.md").contains { $0.target == "docs/README.md" })
    }

    // MARK: Reading

    /// The links of a page outside its examples.
    static func links(in page: String) throws -> [Link] {
        let document = try Document(page)
        let shown = document.blocks.flatMap { Array($0.line..<$0.line + $0.lines.count) }
        let examples = Set(shown)
        var links: [Link] = []
        for (index, line) in document.lines.enumerated() where !examples.contains(index + 1) {
            // What is between backquotes is shown unchanged.
            let text = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .map { $0.offset % 2 == 0 ? String($0.element) : "x" }.joined()
            for match in text.matches(of: /\]\(([^)\s]+)\)/) {
                links.append(Link(line: index + 1, target: String(match.1)))
            }
        }
        return links
    }

    /// The anchors of a page's headings, as hosts of Markdown make them.
    static func anchors(of page: String) throws -> Set<String> {
        var seen: [String: Int] = [:]
        var anchors: Set<String> = []
        for section in try Document(page).sections {
            let anchor = anchor(section.title)
            let count = seen[anchor, default: 0]
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
            seen[anchor] = count + 1
        }
        return anchors
    }

    static func anchor(_ title: String) -> String {
        var anchor = ""
        for character in title.lowercased() {
            if character == " " {
                anchor += "-"
            } else if character.isLetter || character.isNumber || character == "-" || character == "_" {
                anchor.append(character)
            }
        }
        return anchor
    }

    /// A path from the root, for one on a page.
    static func path(_ target: String, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }
}
