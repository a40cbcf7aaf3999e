import Foundation
import Testing

/// The folders of a target depend on each other in one direction.
@Suite struct FolderTests {
    private static let program = ["Values", "Serving", "Program"]

    /// For each folder those that it may use.
    private static let rules: [String: [String]] = [
        "Syntax": [], "Document": ["Syntax", "Values"], "Values": [], "Serving": ["Values"],
        "Program": ["Values", "Serving"], "Lists": ["Syntax"] + program, "Check": ["Syntax"] + program,
        "Evaluate": program, "Expect": ["Evaluate"],
        "Compile": ["Syntax", "Check", "Evaluate", "Expect", "Lists"] + program,
        "Show": ["Syntax", "Evaluate"] + program, "Model": ["Syntax", "Document", "Evaluate"] + program,
    ]

    private static let tools: [String: [String]] = [
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

    /// The types that a folder declares: at the top level, for others to use, or nested in other types.
    private static func types(in code: [Substring], nested: Bool = false) -> Set<Substring> {
        let keywords: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias"]
        var names: Set<Substring> = []
        for line in code where line.hasPrefix(" ") == nested {
            if line.hasPrefix("private") || line.hasPrefix("fileprivate") { continue }
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
    func downwardsOnly(target: String, folder: String, type: Substring, allowed: [String: [String]]) throws {
        let root = Self.sources + "/" + target
        var code: [String: [Substring]] = [:]
        for folder in allowed.keys { code[folder] = try Self.code(of: folder, in: root) }
        let types = code.mapValues { Self.types(in: $0) }
        #expect(types[folder]?.contains(type) == true)
        for (folder, lines) in code {
            let words = Set(lines.flatMap { line in line.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
            let used = words.subtracting(Self.types(in: lines, nested: true))
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

    @Test("The compiled tables have few declarations for other targets")
    func packageDeclarations() throws {
        let code = try Self.code(of: "Program", in: Self.sources + "/ShuntRules")
        let found = code.count { $0.contains(/\bpackage (?!import)/) }
        #expect(code.count > 1_000)
        #expect(found < 80)
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
