import ShuntCore

/// `proxy_pass` and the other directives that pass requests on.
enum ProxyCompiler {
    static func pass(_ word: Word, settings: inout Settings, in context: inout CompileContext) {
        settings.handler = .proxy
        settings.namesHandler = true
        let pieces = context.pieces(of: word.bytes, word: word)
        let hasVariables = !pieces.allSatisfy { if case .literal = $0 { true } else { false } }
        var target = ProxyTarget(
            template: context.template(pieces, of: word),
            base: .empty,
            address: nil,
            path: .empty,
            hasVariables: hasVariables,
            locationLength: 0,
            position: word.position
        )
        if !hasVariables {
            let text = word.text.lowercased()
            let start = text.hasPrefix("http://") ? 7 : text.hasPrefix("https://") ? 8 : 0
            guard start > 0 else {
                let message = "\"proxy_pass\" needs a URL that begins with \"http://\" or \"https://\""
                let scheme = text.hasPrefix("https:") || text.hasPrefix("wss:") ? "https" : "http"
                let rest = word.text.trimmingPrefix(/(?:https?|wss?|grpcs?|fastcgi|uwsgi|ftp):\/*/.ignoresCase())
                return context.error(.invalidURLPrefix, message, at: word, suggestion: "write \"\(scheme)://\(rest)\"")
            }
            let address = ProxyAddress(word.bytes.span)
            // The end of an authority that is reported as invalid.
            let end =
                address.map { Int($0.end) } ?? word.bytes[start...].firstIndex { "/?".utf8.contains($0) }
                ?? word.bytes.count
            guard UpstreamCompiler.check(word, bytes: start..<end, in: &context), let address else { return }
            var base = Array(word.bytes[..<end])
            if address.isSocket, base.last != UInt8(ascii: ":") { base.append(UInt8(ascii: ":")) }
            target.base = context.constant(base)
            target.path = context.constant(word.bytes[end...])
            target.address = address
            if address.port == nil, !address.isSocket {
                target.group = context.tables.group(named: word.bytes.span.extracting(address.host.indices))
            }
        }
        settings.proxy = context.tables.proxies.append(target)
    }

    /// Reports that a proxy has a URI part where there is no text of a location for it to replace.
    static func refuseURIPart(
        _ settings: Settings,
        directive: CheckedDirective,
        at place: String,
        in context: inout CompileContext
    ) {
        guard !settings.proxy.isNone, !context.tables.proxies[settings.proxy].path.isEmpty,
            let word = directive.arguments.first
        else { return }
        let advice = "leave out what follows the host, or use variables"
        context.error(.misplacedURIPart, "\"proxy_pass\" cannot have a URI part \(place)", at: word, suggestion: advice)
    }

    /// Checks the address of `fastcgi_pass` and the like.
    static func checkAddress(_ word: Word, of keyword: Keyword, in context: inout CompileContext) {
        // `memcached_pass` takes no variables, and its word is not a template.
        if keyword != .memcachedPass, word.bytes.contains(UInt8(ascii: "$")) {
            _ = context.template(word)
            return
        }
        var start = 0
        if keyword == .grpcPass {
            let text = word.text.lowercased()
            start = text.hasPrefix("grpcs://") ? 8 : text.hasPrefix("grpc://") ? 7 : 0
        }
        UpstreamCompiler.check(word, bytes: start..<word.bytes.count, in: &context)
    }
}
