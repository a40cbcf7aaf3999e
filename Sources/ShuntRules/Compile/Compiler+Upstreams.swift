import ShuntCore

/// `upstream`, and the addresses that requests are passed to.
///
/// Nothing is ever sent there by the engine; what is wrong in them is reported as nginx reports it.
extension Compiler {
    /// Checks the `upstream` blocks and remembers their names.
    mutating func declareUpstreams(_ directives: [Directive]) {
        for directive in directives where Self.keyword(directive) == .upstream {
            guard let name = directive.arguments.first else { continue }
            if let first = upstreams[name.text] {
                error(
                    "duplicate-upstream",
                    "a second upstream \(name.shownText)",
                    at: name,
                    suggestion: "give it another name",
                    notes: [note("the first is here", at: first)]
                )
            } else {
                upstreams[name.text] = name.position
            }
            checkServers(of: directive, name)
        }
    }

    private mutating func checkServers(of upstream: Directive, _ name: Word) {
        let servers = (upstream.block ?? []).filter { $0.name.bytes.elementsEqual("server".utf8) }
        for server in servers {
            guard let address = server.arguments.first else { continue }
            checkUpstream(address, bytes: 0..<address.bytes.count, isServer: true)
            for parameter in server.arguments.dropFirst() { check(parameter: parameter) }
        }
        if servers.isEmpty {
            error("empty-upstream", "no servers are in the upstream \(name.shownText)", at: name)
        } else if servers.allSatisfy({ server in
            server.arguments.contains { $0.bytes.elementsEqual("backup".utf8) }
        }) {
            error("empty-upstream", "the upstream \(name.shownText) has backup servers only", at: name)
        }
    }

    /// Checks a parameter of a server, such as `weight=2`.
    private mutating func check(parameter word: Word) {
        let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
        let key = String(decoding: word.bytes[..<(equals ?? word.bytes.count)], as: UTF8.self)
        let value = equals.map { word.bytes[($0 + 1)...] }
        let isRight =
            switch (key, value) {
            case ("backup", nil), ("down", nil), ("resolve", nil), ("drain", nil): true
            case ("weight", let value?): (Self.number(value) ?? 0) > 0
            case ("max_fails", let value?), ("max_conns", let value?): Self.number(value) != nil
            case ("fail_timeout", let value?), ("slow_start", let value?): Self.isTime(value)
            case ("route", _?), ("service", _?): true
            default: false
            }
        guard !isRight else { return }
        let known = [
            "weight", "max_fails", "max_conns", "fail_timeout", "slow_start", "backup", "down", "resolve", "route",
        ]
        let closest = known.contains(key) ? nil : Suggestion.closest(to: key, among: known)
        error(
            "invalid-parameter",
            "invalid parameter \(word.shownText)",
            at: word,
            suggestion: closest.map { "did you mean \"\($0)\"?" }
        )
    }

    /// Checks the address of `fastcgi_pass` and the like.
    mutating func checkPassedAddress(_ word: Word, of keyword: Keyword) {
        // `memcached_pass` takes no variables, and its word is no template.
        if keyword != .memcachedPass, word.bytes.contains(UInt8(ascii: "$")) {
            _ = template(word)
            return
        }
        var start = 0
        if keyword == .grpcPass {
            let text = word.text.lowercased()
            start = text.hasPrefix("grpcs://") ? 8 : text.hasPrefix("grpc://") ? 7 : 0
        }
        checkUpstream(word, bytes: start..<word.bytes.count)
    }

    /// Checks that a part of a word names an upstream, or a host with a port that there may be; false after an error.
    @discardableResult
    mutating func checkUpstream(_ word: Word, bytes: Range<Int>, isServer: Bool = false) -> Bool {
        var part = Array(word.bytes[bytes])
        // The URI part of a Unix socket begins behind a second colon, which is not the path's.
        if part.starts(with: Array("unix:".utf8)), !isServer, part.count > 5, part.last == UInt8(ascii: ":") {
            part.removeLast()
        }
        if !isServer, upstreams[String(decoding: part, as: UTF8.self)] != nil { return true }
        do throws(SocketName.Failure) {
            let name = try SocketName(upstream: part)
            guard !isServer, name.ports != nil, case .name = name.host,
                let colon = part.lastIndex(of: UInt8(ascii: ":")),
                upstreams[String(decoding: part[..<colon], as: UTF8.self)] != nil
            else { return true }
            error(
                "upstream-port",
                "the upstream \(shown(part[..<colon])) may not have a port here",
                at: word,
                suggestion: "the ports stand in the upstream's servers"
            )
        } catch {
            let (problem, suggestion) = error.description
            self.error("invalid-address", "\(problem) in \(word.shownText)", at: word, suggestion: suggestion)
        }
        return false
    }

    /// Where the URI part of an upstream begins; behind the second colon for a Unix socket.
    static func pathStart(of bytes: [UInt8], from start: Int) -> Int {
        var index = start
        if bytes[index...].starts(with: Array("unix:".utf8)) {
            index += 5
            while index < bytes.count, bytes[index] != UInt8(ascii: ":") { index += 1 }
            return min(index + 1, bytes.count)
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: "/"), bytes[index] != UInt8(ascii: "?") { index += 1 }
        return index
    }
}
