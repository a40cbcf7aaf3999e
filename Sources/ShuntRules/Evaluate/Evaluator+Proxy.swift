import ShuntCore

/// `proxy_pass`: the URL that nginx would request from the upstream.
extension Evaluator {
    /// The upstream URL.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_pass
    func proxyTarget(_ target: ProxyTarget) -> ByteRange? {
        position = target.position
        let mark: Int
        if target.hasVariables {
            guard let whole = evaluate(template: target.template) else { return nil }
            guard let path = pathStart(of: whole) else { return whole.isEmpty ? whole : withPath(whole) }
            guard path < whole.end else { return withPath(whole) }
            return arena[path] == UInt8(ascii: "?") ? withSlash(whole, at: path) : whole
        }
        if target.path.isEmpty {
            mark = arena.mark
            arena.append(program.constants, target.base)
            appendOwnURI()
            return arena.range(from: mark)
        }
        mark = arena.mark
        arena.append(program.constants, target.base)
        // Where the path was rewritten, it is passed on whole and the URI part is ignored.
        var rest = uri
        if locationIsValid {
            arena.append(program.constants, target.path)
            rest.start += min(target.locationLength, Int32(uri.count))
        }
        appendPath(rest)
        return arena.range(from: mark)
    }

    /// The request's own target: as it was sent while no rule changed it, else the path as it stands.
    private func appendOwnURI() {
        if receivedTargetIsValid {
            arena.append(copyOf: requestURI)
        } else {
            appendPath(uri)
        }
    }

    /// A path and the arguments; the path is escaped where it was decoded before, or made by a rule.
    private func appendPath(_ path: ByteRange) {
        if isQuoted || isInternal {
            PercentCoding.appendEscapedURI(path, to: arena)
        } else {
            arena.append(copyOf: path)
        }
        if !arguments.isEmpty {
            arena.append(UInt8(ascii: "?"))
            arena.append(copyOf: arguments)
        }
    }

    private func withPath(_ whole: ByteRange) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: whole)
        appendOwnURI()
        return arena.range(from: mark)
    }

    private func withSlash(_ whole: ByteRange, at offset: Int32) -> ByteRange {
        let mark = arena.mark
        arena.append(copyOf: ByteRange(start: whole.start, end: offset))
        arena.append(UInt8(ascii: "/"))
        arena.append(copyOf: ByteRange(start: offset, end: whole.end))
        return arena.range(from: mark)
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
