import ShuntCore

/// `$secure_link`.
extension Evaluation {
    /// `$secure_link`.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_secure_link_module.html
    ///
    /// What it finds after the comma becomes `$secure_link_expires`, which is empty before.
    mutating func secureLink(_ settings: Settings) throws(EvaluationFailure) -> ByteRange {
        if !settings.secureLinkSecret.isEmpty { return signedPath(settings) }
        guard !settings.secureLink.isNone, !settings.secureLinkMD5.isNone else { return .empty }
        var signature = try evaluate(template: settings.secureLink)
        var deadline: Int64 = 0
        if let comma = index(of: UInt8(ascii: ","), from: signature.start, to: signature.end) {
            let text = ByteRange(start: comma + 1, end: signature.end)
            signature.end = comma
            guard let number = Int64(String(decoding: arena.array(text), as: UTF8.self)), number > 0 else {
                return .empty
            }
            values.secureLinkExpires = text
            deadline = number
        }
        guard signature.count <= 24, let given = arena.withBytes(signature, { Base64URL.decode($0) }),
            given.count == 16
        else { return .empty }
        let text = try evaluate(template: settings.secureLinkMD5)
        guard Self.areEqualInConstantTime(given, MD5.digest(arena.array(text))) else { return .empty }
        return deadline != 0 && deadline < request.time().seconds ? try self.text("0") : try self.text("1")
    }

    /// The old form: `/prefix/DIGEST/link`, the digest being that of the link and the secret.
    private func signedPath(_ settings: Settings) -> ByteRange {
        let target = server.requestURI
        let slash = UInt8(ascii: "/")
        guard let first = index(of: slash, from: target.start + 1, to: target.end),
            let second = index(of: slash, from: first + 1, to: target.end),
            second - first == 33, second + 1 < target.end
        else { return .empty }
        let link = ByteRange(start: second + 1, end: target.end)
        let secret = Array(program.tables.constants[settings.secureLinkSecret.indices])
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
}
