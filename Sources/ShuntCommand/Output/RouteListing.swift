import Shunt

enum RouteListing {
    /// One line for each route: methods, pattern, name with priority and defaults, and place.
    static func text(_ table: RouteTable, style: Style) -> String {
        var listing = TextTable(maximum: 60)
        for route in table.routes {
            var details = route.displayName
            if route.priority != 0 { details += " priority=\(route.priority)" }
            if route.isFallback { details += " (fallback)" }
            for (name, value) in route.defaults.sorted(by: { $0.key < $1.key }) {
                details += " default=\(name):\(value)"
            }
            let cells = [
                route.methods.isEmpty ? "*" : route.methods.joined(separator: "|"), route.fullPattern.text, details,
                route.origin.description,
            ]
            .map { ShownBytes.text($0) }
            listing.add(cells.dropLast() + [style(cells[3], .faint)])
        }
        return listing.text
    }
}
