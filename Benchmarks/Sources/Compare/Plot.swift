import Foundation
import Measurement

/// Cost against the number of rules, both logarithmic, as an SVG image: a panel for each set of rules and kind of URL.
struct Plot {
    var results: Results

    private let panelWidth = 400.0
    private let panelHeight = 260.0
    private let left = 62.0
    private let right = 34.0
    private let top = 34.0
    private let gap = 40.0
    private static let panels = [
        ("prefixes", "miss-near"), ("mixed", "miss-near"), ("prefixes", "hit-any"), ("mixed", "hit-any"),
    ]
    private static let titles = [
        "prefixes miss-near": "Prefix rules, no rule matches",
        "mixed miss-near": "Mixed rules, no rule matches",
        "prefixes hit-any": "Prefix rules, a rule matches",
        "mixed hit-any": "Mixed rules, a rule matches",
    ]
    /// The contestants that are drawn, with colours that people distinguish who cannot distinguish red and green.
    private static let lines = [
        ("Shunt", "#d55e00"), ("nginx", "#009e73"), ("nginx, pcre_jit on", "#56b4e9"), ("HAProxy map", "#cc79a7"),
        ("PCRE2 loop", "#999999"), ("RE2::Set", "#0072b2"), ("Hyperscan", "#222222"),
    ]

    /// The image.
    var svg: String {
        let width = 2 * (left + panelWidth + right)
        let height = 2 * (top + panelHeight + gap) + 40
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            font-family="sans-serif" font-size="12" fill="#222222">
            <title>Cost of a lookup against the number of rules</title>
            <rect width="100%" height="100%" fill="white"/>

            """
        for (index, panel) in Self.panels.enumerated() {
            let x = left + Double(index % 2) * (left + panelWidth + right)
            let y = top + Double(index / 2) * (top + panelHeight + gap)
            text += "<g transform=\"translate(\(x) \(y))\">\n" + draw(panel.0, panel.1) + "</g>\n"
        }
        return text + legend(at: height - 26) + "</svg>\n"
    }

    private func draw(_ workload: String, _ urls: String) -> String {
        var text = label(
            panelWidth / 2,
            -12,
            Self.titles["\(workload) \(urls)"] ?? "",
            "middle",
            " font-weight=\"bold\""
        )
        for power in 1...5 {
            let x = x(pow(10, Double(power)))
            text += line(x, 0, x, panelHeight, "#dddddd")
            text += label(x, panelHeight + 16, Numbers.count(Int(pow(10, Double(power)))), "middle")
        }
        for (power, name) in zip(1...7, ["10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms"]) {
            let y = y(pow(10, Double(power)))
            text += line(0, y, panelWidth, y, "#dddddd")
            text += label(-6, y + 4, name, "end")
        }
        text += label(panelWidth / 2, panelHeight + 32, "rules", "middle")
        for (contestant, colour) in Self.lines.reversed() {
            let costs = results.entries
                .filter {
                    $0.workload == workload && $0.urls == urls && $0.contestant == contestant
                }
                .map { ($0.rules, $0.nanoseconds.median) }
            guard contestant == "Shunt" else {
                text += curve(costs, colour, thickness: 1.8)
                continue
            }
            text += curve(costs, colour, thickness: 3.5)
            // What the other libraries do.
            let index = costs.compactMap { count, _ in
                results.median(workload, count, urls, TableContestant.index).map { (count, $0) }
            }
            text += curve(index, colour, thickness: 2, style: " stroke-dasharray=\"6 4\"")
        }
        return text
    }

    /// A line through the costs that the panel has room for.
    private func curve(_ costs: [(Int, Double)], _ colour: String, thickness: Double, style: String = "") -> String {
        let points = costs.filter { $0.1 >= 10 }.sorted { $0.0 < $1.0 }.map { (x(Double($0.0)), y($0.1)) }
        guard !points.isEmpty else { return "" }
        let path = points.map { String(format: "%.1f,%.1f", $0.0, $0.1) }.joined(separator: " ")
        var text =
            "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(thickness)\"\(style)/>\n"
        for point in points {
            let place = String(format: "cx=\"%.1f\" cy=\"%.1f\"", point.0, point.1)
            text += "<circle \(place) r=\"\(thickness)\" fill=\"\(colour)\"/>\n"
        }
        return text
    }

    private func legend(at y: Double) -> String {
        var text = ""
        var x = left
        for (contestant, colour) in Self.lines {
            text += "<rect x=\"\(x)\" y=\"\(y)\" width=\"22\" height=\"5\" fill=\"\(colour)\"/>\n"
            text += label(x + 28, y + 7, contestant, "start")
            x += 50 + 6.5 * Double(contestant.count)
            guard contestant == "Shunt" else { continue }
            text += line(x, y + 2.5, x + 22, y + 2.5, colour, " stroke-width=\"2\" stroke-dasharray=\"6 4\"")
            text += label(x + 28, y + 7, TableContestant.index, "start")
            x += 156
        }
        return text
    }

    private func x(_ rules: Double) -> Double {
        (log10(rules) - 1) / 4 * panelWidth
    }

    private func y(_ nanoseconds: Double) -> Double {
        panelHeight - (log10(nanoseconds) - 1) / 6 * panelHeight
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, _ style: String = "")
        -> String
    {
        let place = String(format: "x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", x1, y1, x2, y2)
        return "<line \(place) stroke=\"\(colour)\"\(style)/>\n"
    }

    private func label(_ x: Double, _ y: Double, _ text: String, _ anchor: String, _ style: String = "") -> String {
        String(format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"\(anchor)\"\(style)>", x, y) + text + "</text>\n"
    }
}
