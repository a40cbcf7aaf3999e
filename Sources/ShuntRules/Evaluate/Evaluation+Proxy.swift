import ShuntCore

/// `proxy_pass`: the URL that nginx would request from the upstream.
extension Evaluation {
    /// The upstream URL.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_pass
    mutating func proxyTarget(_ target: ProxyTarget) throws(EvaluationFailure) -> ByteRange {
        position = target.position
        let mark: Int
        if target.hasVariables {
            let whole = try evaluate(template: target.template)
            guard let path = pathStart(of: whole) else { return whole.isEmpty ? whole : try withPath(whole) }
            guard path < whole.end else { return try withPath(whole) }
            return arena[path] == UInt8(ascii: "?") ? try withSlash(whole, at: path) : whole
        }
        if target.path.isEmpty {
            mark = arena.mark
            arena.append(program.constants, target.base)
            appendOwnURI()
            return try made(from: mark)
        }
        mark = arena.mark
        arena.append(program.constants, target.base)
        // Where the path was rewritten, it is passed on whole and the URI part is ignored.
        var rest = server.uri
        if server.locationIsValid {
            arena.append(program.constants, target.path)
            rest.start += min(target.locationLength, Int32(server.uri.count))
        }
        appendPath(rest)
        return try made(from: mark)
    }

    /// The request's own target: as it was sent while no rule changed it, else the path as it stands.
    private func appendOwnURI() {
        if server.receivedTargetIsValid {
            arena.append(copyOf: server.requestURI)
        } else {
            appendPath(server.uri)
        }
    }

    /// A path and the arguments; the path is escaped where it was decoded before, or made by a rule.
    private func appendPath(_ path: ByteRange) {
        if server.isQuoted || server.isInternal {
            PercentCoding.appendEscapedURI(path, to: arena)
        } else {
            arena.append(copyOf: path)
        }
        if !server.arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: server.arguments)
        }
    }

    private func withPath(_ whole: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: whole)
        appendOwnURI()
        return try made(from: mark)
    }

    private func withSlash(_ whole: ByteRange, at offset: Int32) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: whole.start, end: offset))
        arena.append(UInt8(ascii: "/"))
        arena.append(copyOf: ByteRange(start: offset, end: whole.end))
        return try made(from: mark)
    }

    /// Where the URI part of a URL begins; nil when it has no `://`.
    private func pathStart(of whole: ByteRange) -> Int32? {
        var offset = whole.start
        while offset + 2 < whole.end {
            if arena[offset] == UInt8(ascii: ":"), arena[offset + 1] == UInt8(ascii: "/"),
                arena[offset + 2] == UInt8(ascii: "/")
            {
                offset += 3
                while offset < whole.end, arena[offset] != UInt8(ascii: "/"), arena[offset] != UInt8(ascii: "?") {
                    offset += 1
                }
                return offset
            }
            offset += 1
        }
        return nil
    }
}
