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

/// Makes the changes to Locations by the `proxy_redirect`s of one rule set; used by one request at a time.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_redirect
package final class LocationRewriter {
    private let ruleSet: RuleSet
    private var tables: ProgramTables { ruleSet.program.tables }
    let scratch = MatchScratch()
    private var known: [Int: [LocationChanges.Rule]] = [:]

    package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

    /// The changes for a request, which keep nothing else of the rule set, however long the answer takes.
    package func changes(by redirects: UpstreamRedirects, at endpoint: RuleRequest.Endpoint?) -> LocationChanges {
        let settings = tables.settings[redirects.settings]
        let namesServer = settings.serverNameInRedirect && !redirects.server.isNone
        let ownPort = endpoint.map { $0.hostPort ?? $0.publicPort ?? $0.port }
        let port = ownPort ?? tables.listens.first.map { Int($0.port) } ?? 80
        return LocationChanges(
            rules: rules(redirects.rules),
            values: redirects.values,
            scratch: scratch,
            isAbsolute: settings.absoluteRedirect,
            isSecure: ruleSet.isSecure(at: endpoint),
            serverName: namesServer ? tables.servers[redirects.server].name : nil,
            address: endpoint.map(\.address).flatMap { $0 == "*" ? nil : $0 } ?? "127.0.0.1",
            port: settings.portInRedirect ? port : 0
        )
    }

    private func rules(_ index: TableIndex<[RedirectRule]>) -> [LocationChanges.Rule] {
        if let known = known[index.position] { return known }
        let rules = tables.proxyRedirects[index].map(rule)
        known[index.position] = rules
        return rules
    }

    private func rule(_ rule: RedirectRule) -> LocationChanges.Rule {
        guard !rule.expression.isNone else {
            return LocationChanges.Rule(
                prefix: constant(rule.prefix),
                expression: nil,
                replacement: [.literal(constant(rule.replacement))],
                firstValue: Int(rule.firstValue),
                isDomain: rule.isDomain
            )
        }
        let pieces: [LocationChanges.Piece] = tables.parts(of: rule.replacement)
            .map { part in
                switch part.kind {
                case .literal: .literal(Array(tables.bytes(of: part)))
                case .capture: .capture(Int(part.a))
                case .variable: tables.group(named: part.variable, of: rule.expression).map { .capture($0) } ?? .value
                }
            }
        return LocationChanges.Rule(
            prefix: [],
            expression: expression(rule.expression),
            replacement: pieces,
            firstValue: Int(rule.firstValue)
        )
    }

    func expression(_ index: ExpressionIndex) -> RegularExpression {
        ruleSet.program.expressions.expressions[index.position]
    }

    private func constant(_ template: TemplateIndex) -> [UInt8] {
        Array(tables.bytes(of: tables.parts[template]))
    }
}

/// The changes to the Location of one answer.
package struct LocationChanges {
    /// A part of what is in place of a Location.
    fileprivate enum Piece {
        case literal([UInt8])
        case capture(Int)
        /// The next one of the values.
        case value
    }

    fileprivate struct Rule {
        /// The beginning of a Location; counts without an expression.
        let prefix: [UInt8]
        let expression: RegularExpression?
        let replacement: [Piece]
        /// Its first one of the values; those of a prefix and of its replacement are in place of the constants.
        let firstValue: Int
        var isDomain = false
    }

    fileprivate let rules: [Rule]
    fileprivate let values: [[UInt8]]
    fileprivate let scratch: MatchScratch
    fileprivate let isAbsolute: Bool
    fileprivate let isSecure: Bool
    fileprivate let serverName: [UInt8]?
    fileprivate let address: String
    /// The port to show; 0 for none.
    fileprivate let port: Int

    /// Changes a Location by the first of the rules that is for it; nil where none is.
    ///
    /// As in nginx, an expression that reaches the limit of steps is not for it.
    package func rewritten(_ location: Span<UInt8>) -> [UInt8]? {
        for rule in rules {
            if let expression = rule.expression {
                scratch.renew()
                if expression.match(location, scratch: scratch) == .matched { return replacement(rule, for: location) }
            } else {
                let prefix = value(rule.firstValue, of: rule) ?? rule.prefix
                let replacement = value(rule.firstValue + 1, of: rule) ?? replacement(rule, for: location)
                if rule.isDomain {
                    let domain = Array(copying: location)
                    let dot = domain.first == UInt8(ascii: ".") ? 1 : 0
                    let isSame = domain.dropFirst(dot).lazy.map(\.asciiLowercased)
                        .elementsEqual(prefix.lazy.map(\.asciiLowercased))
                    if isSame { return domain.prefix(dot) + replacement }
                    continue
                }
                guard prefix.count <= location.count, prefix.indices.allSatisfy({ location[$0] == prefix[$0] })
                else { continue }
                return replacement + Array(copying: location.extracting(prefix.count...))
            }
        }
        return nil
    }

    private func value(_ number: Int, of rule: Rule) -> [UInt8]? {
        rule.firstValue >= 0 && values.indices.contains(number) ? values[number] : nil
    }

    private func replacement(_ rule: Rule, for location: Span<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var next = rule.firstValue
        for piece in rule.replacement {
            switch piece {
            case .literal(let bytes): result += bytes
            case .capture(let group):
                guard let range = scratch.capture(group) else { continue }
                result += Array(copying: location.extracting(range.indices))
            case .value:
                result += value(next, of: rule) ?? []
                next += 1
            }
        }
        return result
    }

    /// Puts scheme, host and port before a path where `absolute_redirect` requires it, or browsers would take the path for
    /// another host.
    ///
    /// As in nginx the directive is for the last changed Location of an answer only.
    package func absolute(_ location: [UInt8], host: String?, isLast: Bool) -> [UInt8] {
        guard location.first == UInt8(ascii: "/") else { return location }
        let isAmbiguous = location.count > 1 && (location[1] == UInt8(ascii: "/") || location[1] == UInt8(ascii: "\\"))
        guard isAbsolute && isLast || isAmbiguous else { return location }
        var origin = Array((isSecure ? "https://" : "http://").utf8)
        origin += serverName ?? Array((host ?? address).utf8)
        if port != 0, port != (isSecure ? 443 : 80) { origin += ":\(port)".utf8 }
        return origin + location
    }
}
