import Foundation
import Testing

/// What a program gets to read that forgot a trait.
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
                #expect(!types.isEmpty && hints == types.count + part.components(separatedBy: " func ").count - 1)
                for type in types { #expect(try isDeclared(type, in: target, behind: trait), "\(type)") }
            }
        }
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
