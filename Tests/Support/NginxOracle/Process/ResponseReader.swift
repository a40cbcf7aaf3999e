/// One response as it came over the wire.
package struct WireResponse: Sendable, Hashable {
    package var status: Int
    package var headers: [HeaderLine]
    package var body: [UInt8]
    /// True if the connection ends with it.
    package var closes: Bool

    package func header(_ name: String) -> [UInt8]? {
        let name = Array(name.utf8)
        return headers.first { $0.name.lowercasedASCII == name }?.value
    }
}

/// Takes responses apart, from a buffer that fills bit by bit.
struct ResponseReader {
    var buffer: [UInt8] = []
    private var position = 0

    enum Result {
        case response(WireResponse)
        case needsMore
        case malformed(String)
    }

    /// Forgets what has been read.
    mutating func compact() {
        guard position > 1 << 16 || position == buffer.count else { return }
        buffer.removeFirst(position)
        position = 0
    }

    var isEmpty: Bool { position == buffer.count }

    /// The next response, if all of it is there.
    ///
    /// `atEnd`: nothing more will come.
    mutating func next(isHead: Bool, atEnd: Bool) -> Result {
        var cursor = position
        guard let statusLine = line(from: &cursor) else { return .needsMore }
        let version = Array("HTTP/1.1 ".utf8)
        guard statusLine.starts(with: version), let status = Self.number(statusLine.dropFirst(version.count).prefix(3))
        else { return .malformed(ByteText.show(statusLine.prefix(100))) }
        var headers: [HeaderLine] = []
        while true {
            guard let text = line(from: &cursor) else { return .needsMore }
            if text.isEmpty { break }
            let colon = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            let value = text[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
            headers.append(HeaderLine(name: Array(text[..<colon]), value: Array(value)))
        }
        var response = WireResponse(status: status, headers: headers, body: [], closes: false)
        response.closes = response.header("connection")?.lowercasedASCII == Array("close".utf8)
        if !isHead, status != 204, status != 304 {
            if response.header("transfer-encoding") != nil {
                guard let body = chunked(from: &cursor) else { return .needsMore }
                response.body = body
            } else if let text = response.header("content-length") {
                guard let length = Self.number(text[...]) else { return .malformed("content-length") }
                guard buffer.count - cursor >= length else { return .needsMore }
                response.body = Array(buffer[cursor..<cursor + length])
                cursor += length
            } else {
                guard atEnd else { return .needsMore }
                response.body = Array(buffer[cursor...])
                cursor = buffer.count
            }
        }
        position = cursor
        return .response(response)
    }

    private func line(from cursor: inout Int) -> ArraySlice<UInt8>? {
        guard let end = buffer[cursor...].firstIndex(of: 0x0a) else { return nil }
        var text = buffer[cursor..<end]
        if text.last == 0x0d { text.removeLast() }
        cursor = end + 1
        return text
    }

    private func chunked(from cursor: inout Int) -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            guard let text = line(from: &cursor) else { return nil }
            var size = 0
            for byte in text {
                guard let digit = ByteText.hexadecimalDigit(byte), size < 1 << 24 else { break }
                size = size << 4 | Int(digit)
            }
            guard buffer.count - cursor >= size + 2 else { return nil }
            body += buffer[cursor..<cursor + size]
            cursor += size + 2
            if size == 0 { return body }
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        guard !digits.isEmpty, digits.count < 10 else { return nil }
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
