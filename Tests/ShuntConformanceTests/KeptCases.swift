import Foundation
import NginxOracle
import Testing

/// The mismatches of random runs, until they are recorded as cases.
enum KeptCases {
    /// The folder; git does not read it.
    static var folder: String { ConformanceData.root + "/.build/kept-cases" }

    /// Writes a case into a separate file.
    ///
    /// - Returns: The path of the file.
    static func keep(_ text: String, seed: UInt64, in folder: String = folder) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(seed).cases"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}

@Suite struct KeptCaseTests {
    private static let kept = """
        # seed 7: expected 204, got 404
        === seed 7
        location /a { return 204; }
        ---
        GET /a
            X-Name: value
        > 204

        """

    /// A kept case goes through the script into a case file, where it can be read.
    @Test func becomesARecordedCase() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try KeptCases.keep(Self.kept, seed: 7, in: folder)
        let target = folder + "/found.cases"
        for (name, status) in [("an empty answer", 0), ("an empty answer", 1)] {
            let script = Process()
            script.executableURL = URL(fileURLWithPath: ConformanceData.root + "/scripts/record-kept")
            script.arguments = ["--into", target, path, name]
            script.standardError = FileHandle.nullDevice
            try script.run()
            script.waitUntilExit()
            #expect(script.terminationStatus == Int32(status), "the second has nothing to record: its case is gone")
        }
        let sets = try CaseReader.read(file: target)
        #expect(sets.map(\.name) == ["an empty answer"])
        #expect(sets.first?.requests.count == 1)
        #expect(sets.first?.requests.first?.expectation != nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
