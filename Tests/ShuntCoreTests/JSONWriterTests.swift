import SeededRandom
import ShuntCore
import Testing

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("Structure and commas")
    func structure() {
        var writer = JSONWriter()
        writer.object { json in
            json.member("a", 1)
            json.name("b")
            json.array { json in
                json.number(Int64.min)
                json.number(UInt64.max)
                json.object { _ in }
                json.array { _ in }
                json.null()
                json.array { $0.string("x") }
                json.boolean(true)
            }
            json.member("c", false)
            json.member("d", "e")
            json.member("f", Array("g".utf8))
        }
        let expected =
            "{\"a\":1,\"b\":[-9223372036854775808,18446744073709551615,{},[],null,[\"x\"],true],\"c\":false,\"d\":\"e\",\"f\":\"g\"}"
        #expect(writer.text == expected)
    }

    @Test("Lines of a stream")
    func stream() {
        var writer = JSONWriter()
        writer.number(1)
        writer.newline()
        writer.string("a")
        writer.newline()
        #expect(writer.text == "1\n\"a\"\n")
        writer.removeAll()
        writer.beginArray()
        writer.endArray()
        #expect(writer.text == "[]")
    }

    @Test(
        "Numbers",
        arguments: [
            (0.0, "0.0"), (-1.5, "-1.5"), (1e300, "1e+300"), (Double.nan, "null"), (Double.infinity, "null"),
            (Double.leastNonzeroMagnitude, "5e-324"),
        ]
    )
    func numbers(value: Double, text: String) {
        var writer = JSONWriter()
        writer.number(value)
        #expect(writer.text == text)
    }

    @Test(
        "Strings",
        arguments: [
            ("", ""), ("a\"b\\c/", "a\\\"b\\\\c/"), ("\n\r\t\u{0}\u{1f}\u{7f}", "\\n\\r\\t\\u0000\\u001f\\u007f"),
            ("例え 👍", "例え 👍"),
        ]
    )
    func strings(value: String, text: String) {
        var writer = JSONWriter()
        writer.string(value)
        #expect(writer.text == "\"\(text)\"")
        let bytes = Array(value.utf8)
        var other = JSONWriter()
        other.string(bytes.span)
        #expect(other.bytes == writer.bytes)
    }

    @Test(
        "Bytes that are not UTF-8 become Latin-1, all of them",
        arguments: [
            ([0xff], "\\u00ff"), ([0x61, 0xc3], "a\\u00c3"), ([0xc3, 0xa9], "é"),
            ([0xc3, 0xa9, 0xff, 0x22], "\\u00c3\\u00a9\\u00ff\\\""),
            ([0xc0, 0x80], "\\u00c0\\u0080"),
        ] as [([UInt8], String)]
    )
    func latin(bytes: [UInt8], text: String) {
        var writer = JSONWriter()
        writer.string(bytes.span)
        #expect(writer.text == "\"\(text)\"")
    }

    @Test("The check for UTF-8 agrees with the standard library")
    func validity() {
        var generator = SeededGenerator(seed: 6)
        let interesting: [UInt8] = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
            0xef, 0xf0,
            0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ]
        var valid = 0
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0...5, using: &generator))
                .map { _ in
                    interesting[Int.random(in: 0..<interesting.count, using: &generator)]
                }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            #expect(bytes.span.isUTF8 == expected, "\(bytes)")
            if expected { valid += 1 }
        }
        #expect(valid > 1_000)
    }
}
