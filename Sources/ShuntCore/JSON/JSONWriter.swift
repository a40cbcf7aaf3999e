/// Writes JSON piece by piece into a buffer, without a model of the document in memory.
///
/// Commas are put in by the writer; that names and values alternate in an object is up to the caller. The output has no
/// line breaks, so one document is one line.
///
/// JSON text is Unicode, while URLs and headers are bytes. A string given as bytes is written as UTF-8 if it is valid
/// UTF-8. If it is not, the *whole* string is written as Latin-1: each byte from 0x80 on becomes `\u0080`…`\u00ff`, so a
/// reader that encodes the string as Latin-1 has the very bytes back. Nothing is replaced or lost.
package struct JSONWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []
    /// True if the next item at this depth needs a comma before it, one entry a level.
    private var needsComma: [Bool] = [false]
    private var afterName = false

    /// Makes a writer with an empty buffer.
    package init() {}

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets what was written, but keeps the memory, for the next line of a stream.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma.removeAll(keepingCapacity: true)
        needsComma.append(false)
        afterName = false
    }

    /// Ends a line of a stream.
    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma[needsComma.count - 1] = false
    }

    // MARK: Structure

    package mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the object that was opened last.
    package mutating func endObject() { close(UInt8(ascii: "}")) }

    package mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes the array that was opened last.
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the name of the value that comes next.
    package mutating func name(_ name: String) {
        separate()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
        afterName = true
    }

    /// Writes an object whose members `body` writes.
    package mutating func object<Failure: Error>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Writes an array whose items `body` writes.
    package mutating func array<Failure: Error>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
        beginArray()
        try body(&self)
        endArray()
    }

    // MARK: Values

    package mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
    }

    /// Writes bytes as a string: as UTF-8 if they are, otherwise all of them as Latin-1.
    package mutating func string(_ value: Span<UInt8>) {
        separate()
        appendQuoted(value)
    }

    /// Writes a value that is JSON text already, unchanged; it must have no line breaks.
    package mutating func json(_ text: Span<UInt8>) {
        separate()
        bytes.append(copying: text)
    }

    package mutating func number(_ value: some FixedWidthInteger) {
        separate()
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Writes a number; what is not finite becomes `null`.
    package mutating func number(_ value: Double) {
        separate()
        bytes.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    }

    package mutating func boolean(_ value: Bool) {
        separate()
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    package mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    // MARK: Members

    package mutating func member(_ name: String, _ value: some JSONWritable) {
        self.name(name)
        value.write(to: &self)
    }

    // MARK: Details

    private mutating func separate() {
        if afterName {
            afterName = false
            return
        }
        if needsComma[needsComma.count - 1] { bytes.append(UInt8(ascii: ",")) }
        needsComma[needsComma.count - 1] = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma.append(false)
    }

    private mutating func close(_ bracket: UInt8) {
        precondition(needsComma.count > 1, "a JSON value was closed that is not open")
        needsComma.removeLast()
        bytes.append(bracket)
    }

    private mutating func appendQuoted(_ text: String) {
        let text = text.utf8
        appendQuoted(text.span)
    }

    private mutating func appendQuoted(_ text: Span<UInt8>) {
        let isUTF8 = text.isUTF8
        bytes.append(UInt8(ascii: "\""))
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, Self.isPlain(text[index]) { index += 1 }
            bytes.append(copying: text.extracting(start..<index))
            guard index < text.count else { break }
            defer { index += 1 }
            let byte = text[index]
            if isUTF8, let steering = SteeringText.scalar(in: text, at: index) {
                appendUnicodeEscape(steering.scalar)
                index += steering.length - 1
            } else if byte < 0x80 || isUTF8 {
                appendEscaped(byte)
            } else {
                appendUnicodeEscape(UInt16(byte))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns true if a byte stands for itself in every string.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case UInt8(ascii: "\n"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
        case UInt8(ascii: "\r"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
        case UInt8(ascii: "\t"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
        case 0..<0x20, 0x7f: appendUnicodeEscape(UInt16(byte))
        default: bytes.append(byte)
        }
    }

    private mutating func appendUnicodeEscape(_ code: UInt16) {
        bytes.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] as [UInt16] {
            bytes.append(UInt8(truncatingIfNeeded: code &>> shift).lowerHexadecimalDigit)
        }
    }
}
