package import ShuntCore

/// The problem of a written request, as a sentence without a full stop.
public struct RequestError: Error, Equatable, CustomStringConvertible {
    /// The problem, without a full stop.
    public var description: String

    /// Makes a problem.
    public init(_ description: String) { self.description = description }
}

/// The parts of a request that are written the same way on the command line and in input lines, test files and rules.
package enum RequestFields {
    /// Reads where a request arrived: `address:port`, `[address]:port`, `address`, `port`, or `unix:path`.
    ///
    /// With `http://` or `https://` in front it states whether the client used TLS, whatever the `listen` of the rules
    /// has.
    package static func endpoint(_ text: String) throws(RequestError) -> RuleRequest.Endpoint {
        for (prefix, isSecure) in [("https://", true), ("http://", false)] where text.hasPrefix(prefix) {
            var endpoint = try place(String(text.dropFirst(prefix.count)))
            endpoint.isSecure = isSecure
            return endpoint
        }
        return try place(text)
    }

    private static func place(_ text: String) throws(RequestError) -> RuleRequest.Endpoint {
        let problem = RequestError("\"listen\" is neither an address nor a port: \(quoted(text))")
        if text.hasPrefix("unix:") { return RuleRequest.Endpoint(address: text, port: 0) }
        if text.utf8.allSatisfy(\.isASCIIDigit) {
            guard let port = port(text) else { throw problem }
            return RuleRequest.Endpoint(port: port)
        }
        var address = text
        var number = 80
        if let colon = text.lastIndex(of: ":"), text.hasPrefix("[") ? !text.hasSuffix("]") : true {
            guard let port = port(text[text.index(after: colon)...]) else { throw problem }
            address = String(text[..<colon])
            number = port
        }
        if address == "*" { return RuleRequest.Endpoint(port: number) }
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        switch InternetAddress(isBracketed ? String(address.dropFirst().dropLast()) : address) {
        case .v6(let high, let low)? where isBracketed:
            return RuleRequest.Endpoint(address: InternetAddress.v6(high: high, low: low).description, port: number)
        case .v4? where !isBracketed: return RuleRequest.Endpoint(address: address, port: number)
        default: throw problem
        }
    }

    /// An endpoint as `endpoint` reads it, with the port that the client requested.
    package static func text(of endpoint: RuleRequest.Endpoint) -> String {
        let scheme = endpoint.isSecure.map { $0 ? "https://" : "http://" } ?? ""
        if endpoint.address.hasPrefix("unix:") { return scheme + endpoint.address }
        let address = endpoint.address.contains(":") ? "[\(endpoint.address)]" : endpoint.address
        return "\(scheme)\(address):\(endpoint.publicPort ?? endpoint.port)"
    }

    private static func port(_ text: some StringProtocol) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text).flatMap { (1...65_535).contains($0) ? $0 : nil }
    }

    /// Reads the time of a request, which the option or the member `name` has.
    package static func time(_ text: String, of name: String = "\"time\"") throws(RequestError) -> Timestamp {
        do throws(TimestampError) {
            return try Timestamp(text)
        } catch {
            throw RequestError("\(name) is not an ISO 8601 time: \(error), in \(quoted(text))")
        }
    }

    /// Refuses a request with more than one Host, as the gateway does: rules and what is after them could each see another.
    package static func checkHost(of request: RuleRequest) throws(RequestError) {
        var count = request.headers.count { header in
            header.nameBytes.count == 4 && zip(header.nameBytes, "host".utf8).allSatisfy { $0 | 0x20 == $1 }
        }
        if case .target(_, .some) = request.subject { count += 1 }
        guard count <= 1 else { throw RequestError("the request has more than one Host") }
    }

    /// Checks a client's address: an IP address, or `unix:`.
    package static func remoteAddress(
        _ text: String,
        of name: String = "\"remote_addr\""
    ) throws(RequestError) -> String {
        guard text.hasPrefix("unix:") || InternetAddress(text) != nil else {
            throw RequestError("\(name) is not an IP address: \(quoted(text))")
        }
        return text
    }

    /// The text in quotes, safe to show and not too long.
    package static func quoted(_ text: String) -> String { quoted(Array(text.utf8)) }

    /// The bytes in quotes, safe to show and not too long.
    package static func quoted(_ bytes: [UInt8]) -> String {
        let shown = ShownBytes.text(Array(bytes.prefix(100)))
        return bytes.count > 100 ? "\"\(shown)…\"" : "\"\(shown)\""
    }
}
