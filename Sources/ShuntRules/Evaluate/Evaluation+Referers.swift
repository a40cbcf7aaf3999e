import ShuntCore
import ShuntPatterns

/// `$invalid_referer`.
extension Evaluation {
    /// `$invalid_referer`.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_referer_module.html
    func isInvalidReferer(_ settings: Settings) throws(EvaluationFailure) -> Bool {
        guard !settings.referers.isNone else { return false }
        let rules = program.tables.referers[settings.referers]
        guard rules.names != nil || !rules.hostPatterns.isEmpty || !rules.patterns.isEmpty else { return false }
        guard let header = request.headers.first(where: { Self.equalsIgnoringCase($0.nameBytes, Self.refererName) })
        else {
            return !rules.allowsNone
        }
        let value = try append(header.valueBytes)
        let scheme = value.count >= 11 ? try schemeLength(value) : 0
        guard scheme > 0 else { return !rules.allowsBlocked }
        let rest = ByteRange(start: value.start + scheme, end: value.end)
        var hostEnd = rest.start
        while hostEnd < rest.end, arena[hostEnd] != UInt8(ascii: "/"), arena[hostEnd] != UInt8(ascii: ":") {
            hostEnd += 1
        }
        guard hostEnd - rest.start <= 256 else { return true }
        let host = try lowercased(ByteRange(start: rest.start, end: hostEnd))
        if let names = rules.names, let found = arena.withBytes(host, { names.value(of: $0) }) {
            return !hasPath(rules.paths[Int(found)], in: ByteRange(start: hostEnd, end: rest.end))
        }
        for pattern in rules.hostPatterns { if try matchesQuietly(pattern, on: host) { return false } }
        for pattern in rules.patterns { if try matchesQuietly(pattern, on: rest) { return false } }
        return true
    }

    private static let refererName = Array("referer".utf8)

    /// Matches without touching the captures, as nginx does for referers.
    private func matchesQuietly(_ pattern: ExpressionIndex, on subject: ByteRange) throws(EvaluationFailure) -> Bool {
        switch arena.withBytes(subject, { program.expressions.match(pattern.position, $0, scratch: memory.scratch) }) {
        case .matched: return true
        case .noMatch: return false
        case .limitExceeded: throw failure(.patternLimit)
        }
    }

    /// The length of `http://` or `https://` at the start, in any case; 0 without it.
    private func schemeLength(_ value: ByteRange) throws(EvaluationFailure) -> Int32 {
        var lower = try lowercased(ByteRange(start: value.start, end: min(value.end, value.start + 8)))
        if try areEqual(lower, text("https://")) { return 8 }
        lower.end = min(lower.end, lower.start + 7)
        return try areEqual(lower, text("http://")) ? 7 : 0
    }

    private func hasPath(_ path: [UInt8], in rest: ByteRange) -> Bool {
        guard !path.isEmpty else { return true }
        var start = rest.start
        while start < rest.end, arena[start] != UInt8(ascii: "/") { start += 1 }
        guard Int(rest.end - start) >= path.count else { return false }
        for (index, byte) in path.enumerated() where arena[start + Int32(index)] != byte { return false }
        return true
    }
}
