#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntCore

/// Writing the head of a response.
///
/// Where headers end is up to this alone: no line that is written has a control byte in it, whoever gives it.
extension ByteBuffer {
    /// Writes the status line.
    mutating func writeStatusLine(_ status: HTTPResponseStatus, isOldVersion: Bool = false) {
        if status == .ok, !isOldVersion {
            writeStaticString("HTTP/1.1 200 OK\r\n")
            return
        }
        writeStaticString(isOldVersion ? "HTTP/1.0 " : "HTTP/1.1 ")
        writeDecimal(Int(status.code))
        writeStaticString(" ")
        writeSafely(status.reasonPhrase)
        writeStaticString("\r\n")
    }

    /// Writes a header.
    mutating func writeHeader(_ name: Span<UInt8>, _ value: Span<UInt8>) {
        writeSafely(name)
        writeStaticString(": ")
        writeSafely(value)
        writeStaticString("\r\n")
    }

    /// Writes a header.
    mutating func writeHeader(_ name: String, _ value: String) {
        writeSafely(name)
        writeStaticString(": ")
        writeSafely(value)
        writeStaticString("\r\n")
    }

    /// Writes a header of a name that is known.
    mutating func writeHeader(_ name: StaticString, _ value: Span<UInt8>) {
        writeStaticString(name)
        writeStaticString(": ")
        writeSafely(value)
        writeStaticString("\r\n")
    }

    /// Writes a header whose bytes were looked at when they came.
    mutating func writeHeader(_ field: HeaderFields.Field, of fields: HeaderFields) {
        let bytes = fields.bytes.readableBytesSpan
        writeBytes(bytes.extracting(field.name))
        writeStaticString(": ")
        writeBytes(bytes.extracting(field.value))
        writeStaticString("\r\n")
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
        writeStaticString("Content-Length: ")
        writeDecimal(count)
        writeStaticString("\r\n")
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

    /// Headers are text: bytes that are none of UTF-8 become U+FFFD.
    private mutating func writeSafely(_ bytes: Span<UInt8>) {
        for index in bytes.indices where bytes[index].isControl || bytes[index] >= 0x80 {
            writeSafely(String(repairing: bytes))
            return
        }
        writeBytes(bytes.bytes)
    }
}

/// The line with the date; made once a second.
///
/// Used on its event loop only.
final class DateLine {
    private var second = Int64.min
    private var line = ByteBuffer()

    /// Writes the line for a time.
    func write(_ time: Timestamp, to buffer: inout ByteBuffer) {
        if second != time.seconds {
            second = time.seconds
            line = ByteBuffer(string: "Date: \(time.httpDate)\r\n")
        }
        buffer.writeImmutableBuffer(line)
    }
}
#endif
