#if compiler(>=6.3)
public import CShunt
import Shunt

extension RulesHandle {
    /// The report of a kind; nil for a kind that there is not.
    fileprivate func report(_ kind: shunt_report, isJSON: Bool) -> [UInt8]? {
        let ruleSet = engine.ruleSet
        switch kind {
        case SHUNT_DIAGNOSTICS:
            return isJSON
                ? ruleSet.diagnostics.flatMap { $0.json.line }
                : Array(DiagnosticRenderer().render(ruleSet.diagnostics).utf8)
        case SHUNT_RULES:
            return ruleSet.listedRules.flatMap { isJSON ? $0.json.line : Self.line(of: $0) }
        case SHUNT_ROUTES:
            return (ruleSet.routes?.routes ?? []).flatMap { isJSON ? Self.object(of: $0).line : Self.line(of: $0) }
        case SHUNT_HITS:
            return (counters?.counts() ?? []).flatMap { isJSON ? Self.object(of: $0).line : Self.line(of: $0) }
        default: return nil
        }
    }

    private static func line(of words: [String?]) -> [UInt8] {
        Array((words.compactMap { $0.map { ShownBytes.text($0) } }.joined(separator: " ") + "\n").utf8)
    }

    private static func line(of rule: ListedRule) -> [UInt8] {
        line(of: [
            "\(rule.location):", rule.kind, rule.matcher, rule.target.map { "→ \($0)" },
            rule.context.map { "in \($0)" },
        ])
    }

    private static func line(of route: Route) -> [UInt8] {
        let methods = route.methods.isEmpty ? nil : route.methods.joined(separator: "|")
        return line(of: ["\(route.origin):", methods, route.fullPattern.text, route.name])
    }

    private static func object(of route: Route) -> JSONObject {
        route.origin.members.adding([
            "pattern": route.fullPattern.text, "name": route.name,
            "methods": route.methods.isEmpty ? nil : route.methods,
        ])
    }

    private static func line(of count: RuleCounters.Count) -> [UInt8] {
        line(of: ["\(count.rule):", "\(count.hits)", count.text])
    }

    private static func object(of count: RuleCounters.Count) -> JSONObject {
        count.rule.members.adding([
            "text": count.text, "hits": count.hits,
            "last_hit": count.lastHit?.iso8601(),
            "since": count.since.iso8601(),
        ])
    }
}

/// See `shunt.h`.
@c @implementation
public func shunt_rules_report(
    _ rules: OpaquePointer!,
    _ report: shunt_report,
    _ format: shunt_format,
    _ text: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> shunt_status {
    guard let rules = RulesHandle.at(rules), let text = text, format == SHUNT_TEXT || format == SHUNT_JSON,
        let bytes = rules.report(report, isJSON: format == SHUNT_JSON)
    else { return SHUNT_INVALID_ARGUMENT }
    OwnedText.give(bytes, to: text)
    return SHUNT_OK
}
#endif
