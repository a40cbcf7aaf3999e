import ShuntCore

/// The client's address, as far as it is known.
struct ClientAddress {
    var address: InternetAddress?
    /// The port that a trusted proxy names with it; -1 if it names none, and 0 for the port of the connection.
    var port: Int32 = 0
    /// True if `address` was read from the request, or replaced.
    var isKnown = false
    /// True if a header has replaced it.
    var isReplaced = false

    /// Takes the port that a trusted proxy names; 0 for none.
    mutating func name(port: Int) { self.port = port == 0 ? -1 : Int32(clamping: port) }
}

/// The client: the address of the connection, or the address that a trusted proxy names.
extension Evaluation {
    mutating func clientAddress() -> InternetAddress? {
        if !server.client.isKnown {
            server.client.address = request.address()
            server.client.isKnown = true
        }
        return server.client.address
    }

    func covers(_ scope: AccessRule.Scope, _ address: InternetAddress?) -> Bool {
        switch scope {
        case .all: true
        case .unix: address == nil && request.remoteAddress.hasPrefix("unix:")
        case .network(let network): address.map { network.contains($0.unmapped) || network.contains($0) } ?? false
        }
    }

    /// Takes the address that a trusted proxy names for the client.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_realip_module.html
    mutating func takeRealAddress() {
        let settings = program.tables.settings[server.settings]
        guard !settings.realIP.isNone, !server.client.isReplaced else { return }
        let client = clientAddress()
        let rules = program.tables.realIPs[settings.realIP]
        guard !rules.trusted.isEmpty else { return }
        if rules.header == RealIPRules.proxyProtocol {
            // Named by the beginning of the connection, and by no header of the name.
            guard rules.trusted.contains(where: { covers($0, client) }),
                let named = request.input(RealIPRules.proxyProtocolInput),
                let address = InternetAddress(parsing: named.span)
            else { return }
            server.client.address = address
            let port = request.input("proxy_protocol_port").flatMap { Int(String(decoding: $0, as: UTF8.self)) }
            server.client.name(port: port ?? 0)
            server.client.isReplaced = true
            return
        }
        let (address, port) = forwardedAddress(
            from: client,
            header: rules.header,
            trusted: rules.trusted,
            isRecursive: rules.isRecursive
        )
        server.client.address = address
        server.client.port = 0
        if let port { server.client.name(port: port) }
        server.client.isReplaced = address != client
    }

    /// The address that trusted proxies name: the last of the header, or the last that is not trusted itself; and its port, which
    /// is 0 where they name none, and nil where they name no address.
    func forwardedAddress(
        from client: InternetAddress?,
        header: [UInt8],
        trusted: [AccessRule.Scope],
        isRecursive: Bool
    ) -> (address: InternetAddress?, port: Int?) {
        var (address, port): (InternetAddress?, Int?) = (client, nil)
        // Only X-Forwarded-For is a list over several lines; of any other header the first line counts.
        let isList = header == AddressMap.forwardedForName
        var line = isList ? request.headers.count - 1 : 0
        while line >= 0, line < request.headers.count {
            defer { line += isList ? -1 : 1 }
            guard Self.equalsIgnoringCase(request.headers[line].nameBytes, header) else { continue }
            let field = request.headers[line].valueBytes
            let value = field.span
            var end = value.count
            var isLast = false
            // As in nginx, what is not an entry ends the search, in a line before it, too.
            while !isLast {
                guard trusted.contains(where: { covers($0, address) }), end > 0 else { return (address, port) }
                let entry = Self.lastEntry(of: value, before: end)
                guard let next = Self.address(of: value.extracting(entry)) else { return (address, port) }
                (address, port) = next
                if !isRecursive { return next }
                isLast = entry.lowerBound == 0
                end = entry.lowerBound - 1
            }
            if !isList { break }
        }
        return (address, port)
    }

    /// The last entry of an `X-Forwarded-For` value before `end`, which is above 0; as in nginx the first byte is always of an entry.
    private static func lastEntry(of value: Span<UInt8>, before end: Int) -> Range<Int> {
        func isSeparator(_ byte: UInt8) -> Bool { byte == 0x20 || byte == UInt8(ascii: ",") }
        var end = end
        while end > 1, isSeparator(value[end - 1]) { end -= 1 }
        var start = end - 1
        while start > 0, !isSeparator(value[start]) { start -= 1 }
        return (start > 0 ? start + 1 : 0)..<end
    }

    /// The address of an entry, which may have a port, otherwise 0, and with it brackets; nil if it is not an address.
    private static func address(of entry: Span<UInt8>) -> (InternetAddress?, Int?)? {
        if let address = InternetAddress(parsing: entry, allowsLeadingZeros: true) { return (address, 0) }
        var (start, end) = (0, 0)
        if entry[0] == UInt8(ascii: "[") {
            guard let close = entry.indices.first(where: { entry[$0] == UInt8(ascii: "]") }) else { return nil }
            (start, end) = (1, close)
        }
        let colon = start == 0 ? entry.indices.first { entry[$0] == UInt8(ascii: ":") } : end + 1
        guard let colon, colon < entry.count, entry[colon] == UInt8(ascii: ":") else { return nil }
        var port = 0
        for index in colon + 1..<entry.count {
            guard entry[index].isASCIIDigit, port <= 65_535 else { return nil }
            port = port * 10 + Int(entry[index] - 0x30)
        }
        guard (1...65_535).contains(port) else { return nil }
        if start == 0 { end = colon }
        return InternetAddress(parsing: entry.extracting(start..<end), allowsLeadingZeros: true).map { ($0, port) }
    }

    static func equalsIgnoringCase(_ name: [UInt8], _ lower: [UInt8]) -> Bool {
        guard name.count == lower.count else { return false }
        for index in name.indices where name[index].asciiLowercased != lower[index] { return false }
        return true
    }
}
