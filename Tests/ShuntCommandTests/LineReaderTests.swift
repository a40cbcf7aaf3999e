import Glibc
import TestFolder
import Testing

@testable import ShuntCommand

@Suite("Reading lines")
struct LineReaderTests {
    private func lines(of bytes: [UInt8], limit: Int) throws -> [LineReader.Line] {
        let folder = try TestFolder()
        try folder.write(bytes, to: "input")
        let descriptor = open(folder.path + "/input", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var reader = LineReader(descriptor, limit: limit)
        var lines: [LineReader.Line] = []
        while let line = try reader.next(beforeWaiting: {}) { lines.append(line) }
        return lines
    }

    @Test(
        "Lines end in LF or CR LF; the last may have no end",
        arguments: [
            ("", []),
            ("\n", [""]),
            ("a", ["a"]),
            ("a\n", ["a"]),
            ("a\r\nb\r\n", ["a", "b"]),
            ("a\rb\r\r\n", ["a\rb\r"]),
            ("\n\na\n\n", ["", "", "a", ""]),
            ("a\r", ["a"]),
        ]
    )
    func ends(text: String, expected: [String]) throws {
        #expect(try lines(of: Array(text.utf8), limit: 100) == expected.map { .whole(Array($0.utf8)) })
    }

    @Test("Lines that meet the ends of what is read at once in every way stay whole")
    func pieces() throws {
        for length in [1, 63, 64, 65_534, 65_535, 65_536, 65_537, 131_071, 200_000] {
            let line = (0..<length).map { UInt8(0x61 + $0 % 26) }
            for end in [[0x0a], [0x0d, 0x0a]] as [[UInt8]] {
                let read = try lines(of: line + end + [0x78] + end + line, limit: 200_000)
                #expect(read == [.whole(line), .whole([0x78]), .whole(line)], "\(length)")
            }
        }
    }

    @Test("A line may be as long as the limit, its end not counted, and no longer")
    func limit() throws {
        let kept = LineReader.keptBytes
        for limit in [kept, 1_000, 65_534, 65_535, 65_536, 131_072] {
            let line = [UInt8](repeating: 0x61, count: limit)
            let start = Array(line.prefix(kept))
            for end in [[0x0a], [0x0d, 0x0a]] as [[UInt8]] {
                let read = try lines(of: line + end + line + [0x62] + end + line + end, limit: limit)
                #expect(read == [.whole(line), .tooLong(start), .whole(line)], "\(limit)")
            }
            #expect(try lines(of: line + line + line, limit: limit) == [.tooLong(start)])
        }
    }
}
