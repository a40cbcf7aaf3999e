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
        var writer = JSONWriter()
        writer.object { writer in
            let lists: [(String, VariableSource)] = [
                ("inputs", .input), ("headers", .requestHeader), ("cookies", .cookie), ("arguments", .argument),
            ]
            for (name, source) in lists {
                writer.name(name)
                writer.array { writer in for one in (names[source] ?? []).sorted() { writer.string(one) } }
            }
        }
        writer.newline()
        return writer.bytes
    }

    /// The routes in the order in which they were declared, and as a tree of their segments.
    static func routes(_ rules: ServedRules) -> [UInt8] {
        let snapshot = rules.store.snapshot
        let hits = rules.routeHits.all
        let routes = snapshot.ruleSet.routes?.routes ?? []
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", snapshot.version)
            writer.name("routes")
            writer.array { writer in
                for route in routes {
                    writer.object { writer in
                        writer.member("name", route.displayName)
                        writer.member("pattern", route.fullPattern.text)
                        if !route.methods.isEmpty { writer.member("methods", route.methods.joined(separator: " ")) }
                        if route.priority != 0 { writer.member("priority", route.priority) }
                        if route.isFallback { writer.member("fallback", true) }
                        if rules.traffic != nil { writer.member("hits", hits[route.displayName] ?? 0) }
                        writer.member("place", route.origin.description)
                    }
                }
            }
            writer.name("tree")
            let tree = RouteTree(routes.map(\.fullPattern.text))
            tree.write(hits: { hits[routes[$0].displayName] ?? 0 }, to: &writer)
        }
        writer.newline()
        return writer.bytes
    }
}
#endif
