/// One header line: a request's, or a response's.
package struct HeaderLine: Sendable, Hashable {
    package var name: [UInt8]
    package var value: [UInt8]

    package init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ value: String) {
        self.init(name: Array(name.utf8), value: Array(value.utf8))
    }
}

/// One request as it goes over the wire; nothing in it has to be valid.
package struct OracleRequest: Sendable, Hashable {
    package var method: [UInt8] = Array("GET".utf8)
    package var target: [UInt8]
    package var version: [UInt8] = Array("HTTP/1.1".utf8)
    /// All header lines in order, `Host` included.
    package var headers: [HeaderLine]
    /// The `listen` address of the rule text that the request goes to, as written there; nil for the first one.
    package var listen: String?
    /// The client's address where it is not 127.0.0.1, perhaps with a port, or `unix:`.
    ///
    /// Only Shunt can be asked so.
    package var remote: String?

    package init(target: [UInt8], host: String? = "localhost") {
        self.target = target
        headers = host.map { [HeaderLine("Host", $0)] } ?? []
    }

    /// A CR or LF that rules may copy into a header breaks the framing of a shared connection, and these versions
    /// and headers end the connection: such a request must be the last one on its connection.
    package var endsConnection: Bool {
        if version != Array("HTTP/1.1".utf8) { return true }
        if headers.contains(where: { $0.name.lowercasedASCII == Array("connection".utf8) }) { return true }
        return mayBreakFraming
    }

    package var mayBreakFraming: Bool {
        let hasEscapedLineBreak: ([UInt8]) -> Bool = { bytes in
            guard bytes.count > 2 else { return false }
            return (0..<bytes.count - 2)
                .contains { index in
                    bytes[index] == UInt8(ascii: "%") && bytes[index + 1] == UInt8(ascii: "0")
                        && [UInt8(ascii: "a"), UInt8(ascii: "d")].contains(bytes[index + 2] | 0x20)
                }
        }
        return hasEscapedLineBreak(target) || headers.contains { hasEscapedLineBreak($0.value) }
    }
}

/// The decision for one request, in the terms that nginx and Shunt share.
package struct RequestOutcome: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A response made by the rules. The body is nil when it is a built-in page, whose text is not promised.
        case response(status: Int, location: [UInt8]?, body: [UInt8]?)
        /// Nothing decided it: the path and query string as of the end.
        case forward(uri: [UInt8], args: [UInt8])
        /// The connection was closed without a response; the status is the requested one.
        case closed(status: Int)
    }

    /// The place where a forwarded request goes.
    package enum Destination: Sendable, Hashable {
        /// The URL asked of a proxied server.
        case upstream([UInt8])
        /// A file below the document root.
        case file([UInt8])
        /// There is no such file; the status that nginx answers then.
        case missing(status: Int)
    }

    package var kind: Kind
    /// The place where a forwarded request goes, if that is known.
    package var destination: Destination?
    /// The response headers that the rules asked for, in order.
    package var headers: [HeaderLine] = []

    package init(_ kind: Kind, headers: [HeaderLine] = []) {
        self.kind = kind
        self.headers = headers
    }
}

extension RequestOutcome {
    /// The statuses whose text is a `Location`.
    ///
    /// Without one they count as having an empty one.
    package static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The same with a number replaced by a name, or a name by a number, wherever text may show it.
    package func replacing(_ needle: [UInt8], with replacement: [UInt8]) -> RequestOutcome {
        let change: ([UInt8]) -> [UInt8] = { $0.replacing(needle, with: replacement) }
        var result = self
        switch kind {
        case .response(let status, let location, let body):
            result.kind = .response(status: status, location: location.map(change), body: body.map(change))
        case .forward(let uri, let args): result.kind = .forward(uri: change(uri), args: change(args))
        case .closed: break
        }
        result.headers = headers.map { HeaderLine(name: $0.name, value: change($0.value)) }
        return result
    }
}

extension RequestOutcome {
    /// The same with the listening ports written as `PORT`, `PORT2` and so on, as case files have them.
    package func hidingPorts(_ ports: [UInt16]) -> RequestOutcome {
        var result = self
        for (index, port) in ports.enumerated() {
            let name = index == 0 ? "PORT" : "PORT\(index + 1)"
            result = result.replacing(Array("\(port)".utf8), with: Array(name.utf8))
        }
        return result
    }
}
