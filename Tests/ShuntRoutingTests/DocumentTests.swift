import Foundation
import ShuntRouting
import Testing

/// The examples of the documents about routes, read from the documents.
@Suite("Documents about routes")
struct DocumentTests {
    static let documents = ["docs/routes.md", "docs/migrating-from-app-routers.md"]

    struct Block {
        var language: String
        var line: Int
        var lines: [String]
    }

    static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    static func blocks(_ path: String) throws -> [Block] {
        let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
        var blocks: [Block] = []
        var isOpen = false
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if !isOpen { blocks.append(Block(language: String(line.dropFirst(3)), line: number + 1, lines: [])) }
                isOpen.toggle()
            } else if isOpen {
                blocks[blocks.count - 1].lines.append(String(line))
            }
        }
        return blocks
    }

    @Test("each question is answered as the document states", arguments: documents)
    func questions(path: String) throws {
        var declared: [String] = []
        var asked = 0
        for block in try Self.blocks(path) {
            if block.language == "nginx" { declared = block.lines }
            guard block.language == "routes" else { continue }
            var lines = block.lines
            var options = RoutingOptions()
            if let first = lines.first, first.hasPrefix("preset ") {
                options = try #require(
                    RoutingOptions.preset(named: String(first.dropFirst(7))),
                    "\(path):\(block.line)"
                )
                lines.removeFirst()
            }
            let table = try Self.table(declared, options)
            for line in lines {
                asked += 1
                Self.check(line, in: table, "\(path):\(block.line): \(line)")
            }
        }
        #expect(asked > 30)
    }

    /// The routes of a block of rules.
    private static func table(_ lines: [String], _ options: RoutingOptions) throws -> RouteTable {
        var builder = RouteTableBuilder(options: options)
        for line in lines {
            var words = line.dropLast().split(separator: " ").map(String.init).dropFirst()
            var methods: [String] = []
            if let first = words.first, first.allSatisfy({ $0.isUppercase || $0 == "|" }) {
                methods = first.split(separator: "|").map(String.init)
                words = words.dropFirst()
            }
            let rest = Array(words)
            try #require(rest.count >= 2, "\(line)")
            let pattern = rest[0].filter { $0 != "\"" }
            let name = rest[1]
            var priority = 0
            var defaults: [String: String] = [:]
            for option in rest.dropFirst(2) {
                let (key, value) = cut(option, at: "=")
                let (parameter, text) = cut(value, at: ":")
                switch key {
                case "priority": priority = try #require(Int(value))
                case "default": defaults[parameter] = text
                default: Issue.record("\(line)")
                }
            }
            builder.add(pattern, name: name, methods: methods, priority: priority, defaults: defaults)
        }
        return try builder.build()
    }

    private static func check(_ line: String, in table: RouteTable, _ place: String) {
        let (question, answer) = cut(line, at: " = ")
        var url = question.trimmingCharacters(in: .whitespaces)
        var method: String?
        let (first, rest) = cut(url, at: " ")
        if !rest.isEmpty, first.allSatisfy(\.isUppercase) {
            method = first
            url = rest.trimmingCharacters(in: .whitespaces)
        }
        let match = table.match(url, method: method)
        var found = match?.route.displayName ?? "nothing"
        for (name, value) in match?.parameters ?? [] { found += " \(name)=\(value)" }
        #expect(found == answer, "\(place)")
    }

    @Test("the table of options has every option and every value, the default first")
    func options() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("docs/routes.md"), encoding: .utf8)
        var documented: [String: [String]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let name = cells[0].filter { $0 != "`" }
            guard RoutingChoices.values[name] != nil, documented[name] == nil else { continue }
            documented[name] = cells[1].split(separator: "`").map(String.init).filter { $0.first?.isLetter ?? false }
        }
        documented["hostComponentSchemes"] = []
        #expect(documented.mapValues { $0.sorted() } == RoutingChoices.values)
        for (name, values) in documented {
            guard let first = values.first else { continue }
            let options = try RoutingChoices.options(preset: nil, choices: ["\(name)=\(first)"])
            #expect(options == RoutingOptions(), "\(name)")
        }
    }

    @Test("each refused pattern is refused as the document states")
    func errors() throws {
        var count = 0
        for block in try Self.blocks("docs/routes.md") where block.language == "errors" {
            for line in block.lines {
                let (pattern, message) = cut(line, at: " -> ")
                let error = #expect(throws: RoutePatternError.self) {
                    try RoutePattern(pattern.trimmingCharacters(in: .whitespaces))
                }
                #expect(error.map { "\($0.offset) \($0.message)" } == message, "\(line)")
                count += 1
            }
        }
        #expect(count > 5)
    }

    @Test("each URL is generated as the document states")
    func generation() throws {
        var count = 0
        for block in try Self.blocks("docs/routes.md") where block.language == "generate" {
            for line in block.lines {
                let (left, expected) = cut(line, at: " -> ")
                var words = left.split(separator: " ").map(String.init)
                var builder = RouteTableBuilder()
                builder.add(words.removeFirst(), name: "it")
                let values = Dictionary(uniqueKeysWithValues: words.map { cut($0, at: "=") })
                let result = (try? builder.build().generate(route: "it", values: values)) ?? "error"
                #expect(result == expected, "\(line)")
                count += 1
            }
        }
        #expect(count > 5)
    }

    @Test("the Swift of the documents is that of the tests, line by line", arguments: documents)
    func swift(path: String) throws {
        let source = Self.root.appendingPathComponent("Tests/ShuntRoutingTests/DocumentExamples.swift")
        let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let known = lines.joined(separator: "\n")
        var count = 0
        for block in try Self.blocks(path) where block.language == "swift" {
            let text = block.lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
            #expect(known.contains(text), "\(path):\(block.line)")
            count += 1
        }
        #expect(count >= 5)
    }

    @Test("options, presets and limits are all in the document")
    func completeness() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("docs/routes.md"), encoding: .utf8)
        for name in RoutingOptions.presetNames { #expect(text.contains("| `\(name)` |"), "\(name)") }
        for type in ParameterType.allCases { #expect(text.contains("| `\(type.rawValue)` |"), "\(type)") }
        for option in Mirror(reflecting: RoutingOptions()).children.compactMap(\.label) {
            #expect(text.contains("`\(option)`"), "\(option)")
        }
    }
}
