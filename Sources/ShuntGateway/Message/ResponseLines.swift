#if Gateway
import NIOCore
import NIOHTTP1
import Shunt

/// Writing the head of a response.
///
/// This alone ends the headers: no written line has a control byte in it, whatever its source.
extension ByteBuffer {
    mutating func writeStatusLine(_ status: HTTPResponseStatus) {
        if status == .ok {
            writeStaticString("HTTP/1.1 200 OK\r\n")
            return
        }
        writeStaticString("HTTP/1.1 ")
        writeDecimal(Int(status.code))
        writeStaticString(" ")
        writeSafely(status.reasonPhrase)
        writeStaticString("\r\n")
    }

    mutating func writeHeader(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        if LineScan.isPlainText(name.indices, of: name), LineScan.isPlainText(value.indices, of: value) {
            return writeLine(name.bytes, value.bytes)
        }
        writeSafely(name)
        writeStaticString(": ")
        writeSafely(value)
        writeStaticString("\r\n")
    }

    /// Writes a line of a name and a value in one go: each single piece costs more than its bytes.
    private mutating func writeLine(_ name: RawSpan, _ value: RawSpan) {
        name.withUnsafeBytes { writeLine($0, value) }
    }

    private mutating func writeLine(_ name: UnsafeRawBufferPointer, _ value: RawSpan) {
        let length = name.count + value.byteCount + 4
        value.withUnsafeBytes { value in
            _ = writeWithUnsafeMutableBytes(minimumWritableBytes: length) { place in
                place.copyMemory(from: name)
                place[name.count] = UInt8(ascii: ":")
                place[name.count + 1] = 0x20
                UnsafeMutableRawBufferPointer(rebasing: place[(name.count + 2)...]).copyMemory(from: value)
                place[length - 2] = 0x0d
                place[length - 1] = 0x0a
                return length
            }
        }
    }

    mutating func writeHeader(_ name: String, _ value: String) {
        writeSafely(name)
        writeStaticString(": ")
        writeSafely(value)
        writeStaticString("\r\n")
    }

    /// Writes a header of a name that is known.
    mutating func writeHeader(_ name: StaticString, _ value: Span<UInt8>) {
        if LineScan.isPlainText(value.indices, of: value) {
            return name.withUTF8Buffer { writeLine(UnsafeRawBufferPointer($0), value.bytes) }
        }
        writeStaticString(name)
        writeStaticString(": ")
        writeSafely(value)
        writeStaticString("\r\n")
    }

    /// Writes a header whose bytes were read when they came.
    mutating func writeHeader(_ field: HeaderFields.Field, of fields: HeaderFields) {
        let bytes = fields.bytes.readableBytesSpan
        writeLine(bytes.extracting(field.name), bytes.extracting(field.value))
    }

    /// Writes a header with another value, whose control bytes are percent-encoded.
    mutating func writeHeader(_ field: HeaderFields.Field, of fields: HeaderFields, value: [UInt8]) {
        writeBytes(fields.bytes.readableBytesSpan.extracting(field.name))
        writeStaticString(": ")
        for byte in value {
            if byte.isControl {
                writeStaticString(byte < 0x10 ? "%0" : "%")
                writeString(String(byte, radix: 16, uppercase: true))
            } else {
                writeInteger(byte)
            }
        }
        writeStaticString("\r\n")
    }

    /// Writes the length of a body.
    mutating func writeContentLength(_ count: Int) {
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var first = digits.count
        var rest = max(0, count)
        repeat {
            first -= 1
            digits[first] = UInt8(0x30 + rest % 10)
            rest /= 10
        } while rest > 0
        let name: StaticString = "Content-Length"
        name.withUTF8Buffer { name in
            writeLine(UnsafeRawBufferPointer(name), digits.span.extracting(first...).bytes)
        }
    }

    /// Writes a number that is not negative.
    mutating func writeDecimal(_ number: Int) {
        if number < 10 {
            writeInteger(UInt8(0x30 + max(0, number)))
            return
        }
        writeDecimal(number / 10)
        writeInteger(UInt8(0x30 + number % 10))
    }

    private mutating func writeSafely(_ text: String) {
        if text.utf8.contains(where: \.isControl) {
            writeBytes(text.utf8.lazy.map { $0.isControl ? 0x20 : $0 })
        } else {
            writeString(text)
        }
    }

    /// Writes bytes unchanged, but for control bytes, which become blanks: as in nginx, values need not be UTF-8.
    private mutating func writeSafely(_ bytes: Span<UInt8>) {
        for index in bytes.indices { writeInteger(bytes[index].isControl ? 0x20 : bytes[index]) }
    }
}

/// The line with the date; made once a second.
///
/// Used on its event loop only.
final class DateLine {
    private var second = Int64.min
    private var line: [UInt8] = []

    func write(_ time: Timestamp, to buffer: inout ByteBuffer) {
        if second != time.seconds {
            second = time.seconds
            line = Array("Date: \(time.httpDate)\r\n".utf8)
        }
        buffer.writeBytes(line)
    }
}
#endif
