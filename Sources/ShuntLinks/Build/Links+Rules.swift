public import Shunt
public import ShuntModules

extension Links {
    /// Looks over the routes of rules: each has to name a contract that a URL may lead to.
    ///
    /// Pass it to the store, so that a set with a mistake is refused and the old one stays in use:
    /// `options.validate = { try links.check($0.engine) }`.
    ///
    /// - Parameter engine: The rules.
    /// - Throws: A diagnostic for each route that leads nowhere, with its place and the nearest name.
    public func check(_ engine: Engine) throws(AssemblyError) {
        let names = targets.filter { $0.contract != nil && $0.slots.isEmpty }.map(\.name)
        let known = Set(names)
        var found: [Diagnostic] = []
        for route in engine.ruleSet.routes?.routes ?? [] {
            guard let name = route.name, !known.contains(name) else { continue }
            let message =
                "the route \"\(route.fullPattern)\" leads to \"\(name)\", which no module answers at an address"
            let advice = Suggestion.meant(by: name, among: names)
            found.append(Diagnostic(.error(.unknownContract), message, at: route.origin, suggestion: advice))
        }
        guard found.isEmpty else { throw AssemblyError(found) }
    }
}
