import ShuntCore
import Testing

@Suite("Bytes, sets of bytes, and the arena")
struct BytesTests {
    @Test("Classes of ASCII")
    func classes() {
        for byte in UInt8.min...UInt8.max {
            let scalar = Unicode.Scalar(byte)
            let character = Character(scalar)
            #expect(byte.isASCIIDigit == ("0"..."9").contains(character))
            #expect(byte.isASCIILetter == (("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)))
            #expect(byte.isASCIIUppercase == ("A"..."Z").contains(scalar))
            #expect(byte.isASCIIControl == (byte < 32 || byte == 127))
            #expect(byte.asciiLowercased == (("A"..."Z").contains(scalar) ? byte + 32 : byte))
            #expect(byte.hexadecimalValue.map(Int.init) == (byte < 0x80 ? character.hexDigitValue : nil))
            #expect(ByteSet.alphanumerics.contains(byte) == (byte.isASCIIDigit || byte.isASCIILetter))
        }
        for value in UInt8(0)..<16 {
            let digit = String(value, radix: 16)
            #expect(digit.utf8.first == value.lowerHexadecimalDigit)
            #expect(digit.uppercased().utf8.first == (value | 0xf0).upperHexadecimalDigit)
        }
    }

    @Test("Sets")
    func sets() {
        var set = ByteSet(ascii: "a%")
        set.insert(0)
        set.insert(0x80)
        set.insert(0xff)
        let members: [UInt8] = [0, 0x25, 0x61, 0x80, 0xff]
        for byte in UInt8.min...UInt8.max {
            #expect(set.contains(byte) == members.contains(byte))
            #expect(set.inverted.contains(byte) == !members.contains(byte))
            #expect(ByteSet(0x40...0xbf).contains(byte) == (byte >= 0x40 && byte <= 0xbf))
            #expect(
                set.union(ByteSet(0x40...0x41)).contains(byte)
                    == (members.contains(byte) || byte == 0x40 || byte == 0x41)
            )
        }
    }

    @Test("Ranges")
    func ranges() {
        #expect(ByteRange(3, 1) == ByteRange(3, 3))
        #expect(ByteRange(2, 5).count == 3)
        #expect(ByteRange(2, 5).indices == 2..<5)
        #expect(ByteRange.empty.isEmpty)
        #expect(ByteRange(2, 5).moved(by: -2) == ByteRange(0, 3))
    }

    @Test("An arena grows up to its limit and then refuses whole values")
    func arena() {
        let arena = ByteArena(capacity: 2, limit: 8)
        arena.append(Array("abc".utf8))
        arena.append(copyOf: ByteRange(1, 3))
        #expect(arena.array(ByteRange(0, arena.count)) == Array("abcbc".utf8))
        arena.append(Array("1234".utf8))
        #expect(arena.overflowed)
        #expect(arena.count == 5)
        arena.append(Array("123".utf8))
        #expect(arena.array(ByteRange(5, 8)) == Array("123".utf8))
        arena.append(UInt8(ascii: "4"))
        arena.append(copyOf: ByteRange(0, 1))
        #expect(arena.count == 8)
        arena.truncate(to: 1)
        #expect(arena.overflowed)
        #expect(arena.range(from: 0) == ByteRange(0, 1))
        #expect(arena[0] == UInt8(ascii: "a"))
        arena.removeAll()
        #expect(!arena.overflowed)
        #expect(arena.mark == 0)
        arena.append([])
        #expect(arena.array(.empty) == [])
    }
}
