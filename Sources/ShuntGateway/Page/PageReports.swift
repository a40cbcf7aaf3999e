#if Gateway
import Shunt
import ShuntCore
import ShuntRules

/// The variables that rules read and the routes they lead to, as JSON.
enum PageReports {
    /// The inputs, headers, cookies and arguments that the rules look at: the fields of a form that asks them.
    static func reads(_ ruleSet: RuleSet) -> [UInt8] {
        let program = ruleSet.program
        var names: [VariableSource: Set<String>] = [:]
        for variable in program.tables.variables {
            let start = Int(variable.parameter.start)
            let parameter = program.tables.constants[start..<start + Int(variable.parameter.count)]
            switch variable.source {
            case .requestHeader:
                let name = parameter.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.asciiLowercased }
                names[.requestHeader, default: []].insert(String(decoding: name, as: UTF8.self))
            case .cookie, .argument:
                names[variable.source, default: []].insert(String(decoding: parameter, as: UTF8.self))
            case .input, .external: names[.input, default: []].insert(variable.name)
            default: break
            }
        }
        func list(_ source: VariableSource) -> [String] { (names[source] ?? []).sorted() }
        let report: JSONObject = [
            "inputs": list(.input), "headers": list(.requestHeader), "cookies": list(.cookie),
            "arguments": list(.argument),
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
