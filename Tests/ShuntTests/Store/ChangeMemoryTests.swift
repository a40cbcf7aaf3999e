#if canImport(Glibc)
import Foundation
import Shunt
import ShuntCore
import Testing

/// The memory that a comparison of large sets takes, at a reload next to both sets.
@Suite("Memory of comparisons")
struct ChangeMemoryTests {
    private static func archive(_ count: Int, _ value: String) -> RuleArchive {
        let entries = (0..<count).map { "/old/\($0)/page /new/\(value)/\($0)/page;\n" }.joined()
        return RuleArchive(["a.conf": "map $uri $to {\n\(entries)}\n"])
    }

    /// A number of bytes that the system reports of this process.
    private static func bytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let words = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
            .split(whereSeparator: \.isWhitespace)
        return try #require(words.flatMap { $0.count > 1 ? Int($0[1]) : nil }) * 1024
    }

    /// In a separate process, because other tests use memory meanwhile.
    @Test("Maps whose entries all differ take less than 300 bytes for each, and no tree of directives")
    func maps() async {
        await #expect(processExitsWith: .success) {
            let count = 30_000
            let (old, new) = (ChangeMemoryTests.archive(count, "a"), ChangeMemoryTests.archive(count, "b"))
            _ = RuleChanges(from: ChangeMemoryTests.archive(9, "a"), to: ChangeMemoryTests.archive(9, "b"))
            FreedMemory.giveBackAtOnce()
            try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
            let before = try ChangeMemoryTests.bytes("VmRSS")
            #expect(RuleChanges(from: old, to: new).editedCount == count)
            #expect(try ChangeMemoryTests.bytes("VmHWM") - before < 300 * count)
        }
    }
}
#endif
