import Foundation
import Measurement

/// The cost of a decision in each set, as bars on a logarithmic scale, as an SVG image.
struct SetPlot {
    var results: SetResults

    private let left = 290.0
    private let width = 560.0
    private let rowHeight = 46.0
    private let top = 44.0
    private static let bars: [(name: String, colour: String, value: @Sendable (SetResult) -> Double?)] = [
        ("Shunt", "#d55e00", { $0.measurement.nanoseconds }),
        ("Shunt, caches emptied", "#e9a87c", { $0.measurement.cold }),
        ("nginx, what the rules add", "#009e73", { $0.nginx?.nanoseconds }),
    ]

    private var sets: [SetResult] { results.sets.filter { !$0.isForLoading && !$0.isPart } }

    var svg: String {
        let bottom = top + rowHeight * Double(sets.count)
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(left + width + 90)) \(Int(bottom + 30))" \
            font-family="sans-serif" font-size="12" fill="#222222">
            <title>Cost of a decision by rules as people write them</title>
            <rect width="100%" height="100%" fill="white"/>

            """
        for (power, name) in zip(1...6, ["10 ns", "100 ns", "1 µs", "10 µs", "100 µs", "1 ms"]) {
            let x = x(pow(10, Double(power)))
            text += String(format: "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#dddddd\"/>\n", x, top - 6, bottom)
            text += label(x, bottom + 18, name, "middle")
        }
        var place = left
        for bar in Self.bars {
            text += "<rect x=\"\(place)\" y=\"14\" width=\"12\" height=\"12\" fill=\"\(bar.colour)\"/>\n"
            text += label(place + 18, 24, bar.name, "start")
            place += 60 + 6.5 * Double(bar.name.count)
        }
        for (index, set) in sets.enumerated() {
            let y = top + rowHeight * Double(index)
            text += label(left - 10, y + 22, set.title, "end")
            for (number, bar) in Self.bars.enumerated() {
                guard let value = bar.value(set), value > 0 else { continue }
                let y = y + 2 + 12 * Double(number)
                let end = max(left + 2, x(value))
                text += String(
                    format: "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"11\" fill=\"%@\"/>\n",
                    left,
                    y,
                    end - left,
                    bar.colour
                )
                text += label(end + 5, y + 10, Numbers.time(value), "start")
            }
        }
        return text + "</svg>\n"
    }

    private func x(_ nanoseconds: Double) -> Double {
        left + (log10(nanoseconds) - 1) / 5 * width
    }

    private func label(_ x: Double, _ y: Double, _ text: String, _ anchor: String) -> String {
        let escaped = text.replacingOccurrences(of: "&", with: "&amp;")
        return String(format: "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"\(anchor)\">", x, y) + escaped + "</text>\n"
    }
}
