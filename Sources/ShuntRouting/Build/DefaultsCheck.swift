import ShuntCore

extension TableAssembly {
    /// Reports invalid default values of routes.
    mutating func checkDefaults(of patterns: [RoutePattern], _ automaton: RouteAutomaton) {
        let scratch = RouteScratch()
        for (entry, pattern) in zip(entries, patterns) where !entry.defaults.isEmpty {
            guard entry.defaults.count <= RoutingLimits.parameters else {
                report(.error, .routeDefault, "a route has more than \(RoutingLimits.parameters) defaults", entry)
                continue
            }
            for (name, value) in entry.defaults.sorted(by: { $0.key < $1.key }) {
                guard !name.isEmpty else {
                    report(.error, .routeDefault, "a default needs a name", entry)
                    continue
                }
                guard let parameter = pattern.parameters.first(where: { $0.name == name }) else { continue }
                if pattern.alwaysBinds(name) {
                    let message =
                        "the default of \"\(name)\" is never used, because every URL of the route has a value for it"
                    let advice = "remove it, or make the parameter optional"
                    report(.warning, .unusedDefault, message, entry, suggestion: advice)
                } else if let requirement = automaton.requirement(
                    parameter.constraint,
                    missedBy: Array(value.utf8),
                    scratch
                ) {
                    let message = "the default \"\(value)\" of \"\(name)\" does not fit \(requirement)"
                    report(.error, .routeDefault, message, entry)
                }
            }
        }
    }
}

extension RoutePattern {
    /// Returns true if every URL of the pattern has a value for a parameter: it is in no optional part.
    fileprivate func alwaysBinds(_ name: String) -> Bool {
        let isInHost = host.map { host in
            host.head.contains { label in
                switch label {
                case .open(let parameter): parameter.name == name
                case .pieces(let pieces): pieces.contains { $0.parameter?.name == name }
                }
            }
        }
        if isInHost == true { return true }
        return elements.contains { element in
            switch element {
            case .component(let forms):
                forms.allSatisfy { form in
                    form.contains { $0.parameter?.name == name && $0.parameter?.isOptional == false }
                }
            case .tail(let pieces): pieces.contains { $0.parameter?.name == name }
            case .group, .fragment, .trailingSlash: false
            }
        }
    }
}
