#if Gateway
import NIOHTTP1
import Shunt
import ShuntCore

/// A question to a decision service: the request of the proxy's client, as if it had come here.
struct DecisionQuestion {
    /// The head of the client's request.
    private(set) var head: RequestHead
    /// The client's connection, as far as the proxy tells of it.
    private(set) var connection: ClientConnection

    /// Takes the head of a proxy's request apart.
    ///
    /// - Throws: When the proxy is not trusted, or does not say what it asks.
    init(
        _ head: RequestHead,
        from connection: ClientConnection,
        _ question: DecisionService.Question
    ) throws(IncomingRequest.Refusal) {
        self.head = head
        self.connection = connection
        guard connection.isTrusted || question == .request else {
            throw IncomingRequest.Refusal(
                "questions in headers are taken of proxies that --trusted-proxy names",
                status: .forbidden
            )
        }
        switch question {
        case .request: break
        case .forwarded:
            guard let target = try value("x-forwarded-uri") else { throw Self.missing("X-Forwarded-Uri") }
            self.head.target = Array(target.utf8)
            if let method = try value("x-forwarded-method") { self.head.method = HTTPMethod(rawValue: method) }
            if let host = try value("x-forwarded-host") {
                self.head.fields.replaceOrAdd("host", host)
            }
        case .original:
            var target = try value("x-original-url")
            if target == nil { target = try value("x-original-uri") }
            guard let target else { throw Self.missing("X-Original-URL") }
            self.head.target = Array(target.utf8)
            if let method = try value("x-original-method") { self.head.method = HTTPMethod(rawValue: method) }
            setScheme(of: target)
        }
        if connection.isTrusted { try setAddress() }
    }

    private static func missing(_ name: String) -> IncomingRequest.Refusal {
        IncomingRequest.Refusal("the question has no \(name)")
    }

    /// The value of a header that a proxy sets once; nil where it is missing.
    private func value(_ name: String) throws(IncomingRequest.Refusal) -> String? {
        let values = head.fields.values(name)
        guard values.count <= 1 else { throw IncomingRequest.Refusal("the question has two headers \(name)") }
        return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The client's address is what the proxy has written last.
    private mutating func setAddress() throws(IncomingRequest.Refusal) {
        guard let address = ForwardedHeaders.last(head.fields.values("x-forwarded-for")) else { return }
        guard InternetAddress(address) != nil else {
            throw IncomingRequest.Refusal("the X-Forwarded-For of the proxy ends in no address")
        }
        connection.address = address
        connection.port = 0
    }

    /// The scheme of a whole URL is that of the client.
    private mutating func setScheme(of url: String) {
        guard let mark = url.firstRange(of: "://"), !url.hasPrefix("/") else { return }
        let authority = url[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }
        var told = ForwardedHeaders()
        let isSecure = url[..<mark.lowerBound].lowercased() == "https"
        told.isSecure = isSecure
        connection.isSecure = isSecure
        let host = HostAndPort(Array(authority.utf8).span, usualPort: isSecure ? 443 : 80)
        connection.listen = connection.listen(told, host: host)
    }
}
#endif
