#if Gateway
import Glibc
import SeededRandom

/// A random request whose answer shows whether it is for it, and which rules it went through.
struct LoadRequest: Sendable {
    /// The place where it is answered, and how.
    enum Kind: Sendable {
        /// By the rules.
        case answered
        /// By an upstream, with so many bytes in its answer.
        case proxied(size: Int, isChunked: Bool)
    }

    let number: Int
    let kind: Kind
    let method: String
    let bodySize: Int
    let isChunked: Bool

    init(_ number: Int, _ random: inout SeededGenerator) {
        self.number = number
        guard random.chance(50) else {
            (kind, method, bodySize, isChunked) = (.answered, "GET", 0, false)
            return
        }
        kind = .proxied(size: Self.size(&random), isChunked: random.chance(30))
        method = random.pick(["GET", "GET", "GET", "HEAD", "POST", "PUT"])
        bodySize = method == "POST" || method == "PUT" ? Self.size(&random) : 0
        isChunked = bodySize > 0 && random.chance(30)
    }

    /// Mostly small, and one of 500 of up to 1 MiB.
    private static func size(_ random: inout SeededGenerator) -> Int {
        switch random.below(500) {
        case 0: random.below(1 << 20 + 1)
        case 1...100: random.below(4097)
        default: random.below(64)
        }
    }

    var isProxied: Bool { if case .proxied = kind { true } else { false } }

    var bytes: [UInt8] {
        guard case .proxied(let size, let answerIsChunked) = kind else {
            return Array("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n".utf8)
        }
        let target = "/up/\(number)/\(size)/\(answerIsChunked ? "chunked" : "counted")"
        let line = "\(method) \(target) HTTP/1.1\r\nHost: a.test\r\n"
        guard method == "POST" || method == "PUT" else { return Array("\(line)\r\n".utf8) }
        return Array(line.utf8) + Self.framed(number, bodySize, isChunked: isChunked)
    }

    /// The end of a head, and a body that shows its request.
    private static func framed(_ number: Int, _ size: Int, isChunked: Bool) -> [UInt8] {
        let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size)
        guard isChunked else { return Array("Content-Length: \(size)\r\n\r\n".utf8) + body }
        var bytes = Array("Transfer-Encoding: chunked\r\n\r\n".utf8)
        if size > 0 { bytes += Array("\(String(size, radix: 16))\r\n".utf8) + body + [0x0d, 0x0a] }
        return bytes + Array("0\r\n\r\n".utf8)
    }

    private static func isFilled(_ body: [UInt8], _ number: Int, count: Int) -> Bool {
        guard body.count == count, let first = body.first else { return body.count == count }
        return first == UInt8(truncatingIfNeeded: number)
            && body.withUnsafeBytes { bytes in
                bytes.baseAddress.map { memcmp($0, $0 + 1, bytes.count - 1) == 0 } ?? true
            }
    }

    /// The numbers of the rule sets in its answer; none where the answer is for another request, or is not whole.
    ///
    /// - Throws: Where it failed.
    func numbers(_ response: TestResponse) throws -> [Int] {
        guard response.status == 200 else { throw TestProblem("\(response.status) \(response.headers)") }
        switch kind {
        case .answered: return response.text.split(separator: " ").map { Int($0) ?? -1 }
        case .proxied(let size, _):
            guard response["x-number"] == "\(number)", response["x-method"] == method,
                response["x-body"] == "\(bodySize)",
                Self.isFilled(response.body, number, count: method == "HEAD" ? 0 : size)
            else { return [] }
            return ["x-first", "x-second", "x-set"].flatMap { response[$0]?.split(separator: " ") ?? ["-1"] }
                .map { Int($0) ?? -1 }
        }
    }

    /// Returns the answer of an upstream.
    static func answer(to request: TestUpstream.Received) -> [UInt8] {
        let parts = request.line.split { $0 == " " || $0 == "/" }
        // METHOD up NUMBER SIZE FRAMING HTTP 1.1
        guard parts.count == 7, let number = Int(parts[2]), let size = Int(parts[3]) else {
            return Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        let body = isFilled(request.body, number, count: request.body.count) ? "\(request.body.count)" : "another's"
        let lines = [
            "HTTP/1.1 200 OK", "X-Number: \(number)", "X-Method: \(parts[0])", "X-Body: \(body)",
            "X-Set: \(request["x-set"] ?? "none")", "",
        ]
        let head = Array(lines.joined(separator: "\r\n").utf8)
        if parts[0] == "HEAD" { return head + Array("Content-Length: \(size)\r\n\r\n".utf8) }
        return head + framed(number, size, isChunked: parts[4] == "chunked")
    }
}
#endif
