import Foundation
import Measurement

/// Cost against the number of rules, both logarithmic, as an SVG image: a panel for each set of rules and kind of URL.
struct Plot {
    var results: Results

    private let panelWidth = 400.0
    private let panelHeight = 260.0
    private let left = 62.0
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
    /// The contestants that are drawn, with colours that people tell apart who cannot tell red from green.
    private static let lines = [
        ("Shunt", "#d55e00"), ("nginx", "#009e73"), ("nginx, pcre_jit on", "#56b4e9"), ("HAProxy map", "#cc79a7"),
        ("PCRE2 loop", "#999999"), ("RE2::Set", "#0072b2"), ("Hyperscan", "#222222"),
    ]

    /// The image.
    var svg: String {
        let width = 2 * (left + panelWidth + 20)
        let height = 2 * (top + panelHeight + gap) + 40
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            font-family="sans-serif" font-size="12" fill="#222222">
            <title>Cost of a lookup against the number of rules</title>
            <rect width="100%" height="100%" fill="white"/>

            """
        for (index, panel) in Self.panels.enumerated() {
            let x = left + Double(index % 2) * (left + panelWidth + 20)
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
            let points = results.entries
                .filter {
                    $0.workload == workload && $0.urls == urls && $0.contestant == contestant
                        && $0.nanoseconds.median >= 10
                }
                .map { (x(Double($0.rules)), y($0.nanoseconds.median)) }.sorted { $0.0 < $1.0 }
            guard !points.isEmpty else { continue }
            let path = points.map { String(format: "%.1f,%.1f", $0.0, $0.1) }.joined(separator: " ")
            let thickness = contestant == "Shunt" ? 3.5 : 1.8
            text += "<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"\(thickness)\"/>\n"
            for point in points {
                let place = String(format: "cx=\"%.1f\" cy=\"%.1f\"", point.0, point.1)
                text += "<circle \(place) r=\"\(thickness)\" fill=\"\(colour)\"/>\n"
            }
        }
        return text
    }

    private func legend(at y: Double) -> String {
        var text = ""
        var x = left
        for (contestant, colour) in Self.lines {
            text += "<rect x=\"\(x)\" y=\"\(y)\" width=\"22\" height=\"5\" fill=\"\(colour)\"/>\n"
            text += label(x + 28, y + 7, contestant, "start")
            x += 56 + 7 * Double(contestant.count)
        }
        return text
    }

    private func x(_ rules: Double) -> Double {
        (log10(rules) - 1) / 4 * panelWidth
    }

    private func y(_ nanoseconds: Double) -> Double {
        panelHeight - (log10(nanoseconds) - 1) / 6 * panelHeight
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String) -> String {
        String(format: "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"\(colour)\"/>\n", x1, y1, x2, y2)
    }

    private func label(_ x: Double, _ y: Double, _ text: String, _ anchor: String, _ style: String = "") -> String {
        String(format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"\(anchor)\"\(style)>", x, y) + text + "</text>\n"
    }
}
