import Shunt

/// The routes of a table, for reading.
enum RouteListing {
    /// One line for each route: methods, pattern, name with priority and defaults, and place.
    static func text(_ table: RouteTable, style: Style) -> String {
        var rows: [[String]] = []
        for route in table.routes {
            var details = route.displayName
            if route.priority != 0 { details += " priority=\(route.priority)" }
            if route.isFallback { details += " (fallback)" }
            for (name, value) in route.defaults.sorted(by: { $0.key < $1.key }) {
                details += " default=\(name):\(value)"
            }
            rows.append(
                [
                    route.methods.isEmpty ? "*" : route.methods.joined(separator: "|"), route.fullPattern.text, details,
                ]
                .map { ShownBytes.text(Array($0.utf8)) } + [ShownBytes.text(Array(route.origin.description.utf8))]
            )
        }
        var widths = [0, 0, 0]
        for row in rows {
            for index in widths.indices { widths[index] = min(60, max(widths[index], row[index].unicodeScalars.count)) }
        }
        var result = ""
        for row in rows {
            for index in widths.indices { result += row[index].padded(to: widths[index]) + "  " }
            result += style(row[3], .faint) + "\n"
        }
        return result
    }
}
