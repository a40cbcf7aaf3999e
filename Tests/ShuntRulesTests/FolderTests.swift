import Foundation
import Testing

/// The folders of a target depend on each other in one direction.
@Suite struct FolderTests {
    /// For each folder those that it may use.
    private static let rules: [String: Set<String>] = [
        "Syntax": [], "Document": ["Syntax"], "Program": [], "Lists": ["Syntax", "Program"],
        "Check": ["Syntax", "Program"], "Evaluate": ["Program"],
        "Expect": ["Evaluate"], "Compile": ["Syntax", "Program", "Check", "Evaluate", "Expect", "Lists"],
        "Show": ["Syntax", "Program", "Evaluate"], "Model": ["Syntax", "Document", "Program", "Evaluate"],
    ]

    private static let tools: [String: Set<String>] = [
        "Requests": [], "Solve": ["Requests"], "Format": [], "Import": ["Requests"], "Examples": ["Requests", "Solve"],
        "Tests": ["Requests", "Solve"], "Changes": ["Requests", "Solve", "Examples", "Tests"],
        "Explain": ["Requests", "Solve", "Examples", "Changes"],
        "Lint": ["Requests", "Solve", "Examples", "Tests", "Changes"],
        "Reports": ["Requests", "Solve", "Examples", "Tests", "Changes", "Explain", "Lint"],
    ]

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources").path

    /// The lines of code of a folder.
    private static func code(of folder: String, in root: String) throws -> [Substring] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
        return try names.filter { $0.hasSuffix(".swift") }
            .flatMap { name in
                let text = try String(contentsOfFile: root + "/" + folder + "/" + name, encoding: .utf8)
                return text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            }
    }

    /// The types that a folder declares for others to use: those that stand in no other type.
    private static func types(in code: [Substring]) -> Set<Substring> {
        let keywords: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias"]
        var names: Set<Substring> = []
        for line in code where !line.hasPrefix(" ") && !line.hasPrefix("private") && !line.hasPrefix("fileprivate") {
            let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            guard let index = words.firstIndex(where: { keywords.contains($0) }), index + 1 < words.count else {
                continue
            }
            names.insert(words[index + 1])
        }
        return names
    }

    @Test(
        "No folder uses a type of one that stands above it",
        arguments: [
            ("ShuntRules", "Check", "StructureCheck", rules), ("ShuntTools", "Lint", "LintCheck", tools),
        ]
    )
    func downwardsOnly(target: String, folder: String, type: Substring, allowed: [String: Set<String>]) throws {
        let root = Self.sources + "/" + target
        var code: [String: [Substring]] = [:]
        for folder in allowed.keys { code[folder] = try Self.code(of: folder, in: root) }
        let types = code.mapValues { Self.types(in: $0) }
        #expect(types[folder]?.contains(type) == true)
        for (folder, lines) in code {
            let used = Set(lines.flatMap { line in line.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
            for (other, declared) in types where other != folder && allowed[folder]?.contains(other) == false {
                let found = used.intersection(declared).sorted()
                #expect(found.isEmpty, "\(folder) uses \(found.joined(separator: ", ")) of \(other)")
            }
        }
        #expect(
            Set(try FileManager.default.contentsOfDirectory(atPath: root).filter { !$0.contains(".") })
                == Set(allowed.keys)
        )
    }

    @Test("Nothing outside of ShuntRules reads the compiled tables")
    func tables() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources).filter { $0.hasSuffix(".swift") }
        var readers: Set<String> = []
        for file in files where !file.hasPrefix("ShuntRules/") {
            let text = try String(contentsOfFile: Self.sources + "/" + file, encoding: .utf8)
            if text.contains(/\bprogram\.tables\b|\bProgramTables\b|\bTableIndex\b/) { readers.insert(file) }
        }
        #expect(readers.isEmpty, "these read the model instead: \(readers.sorted().joined(separator: ", "))")
        #expect(files.contains("ShuntRules/Model/RuleModel.swift"))
    }

    @Test("Nothing but Syntax and Document takes rule files apart")
    func oneReader() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.sources).filter { $0.hasSuffix(".swift") }
        var readers: Set<String> = []
        for file in files {
            let text = try String(contentsOfFile: Self.sources + "/" + file, encoding: .utf8)
            guard text.contains(/\b(Lexer|Parser|CodeBlock)[(.]/), !text.contains("XMLParser(") else { continue }
            readers.insert(file.split(separator: "/").dropLast().joined(separator: "/"))
        }
        #expect(readers == ["ShuntRules/Syntax", "ShuntRules/Document"])
    }
}
