import ShuntCore
import ShuntPatterns

/// Who asks: addresses, referers and signed links.
extension Evaluator {
    /// Whether a rule's addresses include `address`.
    func covers(_ scope: AccessRule.Scope, _ address: InternetAddress?) -> Bool {
        switch scope {
        case .all: true
        case .unix: address == nil && requestAddress.hasPrefix("unix:")
        case .network(let network): address.map { network.contains($0.unmapped) || network.contains($0) } ?? false
        }
    }

    /// Takes the address that a trusted proxy names for the client.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_realip_module.html
    func takeRealAddress() {
        let settings = program.settings[Int(currentSettings)]
        guard settings.realIP >= 0, !hasRealAddress, let client = remoteAddress else { return }
        let rules = program.realIPs[Int(settings.realIP)]
        guard !rules.trusted.isEmpty else { return }
        remoteAddress = forwardedAddress(
            from: client,
            header: rules.header,
            trusted: rules.trusted,
            isRecursive: rules.isRecursive
        )
        hasRealAddress = remoteAddress != client
    }

    /// The address that trusted proxies name: the last of the header, or the last that is not trusted itself.
    func forwardedAddress(
        from client: InternetAddress,
        header: [UInt8],
        trusted: [AccessRule.Scope],
        isRecursive: Bool
    ) -> InternetAddress {
        var address = client
        var values = headers.filter { Self.equalsIgnoringCase($0.name, header) }
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

    private static func equalsIgnoringCase(_ name: [UInt8], _ lower: [UInt8]) -> Bool {
        guard name.count == lower.count else { return false }
        for index in name.indices where name[index].asciiLowercased != lower[index] { return false }
        return true
    }

    // MARK: Referers

    /// `$invalid_referer`.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_referer_module.html
    func isInvalidReferer(_ settings: Settings) -> Bool {
        guard settings.referers >= 0 else { return false }
        let rules = program.referers[Int(settings.referers)]
        guard rules.names != nil || !rules.hostPatterns.isEmpty || !rules.patterns.isEmpty else { return false }
        guard let header = headers.first(where: { Self.equalsIgnoringCase($0.name, Self.refererName) }) else {
            return !rules.allowsNone
        }
        let value = append(header.value)
        let scheme = value.count >= 11 ? schemeLength(value) : 0
        guard scheme > 0 else { return !rules.allowsBlocked }
        let rest = ByteRange(start: value.start + scheme, end: value.end)
        var hostEnd = rest.start
        while hostEnd < rest.end, arena[hostEnd] != UInt8(ascii: "/"), arena[hostEnd] != UInt8(ascii: ":") {
            hostEnd += 1
        }
        guard hostEnd - rest.start <= 256 else { return true }
        let host = lowercased(ByteRange(start: rest.start, end: hostEnd))
        if let names = rules.names, let found = arena.withBytes(host, { names.value(of: $0) }) {
            return !hasPath(rules.paths[Int(found)], in: ByteRange(start: hostEnd, end: rest.end))
        }
        for pattern in rules.hostPatterns where matchesQuietly(pattern, on: host) { return false }
        for pattern in rules.patterns where matchesQuietly(pattern, on: rest) { return false }
        return true
    }

    private static let refererName = Array("referer".utf8)

    /// Matches without touching the captures, as nginx does for referers.
    private func matchesQuietly(_ pattern: Int32, on subject: ByteRange) -> Bool {
        arena.withBytes(subject) { program.expressions.match(Int(pattern), $0, scratch: scratch) } == .matched
    }

    /// The length of `http://` or `https://` at the start, in any case; 0 without it.
    private func schemeLength(_ value: ByteRange) -> Int32 {
        let lower = lowercased(ByteRange(start: value.start, end: min(value.end, value.start + 8)))
        let bytes = arena.array(lower)
        if bytes.starts(with: Array("http://".utf8)) { return 7 }
        return bytes.starts(with: Array("https://".utf8)) ? 8 : 0
    }

    private func hasPath(_ path: [UInt8], in rest: ByteRange) -> Bool {
        guard !path.isEmpty else { return true }
        var start = rest.start
        while start < rest.end, arena[start] != UInt8(ascii: "/") { start += 1 }
        guard Int(rest.end - start) >= path.count else { return false }
        for (index, byte) in path.enumerated() where arena[start + Int32(index)] != byte { return false }
        return true
    }

    // MARK: Signed links

    /// `$secure_link`.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_secure_link_module.html
    ///
    /// What it finds behind the comma becomes `$secure_link_expires`, which is empty before.
    func secureLink(_ settings: Settings) -> ByteRange {
        if !settings.secureLinkSecret.isEmpty { return signedPath(settings) }
        guard settings.secureLink >= 0, settings.secureLinkMD5 >= 0,
            var signature = evaluate(template: settings.secureLink)
        else { return .empty }
        var deadline: Int64 = 0
        if let comma = index(of: UInt8(ascii: ","), from: signature.start, to: signature.end) {
            let text = ByteRange(start: comma + 1, end: signature.end)
            signature.end = comma
            guard let number = Int64(String(decoding: arena.array(text), as: UTF8.self)), number > 0 else {
                return .empty
            }
            secureLinkExpires = text
            deadline = number
        }
        guard signature.count <= 24, let given = arena.withBytes(signature, { Base64URL.decode($0) }),
            given.count == 16,
            let text = evaluate(template: settings.secureLinkMD5)
        else { return .empty }
        guard Self.areEqualInConstantTime(given, MD5.digest(arena.array(text))) else { return .empty }
        return deadline != 0 && deadline < time.seconds ? self.text("0") : self.text("1")
    }

    /// The old form: `/prefix/DIGEST/link`, the digest being that of the link and the secret.
    private func signedPath(_ settings: Settings) -> ByteRange {
        let target = requestURI
        let slash = UInt8(ascii: "/")
        guard let first = index(of: slash, from: target.start + 1, to: target.end),
            let second = index(of: slash, from: first + 1, to: target.end),
            second - first == 33, second + 1 < target.end
        else { return .empty }
        let link = ByteRange(start: second + 1, end: target.end)
        let secret = Array(program.constants[settings.secureLinkSecret.indices])
        let digest = MD5.digest(arena.array(link) + secret)
        var given: [UInt8] = []
        for offset in stride(from: first + 1, to: second, by: 2) {
            guard let high = arena[offset].hexadecimalValue, let low = arena[offset + 1].hexadecimalValue else {
                return .empty
            }
            given.append(high << 4 | low)
        }
        return Self.areEqualInConstantTime(given, digest) ? link : .empty
    }

    private func index(of byte: UInt8, from start: Int32, to end: Int32) -> Int32? {
        var offset = start
        while offset < end {
            if arena[offset] == byte { return offset }
            offset += 1
        }
        return nil
    }

    private static func areEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for index in left.indices { difference |= left[index] ^ right[index] }
        return difference == 0
    }

    // MARK: Files

    /// What a path leads to; nil when there is nothing, or nothing to ask.
    func fileKind(_ path: ByteRange) -> FileAttributes.Kind? {
        attributes(path)?.kind
    }

    func fileTest(_ kind: Condition.Kind, path: ByteRange) -> Bool {
        guard let found = attributes(path) else { return false }
        return switch kind {
        case .isFile: found.kind == .regular
        case .isDirectory: found.kind == .directory
        case .isExecutable: found.isOwnerExecutable
        default: true
        }
    }

    private func attributes(_ path: ByteRange) -> FileAttributes? {
        guard let fileSystem = options.fileSystem, !path.isEmpty else { return nil }
        return arena.withBytes(path) { bytes in try? fileSystem.attributes(bytes) }
    }
}
