#if Command
import Glibc
import Shunt
import ShuntTools

/// A request in the form that a server gets.
struct WireRequest {
    var isSecure: Bool
    /// The port at which the request arrives.
    var port: Int
    var host: [UInt8]
    var target: [UInt8]
    var method: [UInt8]
    var headers: [RuleRequest.Header]
    var remoteAddress: String

    /// Creates it from a request of rules; nil if that is not an HTTP request.
    init?(_ request: RuleRequest, host usual: String) {
        isSecure = false
        port = request.listen?.port ?? 80
        method = request.methodBytes
        headers = request.headers
        remoteAddress = request.remoteAddress
        switch request.subject {
        case .target(let target, let host):
            guard target.first == UInt8(ascii: "/") else { return nil }
            self.target = target
            self.host = host ?? Array(usual.utf8)
            isSecure = request.listen?.port == 443 || request.listen?.isSecure == true
        case .url(let url):
            let text = String(decoding: url, as: UTF8.self)
            guard let match = text.prefixMatch(of: #/(?i)(https?):\/\/(?:[^\/?#@]*@)?([^\/?#]*)/#) else { return nil }
            isSecure = match.1.lowercased() == "https"
            host = Array(match.2.utf8)
            let named = match.2.firstMatch(of: #/:(\d{1,5})$/#).flatMap { Int($0.1) }
            port = request.listen?.port ?? named ?? (isSecure ? 443 : 80)
            let rest = url.dropFirst(match.0.utf8.count).prefix { $0 != UInt8(ascii: "#") }
            target = (rest.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + rest
        }
        // Bytes that end a line or a word cannot be sent unchanged.
        guard !host.isEmpty, (target + host).allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { return nil }
        guard
            headers.allSatisfy({
                !$0.nameBytes.isEmpty && ($0.nameBytes + $0.valueBytes).allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            })
        else { return nil }
    }

    var url: [UInt8] { Array((isSecure ? "https://" : "http://").utf8) + host + target }

    /// The path, decoded.
    private var path: [UInt8] {
        let path = Array(target.prefix { $0 != UInt8(ascii: "?") })
        return AnswerComparison.decoded(path)
    }

    /// True if the path has a byte that is not a character when it is decoded.
    var hasControlBytes: Bool { path.contains { $0 < 0x20 || $0 == 0x7f } }

    /// The folder of the path, as a place on the disk.
    func folders(below root: String) -> [String] {
        let path = String(decoding: path, as: UTF8.self)
        guard !path.contains("/.."), let slash = path.lastIndex(of: "/") else { return [] }
        return [root + path[...slash]]
    }

    /// The bytes of the request, with further headers.
    func bytes(_ more: [(String, String)] = []) -> [UInt8] {
        func line(_ parts: [UInt8]...) -> [UInt8] { parts.joined() + [13, 10] }
        var result = line(method, [0x20], target, Array(" HTTP/1.1".utf8))
        result += line(Array("Host: ".utf8), host)
        let own = ["host", "connection", "content-length", "transfer-encoding"]
        for header in headers where !own.contains(header.name.lowercased()) {
            result += line(header.nameBytes, [0x3a, 0x20], header.valueBytes)
        }
        for (name, value) in more { result += line(Array("\(name): \(value)".utf8)) }
        if ["POST", "PUT", "PATCH"].contains(String(decoding: method, as: UTF8.self)) {
            result += line(Array("Content-Length: 0".utf8))
        }
        return result + line(Array("Connection: close".utf8)) + [13, 10]
    }
}

/// One request over a separate connection, written byte for byte; redirects are not followed.
struct WireExchange {
    static let limit = 1 << 20

    var host: String
    var port: Int
    /// The time for each step, in seconds.
    var timeout = 10

    /// Sends a request, and returns the head of the answer; nil where the connection was closed without one.
    func head(of request: [UInt8]) throws(Problem) -> [UInt8]? {
        let socket = try connected()
        defer { close(socket) }
        var sent = 0
        while sent < request.count {
            let count = request[sent...]
                .withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 {
                if errno == EINTR { continue }
                break
            }
            sent += count
        }
        var answer: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while answer.count < Self.limit {
            let count = recv(socket, &part, part.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { throw Problem("no answer in \(timeout) seconds") }
            guard count > 0 else { break }
            answer += part[..<count]
            if let end = Self.end(of: answer) { return Array(answer[..<end]) }
        }
        return answer.isEmpty ? nil : answer
    }

    /// The number of bytes of the head; nil if it is not whole.
    static func end(of answer: [UInt8]) -> Int? {
        if answer.count >= limit { return limit }
        guard answer.count >= 4 else { return nil }
        for index in 0...answer.count - 4 where answer[index] == 13 {
            if answer[index + 1] == 10, answer[index + 2] == 13, answer[index + 3] == 10 { return index + 2 }
        }
        return nil
    }

    private func connected() throws(Problem) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw Problem("\(host): \(String(cString: gai_strerror(status)))") }
        defer { freeaddrinfo(list) }
        var failure = ECONNREFUSED
        var next = list
        while let address = next?.pointee {
            next = address.ai_next
            let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
            let socket = Glibc.socket(address.ai_family, type, address.ai_protocol)
            guard socket >= 0 else { continue }
            var time = timeval(tv_sec: timeout, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
            setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
            if connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
            failure = errno
            close(socket)
        }
        throw Problem("\(host):\(port): \(SystemError.text(failure))")
    }
}

struct WireHead {
    var status: Int?
    private var fields: [(name: [UInt8], value: [UInt8])] = []

    init(_ bytes: [UInt8]?) {
        guard let bytes else { return }
        let lines = bytes.split(separator: 10).map { $0.last == 13 ? $0.dropLast() : $0 }
        let words = lines.first?.split(separator: UInt8(ascii: " ")) ?? []
        if words.count > 1 { status = Int(String(decoding: words[1], as: UTF8.self)) }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == 9 }
            fields.append((line[..<colon].map { $0 | 0x20 }, Array(value)))
        }
    }

    /// The value of the first field with a name in lower case.
    subscript(_ name: String) -> [UInt8]? {
        let name = Array(name.utf8)
        return fields.first { $0.name.count == name.count && zip($0.name, name).allSatisfy { $0 == $1 | 0x20 } }?.value
    }
}
#endif
