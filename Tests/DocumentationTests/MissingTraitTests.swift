import Foundation
import Testing

/// The messages of the compiler for a program without a trait.
@Suite struct MissingTraitTests {
    @Test("The name of a forgotten trait is in the message, for each product with traits")
    func messages() throws {
        for (file, traits) in [
            ("ShuntServices/MissingTraits.swift", [["Reloading"], ["ModuleService"], ["Client"], ["Modules"]]),
            ("ShuntHummingbird/MissingTrait.swift", [["Hummingbird"], ["Hummingbird", "Modules"]]),
            ("ShuntGateway/MissingTrait.swift", [["Gateway"]]),
        ] {
            let text = try String(contentsOfFile: "\(Document.root)/Sources/\(file)", encoding: .utf8)
            let target = String(file.prefix { $0 != "/" })
            for traits in traits {
                let missing = traits.map { "!\($0)" }.joined(separator: " || ")
                let block = try #require(
                    text.components(separatedBy: "#if \(missing)\n///").dropFirst().first,
                    "\(traits)"
                )
                let part = try #require(block.components(separatedBy: "#endif").first)
                let names = "trait\(traits.count == 1 ? "" : "s") \(traits.joined(separator: " and "))"
                let message = "unavailable, message: \"enable the \(names) of the package shunt\""
                let types = part.matches(of: #/\npublic (?:struct|protocol) (\w+)/#).map { String($0.output.1) }
                let hints = part.components(separatedBy: message).count - 1
                #expect(!types.isEmpty && hints == types.count + part.components(separatedBy: " init<").count - 1)
                let condition = traits.joined(separator: " && ")
                for type in types { #expect(try isDeclared(type, in: target, behind: condition), "\(type)") }
            }
        }
    }

    // Otherwise each trait would have to be built alone to see that it is complete. The program has conditions of all.
    @Test("A target has conditions of its own traits only")
    func conditions() throws {
        let own: [String: Set] = [
            "ShuntFleet": ["Fleet"], "ShuntHummingbird": ["Hummingbird", "Modules"], "ShuntGateway": ["Gateway"],
            "ShuntServices": ["Client", "ModuleService", "Modules", "Reloading"],
        ]
        let manifest = try String(contentsOfFile: "\(Document.root)/Package.swift", encoding: .utf8)
        let traits = Set(manifest.matches(of: #/\.trait\(\s*name: "(\w+)"/#).map { String($0.output.1) })
        #expect(traits.count == 8)
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

    // A build with all traits would not notice such an import, and a program with rules alone would not compile.
    @Test("Servers and services for rules alone import no modules")
    func rulesAlone() throws {
        let sources = "\(Document.root)/Sources"
        var files = 0
        for target in ["ShuntGateway", "ShuntHummingbird", "ShuntServices"] {
            for file in try FileManager.default.subpathsOfDirectory(atPath: "\(sources)/\(target)") {
                guard file.hasSuffix(".swift") else { continue }
                let text = try String(contentsOfFile: "\(sources)/\(target)/\(file)", encoding: .utf8)
                guard text.contains(#/import Shunt(AppLinks|Interfaces|Links|Modules)\b/#) else { continue }
                files += 1
                let conditions = text.split(separator: "\n").filter { $0.hasPrefix("#if ") }
                #expect(conditions.contains { $0.contains(#/(^| )(Client|Modules|ModuleService)\b/#) }, "\(file)")
            }
        }
        #expect(files > 12)
        let manifest = try String(contentsOfFile: "\(Document.root)/Package.swift", encoding: .utf8)
        #expect(manifest.contains(".target(name: $0, condition: .when(traits: [\"Modules\"]))"))
        #expect(manifest.components(separatedBy: "+ modules(").count == 3)
    }

    /// Returns true if a type is what the trait adds to a target.
    private func isDeclared(_ type: String, in target: String, behind trait: String) throws -> Bool {
        let folder = "\(Document.root)/Sources/\(target)"
        let declaration = try Regex("\\npublic (struct|protocol|final class) \(type)\\b")
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("MissingTrait") }
            .contains { file in
                let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                return text.hasPrefix("#if \(trait)\n") && text.contains(declaration)
            }
    }
}
