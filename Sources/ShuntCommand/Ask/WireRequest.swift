#if Command
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
#endif
