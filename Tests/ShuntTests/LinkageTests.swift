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

    /// The targets that are not programs for Linux.
    private static let portable =
        modules + ["ShuntTools", "ShuntServices", "ShuntHummingbird", "ShuntModulesTesting"]

    @Test("One file of ShuntCore imports the C library, and of the targets on it only the one for inotify")
    func importsOfTheCLibrary() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources").path
        let libraries: Set = ["Android", "Bionic", "Darwin", "Glibc", "Musl", "ucrt", "WASILibc", "WinSDK"]
        var found: [String: Set<String>] = [:]
        for module in Self.portable {
            for name in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(module)")
            where name.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(root)/\(module)/\(name)", encoding: .utf8)
                let imports = text.utf8.split(separator: UInt8(ascii: "\n"))
                    .map { $0.split(separator: UInt8(ascii: " ")) }
                    .filter { $0.contains { $0.elementsEqual("import".utf8) } }
                let names = imports.compactMap { $0.last.flatMap { String($0.prefix { $0 != UInt8(ascii: ".") }) } }
                let used = libraries.intersection(names)
                if !used.isEmpty { found["\(module)/\(name)"] = used }
            }
        }
        #expect(
            found == [
                "ShuntCore/System/CLibrary.swift": ["Android", "Darwin", "Glibc", "Musl"],
                "Shunt/Store/Directory/InotifyQueue.swift": ["Glibc", "Musl"],
            ]
        )
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
