#if Gateway
import Shunt

/// The variables that rules read and the routes they lead to, as JSON.
enum PageReports {
    /// The inputs, headers, cookies and arguments that the rules read: the fields of a form.
    static func reads(_ ruleSet: RuleSet) -> [UInt8] {
        var inputs: Set<String> = []
        var headers: Set<String> = []
        var cookies: Set<String> = []
        var arguments: Set<String> = []
        for variable in ruleSet.model.variables {
            switch variable.source {
            case .requestHeader(let name):
                let name = name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.asciiLowercased }
                headers.insert(String(decoding: name, as: UTF8.self))
            case .cookie(let name): cookies.insert(String(decoding: name, as: UTF8.self))
            case .argument(let name): arguments.insert(String(decoding: name, as: UTF8.self))
            case .input, .external: inputs.insert(variable.name)
            default: break
            }
        }
        let report: JSONObject = [
            "inputs": inputs.sorted(), "headers": headers.sorted(), "cookies": cookies.sorted(),
            "arguments": arguments.sorted(),
        ]
        return report.line
    }

    /// The routes in the order in which they were declared, and as a tree of their segments.
    static func routes(_ rules: ServedRules) -> [UInt8] {
        let snapshot = rules.store.snapshot
        let hits = rules.routeHits.all
        let routes = snapshot.ruleSet.routes?.routes ?? []
        let report: JSONObject = [
            "version": snapshot.version,
            "routes": routes.map { route -> JSONObject in
                [
                    "name": route.displayName,
                    "pattern": route.fullPattern.text,
                    "methods": route.methods.isEmpty ? nil : route.methods.joined(separator: " "),
                    "priority": route.priority == 0 ? nil : route.priority,
                    "fallback": route.isFallback ? true : nil,
                    "hits": rules.traffic == nil ? nil : hits[route.displayName] ?? 0,
                    "place": route.origin.description,
                ]
            },
            "tree": RouteTree(routes.map(\.fullPattern.text)).objects { hits[routes[$0].displayName] ?? 0 },
        ]
        return report.line
    }
}
#endif
