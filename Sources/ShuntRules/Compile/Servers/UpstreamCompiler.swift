import ShuntCore

/// `upstream`, and the addresses that requests are passed to.
///
/// Nothing is ever sent there by the engine; what is wrong in them is reported as nginx reports it.
enum UpstreamCompiler {
    /// Checks the `upstream` blocks and remembers their names.
    static func declare(_ directives: [CheckedDirective], in context: inout CompileContext) {
        for directive in directives where directive.keyword == .upstream {
            guard let name = directive.arguments.first else { continue }
            if let first = context.upstreams[name.text] {
                context.error(
                    "duplicate-upstream",
                    "a second upstream \(name.shownText)",
                    at: name,
                    suggestion: "give it another name",
                    notes: [context.note("the first is here", at: first)]
                )
            } else {
                context.upstreams[name.text] = name.position
            }
            checkServers(of: directive, name, in: &context)
        }
    }

    private static func checkServers(of upstream: CheckedDirective, _ name: Word, in context: inout CompileContext) {
        let servers = upstream.block.filter { $0.name.bytes.elementsEqual("server".utf8) }
        for server in servers {
            guard let address = server.arguments.first else { continue }
            check(address, bytes: 0..<address.bytes.count, isServer: true, in: &context)
            for parameter in server.arguments.dropFirst() { check(parameter: parameter, in: &context) }
        }
        if servers.isEmpty {
            context.error("empty-upstream", "no servers are in the upstream \(name.shownText)", at: name)
        } else if servers.allSatisfy({ server in
            server.arguments.contains { $0.bytes.elementsEqual("backup".utf8) }
        }) {
            context.error("empty-upstream", "the upstream \(name.shownText) has backup servers only", at: name)
        }
    }

    /// Checks a parameter of a server, such as `weight=2`.
    private static func check(parameter word: Word, in context: inout CompileContext) {
        let equals = word.bytes.firstIndex(of: UInt8(ascii: "="))
        let key = String(decoding: word.bytes[..<(equals ?? word.bytes.count)], as: UTF8.self)
        let value = equals.map { word.bytes[($0 + 1)...] }
        let isRight =
            switch (key, value) {
            case ("backup", nil), ("down", nil), ("resolve", nil), ("drain", nil): true
            case ("weight", let value?): (value.decimalNumber ?? 0) > 0
            case ("max_fails", let value?), ("max_conns", let value?): value.decimalNumber != nil
            case ("fail_timeout", let value?), ("slow_start", let value?): ConfigurationUnits.isTime(value)
            case ("route", _?), ("service", _?): true
            default: false
            }
        guard !isRight else { return }
        let known = [
            "weight", "max_fails", "max_conns", "fail_timeout", "slow_start", "backup", "down", "resolve", "route",
        ]
        let closest = known.contains(key) ? nil : Suggestion.closest(to: key, among: known)
        context.error(
            "invalid-parameter",
            "invalid parameter \(word.shownText)",
            at: word,
            suggestion: closest.map { "did you mean \"\($0)\"?" }
        )
    }

    /// Checks that a part of a word names an upstream, or a host with a port that there may be; false after an error.
    @discardableResult
    static func check(
        _ word: Word,
        bytes: Range<Int>,
        isServer: Bool = false,
        in context: inout CompileContext
    ) -> Bool {
        var part = Array(word.bytes[bytes])
        // The URI part of a Unix socket begins behind a second colon, which is not the path's.
        if part.starts(with: Array("unix:".utf8)), !isServer, part.count > 5, part.last == UInt8(ascii: ":") {
            part.removeLast()
        }
        if !isServer, context.upstreams[String(decoding: part, as: UTF8.self)] != nil { return true }
        do throws(SocketName.Failure) {
            let name = try SocketName(upstream: part)
            guard !isServer, name.ports != nil, case .name = name.host,
                let colon = part.lastIndex(of: UInt8(ascii: ":")),
                context.upstreams[String(decoding: part[..<colon], as: UTF8.self)] != nil
            else { return true }
            context.error(
                "upstream-port",
                "the upstream \(shown(part[..<colon])) may not have a port here",
                at: word,
                suggestion: "the ports stand in the upstream's servers"
            )
        } catch {
            let (problem, suggestion) = error.description
            context.error("invalid-address", "\(problem) in \(word.shownText)", at: word, suggestion: suggestion)
        }
        return false
    }
}
