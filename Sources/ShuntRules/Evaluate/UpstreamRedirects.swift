import ShuntCore
import ShuntPatterns

/// The changes to the Location of an upstream's answer: the `proxy_redirect`s for one request.
package struct UpstreamRedirects: Sendable {
    let rules: TableIndex<[RedirectRule]>
    let settings: SettingsIndex
    let server: ServerIndex
    /// The values of the request that the rules need.
    let values: [[UInt8]]
}

/// Changes the Locations of upstreams' answers by the `proxy_redirect`s of one rule set.
///
/// It keeps the rule set, and is used by one request at a time.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_redirect
package final class LocationRewriter {
    private let ruleSet: RuleSet
    private var program: Program { ruleSet.program }
    private lazy var scratch = MatchScratch()

    package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

    /// Changes a Location as the first of the rules says that is for it.
    ///
    /// As in nginx, an expression that reaches the limit of steps is not for it.
    ///
    /// - Parameters:
    ///   - location: What the upstream has sent.
    ///   - redirects: The rules.
    /// - Returns: The Location as it is now; nil where none of the rules is for it.
    package func rewritten(_ location: Span<UInt8>, by redirects: UpstreamRedirects) -> [UInt8]? {
        for rule in program.tables.proxyRedirects[redirects.rules] {
            if rule.expression.isNone {
                let prefix = bytes(rule.prefix, of: rule, 0, redirects.values)
                guard location.begins(with: prefix) else { continue }
                let rest = Array(copying: location.extracting(prefix.count...))
                return Array(bytes(rule.replacement, of: rule, 1, redirects.values)) + rest
            }
            scratch.renew()
            let outcome = program.expressions.match(rule.expression.position, location, scratch: scratch)
            if outcome == .matched { return replacement(rule, for: location, redirects.values) }
        }
        return nil
    }

    /// A prefix or its replacement: the value that was computed for it, or what it is for every request.
    private func bytes(
        _ template: TemplateIndex,
        of rule: RedirectRule,
        _ number: Int,
        _ values: [[UInt8]]
    ) -> ArraySlice<UInt8> {
        let value = Int(rule.firstValue) + number
        if rule.firstValue >= 0, values.indices.contains(value) { return values[value][...] }
        let part = program.tables.parts[template]
        return program.tables.constants[ByteRange(start: part.a, end: part.b).indices]
    }

    /// The replacement for what an expression has just matched.
    private func replacement(_ rule: RedirectRule, for location: Span<UInt8>, _ values: [[UInt8]]) -> [UInt8] {
        var result: [UInt8] = []
        var value = Int(rule.firstValue)
        var position = rule.replacement.position
        while true {
            let part = program.tables.parts[position]
            switch part.kind {
            case .literal: result += program.tables.constants[ByteRange(start: part.a, end: part.b).indices]
            case .capture: result += captured(Int(part.a), of: location)
            case .variable:
                if let group = program.tables.group(named: part.variable, of: rule.expression) {
                    result += captured(group, of: location)
                } else if values.indices.contains(value) {
                    result += values[value]
                    value += 1
                }
            }
            if part.isLast { return result }
            position += 1
        }
    }

    private func captured(_ group: Int, of location: Span<UInt8>) -> [UInt8] {
        guard let range = scratch.capture(group) else { return [] }
        return Array(copying: location.extracting(range.indices))
    }

    /// Puts scheme, host and port before a path where `absolute_redirect` asks for it, or browsers would take the path for
    /// another host.
    ///
    /// - Parameters:
    ///   - location: A Location that was changed.
    ///   - redirects: The rules that changed it.
    ///   - host: The host that the client asked for; nil where it named none.
    ///   - endpoint: Where the request arrived.
    /// - Returns: The Location for the client.
    package func absolute(
        _ location: [UInt8],
        by redirects: UpstreamRedirects,
        host: String?,
        at endpoint: RuleRequest.Endpoint?
    ) -> [UInt8] {
        let settings = program.tables.settings[redirects.settings]
        guard location.first == UInt8(ascii: "/") else { return location }
        let isAmbiguous = location.count > 1 && (location[1] == UInt8(ascii: "/") || location[1] == UInt8(ascii: "\\"))
        guard settings.absoluteRedirect || isAmbiguous else { return location }
        let isSecure = ruleSet.isSecure(at: endpoint)
        var origin = Array((isSecure ? "https://" : "http://").utf8)
        if settings.serverNameInRedirect, !redirects.server.isNone {
            origin += program.tables.servers[redirects.server].name
        } else {
            origin += (host ?? endpoint.map(\.address).flatMap { $0 == "*" ? nil : $0 } ?? "127.0.0.1").utf8
        }
        let port = endpoint.map { $0.publicPort ?? $0.port } ?? program.tables.listens.first.map { Int($0.port) } ?? 80
        if settings.portInRedirect, port != 0, port != (isSecure ? 443 : 80) { origin += ":\(port)".utf8 }
        return origin + location
    }
}

extension Span where Element == UInt8 {
    fileprivate func begins(with prefix: ArraySlice<UInt8>) -> Bool {
        guard prefix.count <= count else { return false }
        var index = 0
        for byte in prefix {
            if self[index] != byte { return false }
            index += 1
        }
        return true
    }
}
