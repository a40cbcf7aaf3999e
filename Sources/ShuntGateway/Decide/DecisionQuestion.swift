#if Gateway
import NIOHTTP1
import Shunt

/// A question to a decision service: the request of the proxy's client, as if it had come here.
struct DecisionQuestion {
    /// The head of the client's request.
    private(set) var head: RequestHead
    /// The client's connection, as far as the proxy reports it.
    private(set) var connection: ClientConnection

    /// Takes the head of a proxy's request apart.
    ///
    /// - Throws: When the proxy is not trusted, or does not state what it asks.
    init(
        _ head: RequestHead,
        from connection: ClientConnection,
        _ question: DecisionService.Question
    ) throws(IncomingRequest.Refusal) {
        self.head = head
        self.connection = connection
        guard connection.isTrusted || question == .request else {
            throw IncomingRequest.Refusal(
                "questions in headers are accepted from proxies that --trusted-proxy names",
                status: .forbidden
            )
        }
        switch question {
        case .request, .extProc: break
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

    /// Takes a question of Envoy's `ext_proc` from a proxy that is trusted.
    ///
    /// - Parameters:
    ///   - request: The request that it is about.
    ///   - source: The client's address and port, where Envoy reports them.
    ///   - connection: Envoy's connection.
    /// - Throws: If the client's address is invalid.
    init(
        _ request: ExtProcRequest,
        source: String?,
        from connection: ClientConnection
    ) throws(IncomingRequest.Refusal) {
        head = request.head
        self.connection = connection
        setScheme(isSecure: request.isSecure, authority: request.authority)
        if let source {
            setSource(source)
        } else {
            try setAddress()
        }
        // The question has what was asked for, whatever else the client's headers have.
        self.connection.isTrusted = false
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
        setScheme(isSecure: url[..<mark.lowerBound].lowercased() == "https", authority: String(authority))
    }

    private mutating func setScheme(isSecure: Bool, authority: String) {
        var told = ForwardedHeaders()
        told.isSecure = isSecure
        connection.isSecure = isSecure
        let host = HostAndPort(Array(authority.utf8).span, usualPort: isSecure ? 443 : 80)
        connection.listen = connection.listen(told, host: host)
    }

    /// Envoy's word for the client's address: with a port, and in brackets where it has colons.
    private mutating func setSource(_ source: String) {
        let parts = source.utf8.lastIndex(of: UInt8(ascii: ":"))
            .map { (source[..<$0], source[source.index(after: $0)...]) }
        let address = (parts?.0 ?? "").filter { $0 != "[" && $0 != "]" }
        guard InternetAddress(String(address)) != nil, let port = parts.flatMap({ UInt16($0.1) }) else {
            // A socket of another kind, whose client could write any X-Forwarded-For.
            connection.address = "unix:"
            connection.port = 0
            return
        }
        connection.address = String(address)
        connection.port = Int(port)
    }
}
#endif
