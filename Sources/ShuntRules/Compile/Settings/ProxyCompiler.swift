import ShuntCore

/// `proxy_pass` and the other directives that pass requests on.
enum ProxyCompiler {
    /// `proxy_pass URL`.
    static func pass(_ word: Word, settings: inout Settings, in context: inout CompileContext) {
        settings.handler = .proxy
        settings.namesHandler = true
        let pieces = context.pieces(of: word.bytes, word: word)
        let hasVariables = !pieces.allSatisfy { if case .literal = $0 { true } else { false } }
        var target = ProxyTarget(
            template: context.template(pieces, of: word),
            base: .empty,
            path: .empty,
            hasVariables: hasVariables,
            locationLength: 0,
            position: word.position
        )
        if !hasVariables {
            let text = word.text.lowercased()
            guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
                return context.error(
                    "invalid-url-prefix",
                    "\"proxy_pass\" needs a URL that begins with \"http://\" or \"https://\"",
                    at: word,
                    suggestion: "write \"http://\(word.text)\""
                )
            }
            let start = text.hasPrefix("https") ? 8 : 7
            let end = pathStart(of: word.bytes, from: start)
            guard UpstreamCompiler.check(word, bytes: start..<end, in: &context) else { return }
            target.base = context.constant(word.bytes[..<end])
            target.path = context.constant(word.bytes[end...])
        }
        settings.proxy = context.tables.proxies.append(target)
    }

    /// Where the URI part of an upstream begins; behind the second colon for a Unix socket.
    private static func pathStart(of bytes: [UInt8], from start: Int) -> Int {
        var index = start
        if bytes[index...].starts(with: Array("unix:".utf8)) {
            index += 5
            while index < bytes.count, bytes[index] != UInt8(ascii: ":") { index += 1 }
            return min(index + 1, bytes.count)
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "?") { index += 1 }
        return index
    }

    /// Reports that a proxy has a URI part where there is no text of a location for it to replace.
    static func refuseURIPart(
        _ settings: Settings,
        _ directive: CheckedDirective,
        _ place: String,
        in context: inout CompileContext
    ) {
        guard !settings.proxy.isNone, !context.tables.proxies[settings.proxy].path.isEmpty,
            let word = directive.arguments.first
        else { return }
        context.error(
            "misplaced-uri-part",
            "\"proxy_pass\" cannot have a URI part \(place)",
            at: word,
            suggestion: "leave out what follows the host, or use variables"
        )
    }

    /// Checks the address of `fastcgi_pass` and the like.
    static func checkAddress(_ word: Word, of keyword: Keyword, in context: inout CompileContext) {
        // `memcached_pass` takes no variables, and its word is no template.
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
