import ShuntCore
import ShuntPatterns

/// The client's address, as far as it is known.
struct ClientAddress {
    var address: InternetAddress?
    /// True if `address` was read from the request, or replaced.
    var isKnown = false
    /// True if a header has replaced it.
    var isReplaced = false
}

/// The client: the address of the connection, or the one that a trusted proxy names.
extension Evaluation {
    /// The client's address: that of the connection, or the one a trusted proxy names.
    mutating func clientAddress() -> InternetAddress? {
        if !server.client.isKnown {
            server.client.address = InternetAddress(request.remoteAddress)
            server.client.isKnown = true
        }
        return server.client.address
    }

    /// Returns true if a rule's addresses include `address`.
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
            server.client.isReplaced = true
            return
        }
        let address = forwardedAddress(
            from: client,
            header: rules.header,
            trusted: rules.trusted,
            isRecursive: rules.isRecursive
        )
        server.client.address = address
        server.client.isReplaced = address != client
    }

    /// The address that trusted proxies name: the last of the header, or the last that is not trusted itself.
    func forwardedAddress(
        from client: InternetAddress?,
        header: [UInt8],
        trusted: [AccessRule.Scope],
        isRecursive: Bool
    ) -> InternetAddress? {
        var address = client
        var values = request.headers.filter { Self.equalsIgnoringCase($0.name, header) }
        // Only X-Forwarded-For is a list over several lines; of any other header the first line counts.
        if header != AddressMap.forwardedForName, values.count > 1 { values.removeLast(values.count - 1) }
        for value in values.reversed() {
            for entry in Self.entries(of: value.value) {
                guard trusted.contains(where: { covers($0, address) }), let next = entry else { return address }
                address = next
                if !isRecursive { return address }
            }
        }
        return address
    }

    /// The addresses of an `X-Forwarded-For` value, from the last; nil where an entry is no address.
    private static func entries(of value: [UInt8]) -> [InternetAddress?] {
        value.split(whereSeparator: { $0 == 0x20 || $0 == UInt8(ascii: ",") }).reversed()
            .map { entry in
                var bytes = Array(entry)
                if bytes.first == UInt8(ascii: "["), let close = bytes.firstIndex(of: UInt8(ascii: "]")) {
                    bytes = Array(bytes[1..<close])
                } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
                    bytes.lastIndex(of: UInt8(ascii: ":")) == colon
                {
                    bytes = Array(bytes[..<colon])
                }
                return InternetAddress(parsing: bytes.span)
            }
    }

    static func equalsIgnoringCase(_ name: [UInt8], _ lower: [UInt8]) -> Bool {
        guard name.count == lower.count else { return false }
        for index in name.indices where name[index].asciiLowercased != lower[index] { return false }
        return true
    }
}
