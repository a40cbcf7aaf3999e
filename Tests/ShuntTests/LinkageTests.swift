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

    /// The files of the engine that import the C library, by the reason.
    static let filesOfTheSystem: Set = [
        // Files.
        "FileIdentity.swift", "FileSystem.swift", "LinkPolicy.swift", "LocalFileStorage.swift", "LocalFileSystem.swift",
        // Clocks, memory, the names of the machine and of the process.
        "LocalDay.swift", "ProcessorTime.swift", "Timestamp.swift", "TableMemory.swift", "HostMachine.swift",
        "Evaluation+Builtins.swift",
        // Threads, and changes of files.
        "BackgroundThread.swift", "EvaluationPool.swift", "InotifyQueue.swift", "SharedInotify.swift",
    ]

    @Test("Named files of the engine alone import the C library, and none of routes, patterns, modules and links")
    func importsOfTheCLibrary() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        var found: Set<String> = []
        for module in Self.modules where module != "ShuntC" {
            let folder = root.appendingPathComponent(module).path
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
                guard text.contains("import Glibc") else { continue }
                found.insert(String(name.split(separator: "/").last ?? ""))
            }
        }
        #expect(found == Self.filesOfTheSystem)
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
