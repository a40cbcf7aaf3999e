import ShuntCore
import Testing

@Suite struct ContentHashTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (String(repeating: "a", count: 1000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"),
    ])
    func matchesTheStandard(text: String, expected: String) {
        var hash = ContentHash()
        hash.update(Array(text.utf8))
        #expect(hash.hexadecimal == expected)
    }

    @Test(arguments: [1, 7, 63, 64, 65, 200])
    func doesNotDependOnThePieces(size: Int) {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        var whole = ContentHash()
        whole.update(bytes)
        var pieces = ContentHash()
        for start in stride(from: 0, to: bytes.count, by: size) {
            pieces.update(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(pieces.hexadecimal == whole.hexadecimal)
    }

    @Test func keepsFieldsApart() {
        func hash(_ fields: [String]) -> String {
            var hash = ContentHash()
            for field in fields { hash.updateField(Array(field.utf8)) }
            return hash.hexadecimal
        }
        #expect(hash(["ab", "c"]) != hash(["a", "bc"]))
    }
}
