#if Gateway
import NIOCore
import NIOHTTP1
import ShuntCore

/// The headers of a message where they lie in its bytes.
///
/// Most of them are only compared or passed on, for which no text has to be made of them.
struct HeaderFields: Equatable {
    /// The place where a header is.
    struct Field: Equatable {
        var name: Range<Int>
        var value: Range<Int>
        /// True if it is known that its name is of letters, digits and dashes, and its value of visible ASCII, blanks
        /// and tabs.
        private(set) var isPlain = false

        /// Takes a line apart: a token right before a colon, and a value without blanks around it and without control bytes; nil
        /// where it is anything else.
        ///
        /// https://www.rfc-editor.org/rfc/rfc9110#section-5
        ///
        /// - Parameters:
        ///   - line: Where the line is, without its end.
        ///   - bytes: The bytes of the message.
        init?(_ line: Range<Int>, of bytes: Span<UInt8>) {
            var colon = LineScan.plainNameEnd(in: bytes, from: line.lowerBound, before: line.upperBound)
            let plainEnd = colon
            while colon < line.upperBound, bytes[colon].isNameByte { colon += 1 }
            guard colon > line.lowerBound, colon < line.upperBound, bytes[colon] == 0x3a else { return nil }
            var start = colon + 1
            var end = line.upperBound
            while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
            while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
            let hasPlainValue = LineScan.isPlainText(start..<end, of: bytes)
            if !hasPlainValue {
                for index in start..<end where bytes[index].isControl { return nil }
            }
            isPlain = colon == plainEnd && hasPlainValue
            name = line.lowerBound..<colon
            value = start..<end
        }

        /// Returns true if a line of a request has a name that is not a token, which nginx passes over: neither rules
        /// nor upstreams see it.
        ///
        /// Blanks and control bytes in a name are refused, for with them a line may be read as another header.
        static func isPassedOver(_ line: Span<UInt8>) -> Bool {
            var colon = 0
            while colon < line.count, line[colon] != 0x3a, line[colon] > 0x20, line[colon] != 0x7f { colon += 1 }
            guard colon > 0, colon < line.count, line[colon] == 0x3a else { return false }
            for index in colon..<line.count where line[index].isControl { return false }
            return !(0..<colon).allSatisfy { line[$0].isNameByte }
        }

        init(name: Range<Int>, value: Range<Int>) {
            self.name = name
            self.value = value
        }
    }

    /// The bytes that the ranges are of.
    private(set) var bytes: ByteBuffer
    private(set) var list: [Field]

    init(_ bytes: ByteBuffer = ByteBuffer(), _ list: [Field] = []) {
        self.bytes = bytes
        self.list = list
    }

    var count: Int { list.count }

    /// Borrows a name or a value.
    func with<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        body(bytes.readableBytesUInt8Span.extracting(range))
    }

    /// A name or a value as text; bytes that are not UTF-8 become U+FFFD.
    func text(_ range: Range<Int>) -> String { with(range) { String(repairing: $0) } }

    /// Returns true if a header has a name, which is given in lower case.
    func isNamed(_ field: Field, _ name: StaticString) -> Bool {
        field.name.count == name.utf8CodeUnitCount && with(field.name) { $0.isSameHeader(as: name) }
    }

    /// The only header of a name; nil where there is none, and the first where there are several.
    func first(_ name: StaticString) -> Field? { list.first { isNamed($0, name) } }

    /// Returns true if there is a header of a name, which is given in lower case, after another one.
    func hasAnother(_ name: StaticString, after field: Field) -> Bool {
        list.contains { $0.name.lowerBound > field.name.lowerBound && isNamed($0, name) }
    }

    /// The values of all headers of a name in lower case, as text.
    func values(_ name: String) -> [String] { byteValues(name).map { String(decoding: $0, as: UTF8.self) } }

    /// The values of all headers of a name in lower case.
    func byteValues(_ name: String) -> [[UInt8]] {
        list.filter { $0.name.count == name.utf8.count && text($0.name).lowercased() == name }
            .map { with($0.value) { Array(copying: $0) } }
    }

    /// Puts one header in the place of all of a name in lower case.
    mutating func replaceOrAdd(_ name: String, _ value: String) {
        list = list.filter { text($0.name).lowercased() != name }
        add(name, value.utf8)
    }

    /// Adds a header; control bytes in its value become blanks.
    mutating func add(_ name: String, _ value: some Sequence<UInt8>) {
        let start = bytes.readableBytes
        bytes.writeString(name)
        let middle = bytes.readableBytes
        bytes.writeBytes(value.map { $0.isControl ? 0x20 : $0 })
        list.append(Field(name: start..<middle, value: middle..<bytes.readableBytes))
    }
}

extension Int {
    /// The number that digits are; nil where there are none, others among them, or more than a number has.
    init?(digits: Span<UInt8>) {
        guard digits.count > 0 else { return nil }
        var number = 0
        for index in digits.indices {
            guard (0x30...0x39).contains(digits[index]) else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int(digits[index] - 0x30))
            guard !isTooLarge, !overflows else { return nil }
            number = sum
        }
        self = number
    }
}

extension UInt8 {
    /// True if it may be in the name of a header.
    var isNameByte: Bool {
        switch self {
        case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x2d, 0x5f, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2e, 0x5e, 0x60, 0x7c,
            0x7e:
            true
        default: false
        }
    }

    /// True if it is a control byte that no text of a head has: all but tabs.
    var isControl: Bool { self < 0x20 && self != 0x09 || self == 0x7f }
}

extension Span where Element == UInt8 {
    /// Returns true if this is a header's name, or a word of a value, whatever its case; `name` is in lower case.
    func isSameHeader(as name: StaticString) -> Bool {
        guard count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            for index in indices {
                let byte = self[index]
                if ((0x41...0x5a).contains(byte) ? byte | 0x20 : byte) != wanted[index] { return false }
            }
            return true
        }
    }

    /// The words of a list with commas that are the same as `word`, which is in lower case.
    func lists(_ word: StaticString) -> Bool {
        var start = 0
        while start <= count {
            var end = start
            while end < count, self[end] != 0x2c { end += 1 }
            var (first, last) = (start, end)
            while first < last, self[first] == 0x20 || self[first] == 0x09 { first += 1 }
            while last > first, self[last - 1] == 0x20 || self[last - 1] == 0x09 { last -= 1 }
            if extracting(first..<last).isSameHeader(as: word) { return true }
            start = end + 1
        }
        return false
    }
}
#endif
