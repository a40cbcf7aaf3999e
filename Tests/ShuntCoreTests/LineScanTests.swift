import SeededRandom
import ShuntCore
import Testing

/// Sixteen bytes at a time find the same as one byte at a time does, wherever they begin and end.
@Suite struct LineScanTests {
    /// Bytes in which all that counts is frequent.
    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        let interesting: [UInt8] = [
            0x0a, 0x0d, 0x09, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0xc1, 0xff, 0x40, 0x5b, 0x60, 0x7b, 0x2f, 0x3a, 0x2d,
        ]
        return (0..<Int.random(in: 0...80, using: &random))
            .map { _ in
                Int.random(in: 0..<24, using: &random) == 0
                    ? interesting.randomElement(using: &random) ?? 0 : UInt8.random(in: 0x30...0x39, using: &random)
            }
    }

    @Test("The end of a line", arguments: 0..<20)
    func lines(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = Self.bytes(&random)
            let start = Int.random(in: 0...bytes.count, using: &random)
            let expected = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
            #expect(LineScan.end(in: bytes.span, from: start) == expected, "\(bytes) from \(start)")
        }
    }

    @Test("Text without control bytes", arguments: 0..<20)
    func text(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = Self.bytes(&random)
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = Int.random(in: start...bytes.count, using: &random)
            let expected = bytes[start..<end].allSatisfy { (0x20..<0x7f).contains($0) || $0 == 0x09 }
            #expect(LineScan.isPlainText(start..<end, of: bytes.span) == expected, "\(bytes) \(start)..<\(end)")
        }
    }

    @Test("The end of a name", arguments: 0..<20)
    func names(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d: true
            default: false
            }
        }
        for _ in 0..<500 {
            let bytes = Self.bytes(&random)
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = Int.random(in: start...bytes.count, using: &random)
            let expected = bytes[start..<end].firstIndex { !isPlain($0) } ?? end
            #expect(
                LineScan.plainNameEnd(in: bytes.span, from: start, before: end) == expected,
                "\(bytes) \(start)..<\(end)"
            )
        }
    }

    @Test("Every byte is judged the same in a block as alone")
    func everyByte() {
        for byte in UInt8.min ... .max {
            let block = [UInt8](repeating: 0x61, count: 7) + [byte] + [UInt8](repeating: 0x61, count: 24)
            for alone in [[byte], block] {
                let isText = (0x20..<0x7f).contains(byte) || byte == 0x09
                #expect(LineScan.isPlainText(alone.indices, of: alone.span) == isText)
            }
        }
    }
}
