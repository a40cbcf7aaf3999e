import Foundation
import Testing

/// The catalogues of DocC against the products and the sources.
@Suite struct CatalogueTests {
    /// The names of the libraries for Swift that Package.swift offers; one for C has its header instead.
    static let libraries: [String] = {
        let text = (try? String(contentsOfFile: Document.root + "/Package.swift", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.contains(".library(name:") && !$0.contains("type: .dynamic") }
            .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
    }()

    @Test("Package.swift is read")
    func reading() {
        #expect(Self.libraries.contains("Shunt") && Self.libraries.contains("ShuntAppLinks"))
    }

    @Test("Every library has a page, whose topics are declared in it", arguments: libraries)
    func page(library: String) throws {
        let page = Document.root + "/Sources/\(library)/\(library).docc/\(library).md"
        let text = try #require(try? String(contentsOfFile: page, encoding: .utf8), "\(library) has no page")
        #expect(text.hasPrefix("# ``\(library)``\n"))
        let topics = text.split(separator: "\n")
            .filter { $0.hasPrefix("- ``") }
            .compactMap { $0.dropFirst(4).split(whereSeparator: { "`/(".contains($0) }).first.map(String.init) }
        #expect(!topics.isEmpty, "\(library) has no topics")
        let declared = try Self.declarations(of: library)
        for topic in topics { #expect(declared.contains(topic), "\(library) does not declare \(topic)") }
    }

    /// The names of the public types of a library, and of what it exports.
    private static func declarations(of library: String) throws -> Set<String> {
        let kinds = ["struct", "class", "enum", "protocol", "actor", "typealias"]
        let exported = ["Shunt": ["ShuntCore", "ShuntRouting", "ShuntRules"], "ShuntModules": ["ShuntInterfaces"]]
        var names: Set<String> = []
        for target in [library] + exported[library, default: []] {
            let folder = Document.root + "/Sources/" + target
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                for line in text.split(separator: "\n") where line.contains("public ") {
                    let words = line.split(whereSeparator: { " :<{(".contains($0) }).map(String.init)
                    guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count else { continue }
                    names.insert(words[kind + 1])
                }
            }
        }
        return names
    }
}
