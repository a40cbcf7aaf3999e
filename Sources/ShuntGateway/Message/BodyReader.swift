#if Gateway
import NIOCore
import ShuntCore

/// Takes the body of a message off the bytes that come, up to where it ends and not a byte further.
///
/// https://www.rfc-editor.org/rfc/rfc9112#section-6
struct BodyReader {
    /// The kind of invalid body.
    enum Failure: Error {
        case chunk
        case trailer
        case tooManyTrailers
    }

    /// The result for the bytes so far.
    enum Step {
        /// More of them are needed.
        case wait
        case part(ByteBuffer)
        case end
    }

    private enum State {
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd
        case trailers
        case untilEnd
        case end
    }

    /// The longest line with the size of a chunk.
    static let chunkLineLimit = 1_024
    /// The longest line after the chunks.
    static let trailerLineLimit = 8_192
    /// The most bytes after the chunks.
    static let trailersLimit = 131_072

    private var state: State
    private var trailerBytes = 0

    /// Reads nothing.
    static let none = BodyReader(state: .end)
    static let chunks = BodyReader(state: .chunkSize)
    /// Reads until the connection ends.
    static let untilEnd = BodyReader(state: .untilEnd)

    static func length(_ count: Int) -> BodyReader { BodyReader(state: count == 0 ? .end : .length(count)) }

    /// True if the body ends with the connection.
    var isUntilEnd: Bool { if case .untilEnd = state { true } else { false } }

    /// The next part of the body.
    mutating func next(_ buffer: inout ByteBuffer) throws(Failure) -> Step {
        while true {
            switch state {
            case .end: return .end
            case .length(let count):
                guard let part = Self.take(count, &buffer) else { return .wait }
                state = part.readableBytes == count ? .end : .length(count - part.readableBytes)
                return .part(part)
            case .untilEnd: return Self.take(.max, &buffer).map { .part($0) } ?? .wait
            case .chunkSize:
                guard let size = try Self.chunkSize(&buffer) else { return .wait }
                state = size == 0 ? .trailers : .chunk(size)
            case .chunk(let count):
                guard let part = Self.take(count, &buffer) else { return .wait }
                state = part.readableBytes == count ? .chunkEnd : .chunk(count - part.readableBytes)
                return .part(part)
            case .chunkEnd:
                guard buffer.readableBytes >= 2 else { return .wait }
                guard buffer.readBytes(length: 2) == [0x0d, 0x0a] else { throw .chunk }
                state = .chunkSize
            case .trailers:
                guard try endsTrailers(&buffer) else { return .wait }
                state = .end
            }
        }
    }

    /// At most so many bytes; nil for none.
    private static func take(_ count: Int, _ buffer: inout ByteBuffer) -> ByteBuffer? {
        let available = min(count, buffer.readableBytes)
        return available == 0 ? nil : buffer.readSlice(length: available)
    }

    /// A line without its end; nil where it is not there yet.
    private static func line(
        _ buffer: inout ByteBuffer,
        limit: Int,
        or failure: Failure
    ) throws(Failure) -> ByteBuffer? {
        guard let length = try lineLength(buffer, limit: limit, or: failure),
            let line = buffer.readSlice(length: length)
        else { return nil }
        buffer.moveReaderIndex(forwardBy: 2)
        return line
    }

    private static func lineLength(_ buffer: ByteBuffer, limit: Int, or failure: Failure) throws(Failure) -> Int? {
        let bytes = buffer.readableBytesUInt8Span
        for index in 0..<bytes.count {
            guard index <= limit else { throw failure }
            guard bytes[index] == 0x0a else { continue }
            guard index > 0, bytes[index - 1] == 0x0d else { throw failure }
            return index - 1
        }
        return nil
    }

    /// The size of the next chunk; blanks after it, and what extends it, are dropped.
    private static func chunkSize(_ buffer: inout ByteBuffer) throws(Failure) -> Int? {
        guard let line = try line(&buffer, limit: chunkLineLimit, or: .chunk) else { return nil }
        let bytes = line.readableBytesUInt8Span
        var size = 0
        var index = 0
        while index < bytes.count, let digit = bytes[index].hexadecimalValue {
            // 15 digits are more than any body has, and no number that overflows.
            guard index < 15 else { throw .chunk }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > 0 else { throw .chunk }
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        guard index == bytes.count || bytes[index] == 0x3b else { throw .chunk }
        for rest in index..<bytes.count where bytes[rest].isControl { throw .chunk }
        return size
    }

    /// Reads headers after the chunks, which are dropped, up to the empty line.
    private mutating func endsTrailers(_ buffer: inout ByteBuffer) throws(Failure) -> Bool {
        while let line = try Self.line(&buffer, limit: Self.trailerLineLimit, or: .trailer) {
            let bytes = line.readableBytesUInt8Span
            if bytes.isEmpty { return true }
            trailerBytes += bytes.count
            guard trailerBytes <= Self.trailersLimit else { throw .tooManyTrailers }
            var colon = 0
            while colon < bytes.count, bytes[colon].isNameByte { colon += 1 }
            guard colon > 0, colon < bytes.count, bytes[colon] == 0x3a else { throw .trailer }
        }
        return false
    }
}
#endif
