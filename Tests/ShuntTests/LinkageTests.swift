import Foundation
import Testing

/// The libraries that the engine links: a program that embeds it gets PCRE2 and nothing else.
@Suite struct LinkageTests {
    static let modules = [
        "ShuntCore", "ShuntPatterns", "ShuntRouting", "ShuntRules", "Shunt", "ShuntInterfaces",
        "ShuntModules", "ShuntLinks", "ShuntAppLinks", "ShuntC",
    ]

    /// The directory of the build that this test was built in.
    private static var buildDirectory: URL {
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    }

    @Test(arguments: modules)
    func usesNoFoundation(module: String) throws {
        let folder = Self.buildDirectory.appendingPathComponent("\(module).build")
        let objects = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "o" }
        try #require(!objects.isEmpty, "no object files in \(folder.path)")
        for object in objects {
            let content = try Data(contentsOf: object)
            // A symbol of Foundation, and the request to the linker to link it.
            for mark in ["$s10Foundation", "$s20FoundationEssentials", "-lFoundation"] {
                #expect(
                    content.range(of: Data(mark.utf8)) == nil,
                    "\(object.lastPathComponent) needs Foundation: \(mark)"
                )
            }
        }
    }

    @Test("Modules need no PCRE2 either", arguments: ["ShuntCore", "ShuntInterfaces", "ShuntModules"])
    func usesNoPCRE2(module: String) throws {
        let symbols = { (module: String) throws -> Bool in
            let folder = Self.buildDirectory.appendingPathComponent("\(module).build")
            let objects = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "o" }
            return try objects.contains { try Data(contentsOf: $0).range(of: Data("pcre2_".utf8)) != nil }
        }
        #expect(try !symbols(module))
        // What is looked for is found where it has to be.
        #expect(try symbols("ShuntPatterns"))
    }

    @Test func theCheckWouldFindFoundation() throws {
        // This very test uses Foundation, so its own object file must show the marks that are looked for.
        let folder = Self.buildDirectory.appendingPathComponent("ShuntTests.build")
        let objects = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let own = try #require(objects.first { $0.lastPathComponent == "LinkageTests.swift.o" })
        let content = try Data(contentsOf: own)
        #expect(content.range(of: Data("-lFoundation".utf8)) != nil)
    }
}
