#if Gateway
import Foundation
import SeededRandom
import Shunt
import TestFolder
import TestSettings
import Testing

/// Random clients and random upstreams: whatever both send, no answer is for another request, nothing is left, and the
/// gateway continues.
///
/// `SHUNT_RANDOM_CONNECTIONS` is the number of connections.
@Suite(.serialized) struct RandomExchangeTests {
    static let count = TestSettings.randomConnections
    /// The number of clients at a time.
    static let clients = 12

    @Test("Nothing is confused, nothing is left, nothing ends", .timeLimit(.minutes(240)))
    func survive() async throws {
        let upstream = try ScriptedUpstream { connection in
            var random = SeededGenerator(seed: UInt64(connection.number))
            while let head = connection.head(), Self.takesBody(head, connection) {
                let id = head.split(separator: " ").dropFirst().first.map { String($0.dropFirst(3)) } ?? ""
                let answer = Self.answer(id, &random)
                guard connection.send(answer.bytes), !answer.closes else { return }
            }
        }
        let rules = try TestFolder()
        try rules.replace(
            "rules.conf",
            "server { proxy_read_timeout 200ms; location / { proxy_pass \(upstream.url); } location = /own { return 200 own; } }"
        )
        let gateway = try await ServedProgram.serving(rules: rules.path)
        #expect(try await gateway.ask("/own").text == "own")
        let before = try Self.descriptors(gateway)
        let port = gateway.port
        try await withThrowingTaskGroup { group in
            for first in 0..<Self.clients {
                group.addTask {
                    try await Blocking.run {
                        for number in stride(from: first, to: Self.count, by: Self.clients) {
                            try Self.ask(number, port)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await gateway.ask("/own").text == "own")
        // Connections to the upstream may be kept, as many as were in use at a time on each event loop.
        try await Wait.until("the connections are gone") { try Self.descriptors(gateway) <= before + 8 * Self.clients }
    }

    /// Reads the body of a request, so that what is in it is never taken for another one; false where it breaks off.
    private static func takesBody(_ head: String, _ connection: ScriptedUpstream.Connection) -> Bool {
        func takes(_ count: Int) -> Bool {
            var rest = count
            while rest > 0 {
                let bytes = connection.receive(min(rest, 65_536))
                if bytes.isEmpty { return false }
                rest -= bytes.count
            }
            return true
        }
        let lowercased = head.lowercased()
        if let field = lowercased.range(of: "\r\ncontent-length: ") {
            return takes(Int(lowercased[field.upperBound...].prefix { $0.isASCII && $0.isNumber }) ?? 0)
        }
        guard lowercased.contains("\r\ntransfer-encoding: chunked\r\n") else { return true }
        while true {
            var line: [UInt8] = []
            while line.last != 0x0a {
                let next = connection.receive(1)
                if next.isEmpty { return false }
                line += next
            }
            guard let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16), takes(size + 2) else {
                return false
            }
            if size == 0 { return true }
        }
    }

    private static func descriptors(_ gateway: ServedProgram) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(gateway.process)/fd").count
    }

    /// Sends some requests on a connection, and reads what comes back.
    private static func ask(_ number: Int, _ port: UInt16) throws {
        var random = SeededGenerator(seed: UInt64(number) &* 7_919 &+ 1)
        var connection = try TestConnection(port: port)
        var methods: [String] = []
        var bytes: [UInt8] = []
        for index in 0..<(1 + random.below(3)) {
            methods.append(random.pick(["GET", "GET", "HEAD", "POST", "PUT", "DELETE"]))
            let line = "\(methods[index]) /id\(number)-\(index) HTTP/1.1\r\nHost: a.test\r\n"
            let body = random.bytes(Array("abc\r\n0".utf8), random.below(200))
            switch random.below(4) {
            case 0: bytes += Array("\(line)Content-Length: \(body.count)\r\n\r\n".utf8) + body
            case 1:
                bytes += Array("\(line)Transfer-Encoding: chunked\r\n\r\n".utf8)
                if !body.isEmpty { bytes += Array("\(String(body.count, radix: 16))\r\n".utf8) + body + [0x0d, 0x0a] }
                bytes += Array("0\r\n\r\n".utf8)
            default: bytes += Array("\(line)\r\n".utf8)
            }
        }
        // The bytes of a client that errs may be another request than expected here.
        let errs = random.chance(20)
        if errs { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        bytes += Array("GET /own HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".utf8)
        // Some clients go away before they have an answer.
        let leaves = random.chance(10)
        do {
            try connection.send(bytes)
            if leaves { return }
            for (index, method) in methods.enumerated() {
                guard let response = try connection.response(isHead: method == "HEAD") else { return }
                #expect((200...999).contains(response.status))
                guard method != "HEAD" else { continue }
                #expect(!response.text.contains("SMUGGLED"), "connection \(number)")
                guard !errs, response.text.hasPrefix("id=") else { continue }
                #expect(response.text.hasPrefix("id=\(number)-\(index);"), "connection \(number)")
            }
        } catch is TestProblem {
            // An answer broke off, or a request was invalid: there is no more to be had.
        }
    }

    /// An answer that may be one, with the number of its request in the body.
    private static func answer(_ id: String, _ random: inout SeededGenerator) -> (bytes: [UInt8], closes: Bool) {
        let body =
            "id=\(id);" + String(repeating: "x", count: random.chance(10) ? random.below(100_000) : random.below(50))
        let status = random.pick([
            "200 OK", "200 OK", "201 C", "204 N", "304 N", "404 F", "500 E", "999 X", "101 S", "000 Z",
        ])
        let line = "HTTP/1.1 \(status)\r\n"
        let length = "\(line)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let chunks =
            "\(line)Transfer-Encoding: chunked\r\n\r\n\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
        let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nSMUGGLED"
        let text: (String, Bool) =
            switch random.below(11) {
            case 0: ("\(line)\r\n\(body)", true)
            case 1: ("\(line)Content-Length: \(body.utf8.count + 5)\r\n\r\n\(body)", true)
            case 2: ("\(line)Transfer-Encoding: chunked\r\n\r\n5\r\n\(body)", true)
            case 3: ("\(line)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n\(body)", false)
            case 4:
                (
                    random.pick(["nonsense\r\n\r\n", "HTTP/2 200\r\n\r\n", "\0", "HTTP/1.1 200 OK\r\n X: y\r\n\r\n"]),
                    true
                )
            case 5: (length + smuggled, false)
            case 6: (chunks + smuggled, false)
            case 7: ("", true)
            case 8: (chunks, random.chance(30))
            default: (length, random.chance(30))
            }
        return (Array(text.0.utf8), text.1)
    }
}
#endif
