#if Gateway
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SeededRandom
import Shunt
import TestSettings
import Testing

@testable import ShuntGateway

/// The ends of an upstream's responses, and bytes that are not a response.
@Suite struct ResponseParserTests {
    /// The result for bytes: the status, the body, whether it has ended, and what is left.
    struct Outcome: Equatable {
        var statuses: [UInt] = []
        var body = ""
        var hasEnded = false
        var rest = ""
        var failure: ResponseFailure?
    }

    static func parse(_ text: String, _ method: HTTPMethod = .GET, pieces: Int = .max, ends: Bool = false) -> Outcome {
        var outcome = Outcome()
        var parser = ResponseParser()
        parser.begin(method)
        var rest = Array(text.utf8)[...]
        do throws(ResponseFailure) {
            while !rest.isEmpty {
                parser.append(ByteBuffer(bytes: rest.prefix(pieces)))
                rest = rest.dropFirst(pieces)
                while let part = try parser.next() {
                    switch part {
                    case .head(let head), .switched(let head): outcome.statuses.append(head.status.code)
                    case .body(let bytes): outcome.body += String(buffer: bytes)
                    case .end: outcome.hasEnded = true
                    }
                }
            }
            if ends, !outcome.hasEnded {
                try parser.finish()
                outcome.hasEnded = true
            }
        } catch {
            outcome.failure = error
        }
        outcome.rest = String(buffer: parser.takeRest())
        return outcome
    }

    @Test("A response ends at its end, whatever the pieces that it comes in", arguments: whole)
    func ends(_ text: String, _ body: String) {
        for pieces in [1, 2, 3, 7, .max] {
            for rest in ["", "HTTP/1.1 200 OK\r\nX: "] {
                let outcome = Self.parse(text + rest, pieces: pieces)
                #expect(outcome.failure == nil, "\(pieces)")
                #expect(outcome.statuses.count == 1)
                #expect(outcome.body == body)
                #expect(outcome.hasEnded)
                #expect(outcome.rest == rest)
            }
        }
    }

    @Test func aHeadAnswerHasNoBody() {
        let outcome = Self.parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", .HEAD)
        #expect(outcome == Outcome(statuses: [200], hasEnded: true, rest: "hello"))
    }

    @Test func theEndOfAConnectionEndsWhatNothingElseDoes() {
        let text = "HTTP/1.0 200 OK\r\n\r\nto the end"
        #expect(Self.parse(text, ends: true) == Outcome(statuses: [200], body: "to the end", hasEnded: true))
        let short = Self.parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel", ends: true)
        #expect(short.failure == .brokenOff)
        #expect(Self.parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", ends: true).failure == .brokenOff)
        #expect(Self.parse("HTTP/1.1 200 OK\r\n", ends: true).failure == .brokenOff)
    }

