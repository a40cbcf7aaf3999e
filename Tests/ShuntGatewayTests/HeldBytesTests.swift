#if Gateway
import NIOCore
import NIOHTTP1
import Testing

@testable import ShuntGateway

/// The memory that a connection holds between two reads.
@Suite struct HeldBytesTests {
    /// The bytes through a connection: 32 times what it may keep.
    private static let total = 32 << 20
    private static let most = 1 << 20

    /// Reads that repeat `message` and each end inside of one.
    private static func reads(of message: String) -> ByteBuffer {
        var bytes = ByteBuffer()
        while bytes.readableBytes < 65_536 { bytes.writeString(message) }
        return bytes
    }

    private static let requests = [
        "GET /tt HTTP/1.1\r\nHost: w\r\nX: \(String(repeating: "x", count: 8_000))\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: w\r\nContent-Length: 20000\r\n\r\n" + String(repeating: "b", count: 20_000),
        "POST / HTTP/1.1\r\nHost: w\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "1f40;x=y\r\n\(String(repeating: "c", count: 8_000))\r\n", count: 4)
            + "0\r\nT: 1\r\n\r\n",
    ]

    @Test("Requests whose reads never end where a request does hold no more than one read", arguments: requests)
    func held(_ message: String) throws {
        var parser = RequestParser(headerLimit: 65_536)
        let bytes = Self.reads(of: message)
        var held = 0
        var ended = 0
        parser.append(ByteBuffer(string: String(message.prefix(7))))
        for offset in 0..<(Self.total / bytes.readableBytes) where held <= Self.most {
            // What follows the beginning that came before, up to the same place of another request.
            parser.append(Self.shifted(bytes, by: 7))
            while let part = try parser.next() { if case .end = part { ended += 1 } }
            held = max(held, parser.heldBytes)
            #expect(ended > offset)
        }
        #expect(held <= 262_144)
    }

    /// The same bytes from another place on, so that a read ends there.
    private static func shifted(_ bytes: ByteBuffer, by count: Int) -> ByteBuffer {
        var bytes = bytes
        var first = bytes.readSlice(length: count) ?? ByteBuffer()
        var shifted = ByteBuffer()
        shifted.writeBuffer(&bytes)
        shifted.writeBuffer(&first)
        return shifted
    }

    @Test("An answer in chunks whose reads never end where a chunk does holds no more than one read")
    func answers() throws {
        var parser = ResponseParser()
        parser.begin(.GET)
        parser.append(ByteBuffer(string: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1f"))
        let bytes = Self.shifted(Self.reads(of: "1f40\r\n\(String(repeating: "c", count: 8_000))\r\n"), by: 2)
        var held = 0
        var length = 0
        for _ in 0..<(Self.total / bytes.readableBytes) where held <= Self.most {
            parser.append(bytes)
            while let part = try parser.next() { if case .body(let part) = part { length += part.readableBytes } }
            held = max(held, parser.heldBytes)
        }
        #expect(held <= 262_144)
        #expect(length > Self.total / 2)
    }

    @Test("The beginning of a head does not hold the read that it came with")
    func beginning() throws {
        let request = "GET /tt HTTP/1.1\r\nHost: w\r\n\r\n"
        var bytes = Self.reads(of: request)
        bytes.writeString("GET /t")
        var parser = RequestParser(headerLimit: 65_536)
        parser.append(bytes)
        while try parser.next() != nil {}
        #expect(parser.heldBytes <= 2_048)
        parser.append(ByteBuffer(string: " HTTP/1.1\r\nHost: w\r\n\r\n"))
        var ended = 0
        while let part = try parser.next() { if case .end = part { ended += 1 } }
        #expect(ended == 1)
        #expect(parser.heldBytes == 0)
    }

    @Test("A head that does not end holds what was sent of it, and at most 128 KiB")
    func withoutEnd() throws {
        var parser = RequestParser(headerLimit: 65_536)
        parser.append(ByteBuffer(string: "GET /\(String(repeating: "a", count: 65_000)) HTTP/1.1\r\n"))
        #expect(try parser.next() == nil)
        var sent = 65_000
        let line = "X: \(String(repeating: "b", count: 997))\r\n"
        var failure: RequestParser.Failure?
        do throws(RequestParser.Failure) {
            while sent < 1 << 20 {
                parser.append(ByteBuffer(string: line))
                sent += line.utf8.count
                _ = try parser.next()
                #expect(parser.heldBytes <= 131_072)
            }
        } catch {
            failure = error
        }
        #expect(failure == .longHeaders)
        #expect(sent < 140_000)
    }

    @Test("A preface is complete or refused at its longest length")
    func preface() {
        let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
        let beginnings: [[UInt8]] = [
            Array("PROXY UNKNOWN ".utf8), Array("PROXY TCP4 ".utf8), signature + [0x21, 0x11, 0x0f, 0xf0],
            signature + [0x20, 0, 0xff, 0xff], [],
        ]
        for beginning in beginnings {
            let filled = beginning + [UInt8](repeating: 0x20, count: ProxyPreface.longest - beginning.count)
            #expect(ProxyPreface.read(filled[...]) != .incomplete)
        }
    }
}
#endif
