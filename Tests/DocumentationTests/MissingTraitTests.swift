import Foundation
import Testing

/// The messages of the compiler for a program without a trait.
@Suite struct MissingTraitTests {
    @Test("The name of a forgotten trait is in the message, for each product with traits")
    func messages() throws {
        for (file, traits) in [
            ("ShuntServices/MissingTraits.swift", ["Reloading", "ModuleService", "Client"]),
            ("ShuntHummingbird/MissingTrait.swift", ["Hummingbird"]), ("ShuntGateway/MissingTrait.swift", ["Gateway"]),
        ] {
            let text = try String(contentsOfFile: "\(Document.root)/Sources/\(file)", encoding: .utf8)
            let target = String(file.prefix { $0 != "/" })
            for trait in traits {
                let block = try #require(
                    text.components(separatedBy: "#if !\(trait)\n///").dropFirst().first,
                    "\(trait)"
                )
                let part = try #require(block.components(separatedBy: "#endif").first)
                let message = "unavailable, message: \"enable the trait \(trait) of the package shunt\""
                let types = part.matches(of: #/\npublic (?:struct|protocol) (\w+)/#).map { String($0.output.1) }
                let hints = part.components(separatedBy: message).count - 1
                #expect(!types.isEmpty && hints == types.count + part.components(separatedBy: " init<").count - 1)
                for type in types { #expect(try isDeclared(type, in: target, behind: trait), "\(type)") }
            }
        }
    }

    // Otherwise each trait would have to be built alone to see that it is complete. The program has conditions of all.
    @Test("A target has conditions of its own traits only")
    func conditions() throws {
        let own: [String: Set] = [
            "ShuntFleet": ["Fleet"], "ShuntHummingbird": ["Hummingbird"], "ShuntGateway": ["Gateway"],
            "ShuntServices": ["Client", "ModuleService", "Reloading"],
        ]
        let manifest = try String(contentsOfFile: "\(Document.root)/Package.swift", encoding: .utf8)
        let traits = Set(manifest.matches(of: #/\.trait\(\s*name: "(\w+)"/#).map { String($0.output.1) })
        #expect(traits.count == 7)
        let sources = "\(Document.root)/Sources"
        var conditions = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: sources) where file.hasSuffix(".swift") {
            let target = String(file.prefix { $0 != "/" })
            guard target != "ShuntCommand" else { continue }
            let text = try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains(#/^ *#(?:else)?if /#) {
                let words = Set(line.split { !$0.isLetter }.map(String.init)).intersection(traits)
                conditions += words.count
                #expect(words.isSubset(of: own[target] ?? []), "\(file): \(line)")
            }
        }
        #expect(conditions > 200)
    }

    /// Returns true if a type is what the trait adds to a target.
    private func isDeclared(_ type: String, in target: String, behind trait: String) throws -> Bool {
        let folder = "\(Document.root)/Sources/\(target)"
        let declaration = try Regex("\\npublic (struct|protocol) \(type)\\b")
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("MissingTrait") }
            .contains { file in
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                return text.hasPrefix("#if \(trait)\n") && text.contains(declaration)
            }
    }
}