    @Test("Bytes that two parsers may read in two ways are refused", arguments: wrong)
    func refused(_ text: String, _ failure: ResponseFailure) {
        #expect(Self.parse(text).failure == failure)
        if text.utf8.count < 5_000 { #expect(Self.parse(text, pieces: 1).failure == failure) }
    }

    static let wrong: [(String, ResponseFailure)] = [
        ("HTTP/1.1 99 X\r\n\r\n", ResponseFailure.statusLine), ("HTTP/1.1 099 X\r\n\r\n", .status(99)),
        ("HTTP/1.1 000 X\r\n\r\n", .status(0)), ("HTTP/1.1 2000 X\r\n\r\n", .statusLine),
        ("HTTP/1.1 -10 X\r\n\r\n", .statusLine), ("HTTP/2.0 200 OK\r\n\r\n", .statusLine),
        ("HTTP/1.2 200 OK\r\n\r\n", .statusLine), ("http/1.1 200 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1  200 OK\r\n\r\n", .statusLine), ("HTTP/1.1 200\u{1}OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 200 O\u{0}K\r\n\r\n", .statusLine), ("\r\nHTTP/1.1 200 OK\r\n\r\n", .statusLine),
        ("HTTP/1.1 200 OK\n\n", .headerLine), ("HTTP/1.1 200 OK\r\nA: b\n\r\n", .headerLine),
        ("HTTP/1.1 200 OK\r\nA : b\r\n\r\n", .headerLine), ("HTTP/1.1 200 OK\r\n: b\r\n\r\n", .headerLine),
        ("HTTP/1.1 200 OK\r\nA\r\n\r\n", .headerLine), ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n", .headerLine),
        ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", .headerLine), ("HTTP/1.1 200 OK\r\nA: b\u{0}\r\n\r\n", .headerLine),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", .twoLengths),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx", .twoLengths),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\nx", .twoLengths),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .twoLengths),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .transferCoding),
        ("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCoding),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n", .length),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n", .length),
        (chunked + "x\r\n", .chunk), (chunked + "\r\n", .chunk), (chunked + " 1\r\na\r\n", .chunk),
        (chunked + "1 a\r\na\r\n", .chunk), (chunked + "0x1\r\na\r\n", .chunk), (chunked + "1\na\r\n", .chunk),
        (chunked + "1\r\nab\r\n", .chunk), (chunked + "1\r\na\n0\r\n", .chunk),
        (chunked + "00000000000000001\r\na\r\n", .chunk), (chunked + "ffffffffffffffff\r\na", .chunk),
        (chunked + "1;\u{1}\r\na\r\n", .chunk), (chunked + "0\r\nA : b\r\n\r\n", .headerLine),
        (chunked + "0\r\n A: b\r\n\r\n", .headerLine),
        (chunked + String(repeating: "0", count: 2_000), .chunk),
        (String(repeating: "HTTP/1.1 102 P\r\n\r\n", count: 33), .tooManyInterimResponses),
        ("HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 257) + "\r\n", .tooManyHeaders),
        ("HTTP/1.1 200 OK\r\nA: " + String(repeating: "b", count: 140_000), .tooManyHeaders),
    ]

    static let whole: [(String, String)] = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", ""),
        ("HTTP/1.1 200 OK\r\ncontent-length:2\t \r\n\r\nok", "ok"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "ok"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\no\r\n1 \t;a\r\nk\r\n0 \r\n\r\n", "ok"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\no\r\n01\r\nk\r\n0\r\nX: y\r\n\r\n", "ok"),
        ("HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", "x"),
        ("HTTP/1.1 304 N\r\nContent-Length: 9\r\n\r\n", ""), ("HTTP/1.1 204 N\r\nContent-Length: 9\r\n\r\n", ""),
    ]

    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// SHUNT_RANDOM_RESPONSES is how many.
    @Test("Accepted random responses are those that NIO's parser reads")
    func agreesWithAnotherParser() throws {
        let count = TestSettings.randomResponses
        var random = SeededGenerator(seed: 20)
        var taken = 0
        for _ in 0..<count {
            let text = Self.randomResponse(&random)
            let mine = Self.parse(text, ends: true)
            guard mine.failure == nil else { continue }
            taken += 1
            let response = text.utf8.dropLast(mine.rest.utf8.count)
            let (statuses, body) = try Self.readByNIO(String(decoding: response, as: UTF8.self))
            #expect(mine.statuses == statuses, "\(text.debugDescription)")
            #expect(mine.body == body, "\(text.debugDescription)")
        }
        #expect(taken > count / 20)
    }

    private static func readByNIO(_ text: String) throws -> ([UInt], String) {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHTTPClientHandlers()
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeOutbound(HTTPClientRequestPart.head(.init(version: .http1_1, method: .GET, uri: "/")))
        _ = try? channel.writeInbound(ByteBuffer(string: text))
        _ = try? channel.finish(acceptAlreadyClosed: true)
        var statuses: [UInt] = []
        var body = ""
        while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
            switch part {
            case .head(let head): statuses.append(head.status.code)
            case .body(let bytes): body += String(buffer: bytes)
            case .end: break
            }
        }
        return (statuses, body)
    }

    private static func randomResponse(_ random: inout SeededGenerator) -> String {
        var text = random.pick([
            "HTTP/1.1 200 OK", "HTTP/1.1 200", "HTTP/1.0 200 OK", "HTTP/1.1 404 x y", "HTTP/1.1 204 N",
        ])
        text += random.chance(97) ? "\r\n" : random.pick(["\n", "\r", "\r\n ", ""])
        let framings = [
            "Content-Length: 5", "content-length:  3", "Content-Length: 0", "Transfer-Encoding: chunked",
            "TRANSFER-ENCODING: chunked", "Transfer-Encoding: identity", "Content-Length: 05", "Content-Length : 5",
        ]
        for _ in 0..<random.below(4) {
            text +=
                random.chance(50)
                ? random.pick(framings)
                : random.pick(["A: b", "X-Long-Name: some value", "C:", "Connection: close", "D e: f"])
            text += random.chance(97) ? "\r\n" : random.pick(["\n", "\r", "\r\n\t"])
        }
        text += random.chance(97) ? "\r\n" : "\n"
        let chunks = [
            "5\r\nhello\r\n", "3;x\r\nabc\r\n", "A\r\n0123456789\r\n", "4\r\nabc\r\n", "0\r\n\r\n", "0\r\nT: u\r\n\r\n",
        ]
        for _ in 0..<random.below(4) {
            text += random.chance(60) ? random.pick(chunks) : random.pick(["hello", "abc", ""])
        }
        if random.chance(40) { text += "0\r\n\r\n" }
        return text
    }
}
#endif
