#if Command && Fleet
import ShuntCore
import ShuntFleet
import ShuntTools

/// The releases of each node over time, as one page of HTML without other files.
///
/// Each column goes from one entry of the history to the next, however long that was: a rollout of a minute is seen as well as
/// the week before it. Within a column time goes evenly.
struct FleetPicture {
    private static let columnWidth = 104.0
    private static let nameWidth = 150.0
    private static let headHeight = 46.0

    private let timeline: FleetTimeline
    /// The times between the columns.
    private let borders: [Timestamp]
    private let rowHeight: Double

    init(_ timeline: FleetTimeline) {
        self.timeline = timeline
        borders = timeline.entries.map(\.at) + [timeline.now]
        // Names are for as many nodes as someone reads; the pointer has the others.
        rowHeight = timeline.rows.count <= 100 ? 16 : 4
    }

    /// The page; it is seen from its right end on, where the newest is.
    var html: String {
        let report = timeline.report
        let title = "Releases of \(report.release.namespace)"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(XMLText.escaped(title))</title>
            <style>
            :root { color-scheme: light dark; font: 14px system-ui, sans-serif; }
            body { margin: 2em; } pre { font-size: 12px; } svg { font-size: 11px; } svg text { fill: currentColor; }
            .picture { display: flex; } .picture > svg { flex: none; }
            .scroll { min-width: 0; overflow-x: auto; direction: rtl; } .scroll svg { direction: ltr; } .entry { stroke: currentColor; stroke-opacity: .35; } .silent { fill-opacity: .35; }
            .refused { stroke: #d00; stroke-width: 3; } i { display: inline-block; width: 1em; height: 1em; }
            </style></head><body>
            <h1>\(XMLText.escaped(title))</h1>
            <pre>\(XMLText.escaped(FleetText.status(report)))</pre>
            \(legend)
            <div class="picture">\(names)<div class="scroll">\(drawing)</div></div>
            <p>Each column goes from one entry of the history to the next. The release of a node before the earliest one of its row is not \
            known. Pale: the node is silent. Red: it refused a release. Times are in UTC, times of nodes by their own clocks.</p>
            </body></html>

            """
    }

    // MARK: The drawing

    private var width: Double { Double(borders.count - 1) * Self.columnWidth + 10 }
    private var height: Double { Self.headHeight + Double(timeline.rows.count) * rowHeight + 4 }

    private var drawing: String {
        var lines: [String] = []
        for (index, row) in timeline.rows.enumerated() { lines += drawn(row, at: place(ofRow: index)) }
        for (index, entry) in timeline.entries.enumerated() { lines.append(drawn(entry, at: index)) }
        return svg(width, lines)
    }

    /// The names of the nodes, which stay where they are when the rest is scrolled.
    private var names: String {
        guard rowHeight > 10 else { return "" }
        let texts = timeline.rows.enumerated()
            .map { index, row in
                #"<text x="0" y="\#(number(place(ofRow: index) + 12))">\#(XMLText.escaped(row.node))</text>"#
            }
        return svg(Self.nameWidth, texts)
    }

    private func svg(_ width: Double, _ lines: [String]) -> String {
        let size = #"width="\#(Int(width))" height="\#(Int(height))""#
        let head = #"<svg xmlns="http://www.w3.org/2000/svg" \#(size) role="img">"#
        return ([head] + lines + ["</svg>"]).joined(separator: "\n")
    }

    private func drawn(_ row: FleetTimeline.Row, at y: Double) -> [String] {
        let name = XMLText.escaped(row.node)
        var lines: [String] = []
        for span in row.spans where span.release > 0 {
            let (start, end) = (place(of: span.start), place(of: span.end ?? timeline.now))
            let isSilent = !row.isAlive && span.end == nil
            let until = span.end.map { "to \(Self.shown($0))" } ?? (isSilent ? "and then nothing" : "until now")
            let title = "\(name): release \(span.release) from \(Self.shown(span.start)) \(until)"
            lines.append(
                #"<rect\#(isSilent ? #" class="silent""# : "") x="\#(number(start))" y="\#(number(y + 1))" "#
                    + #"width="\#(number(max(2, end - start)))" height="\#(number(rowHeight - 1))" "#
                    + #"fill="\#(Self.colour(span.release))"><title>\#(title)</title></rect>"#
            )
        }
        for refusal in row.refusals {
            let x = number(place(of: refusal.date))
            let reason = refusal.reason.isEmpty ? "" : ": \(XMLText.escaped(refusal.reason.firstLine))"
            let title = "\(name): release \(refusal.release) \(refusal.state.rawValue)\(reason)"
            lines.append(
                #"<line class="refused" x1="\#(x)" x2="\#(x)" y1="\#(number(y + 1))" y2="\#(number(y + rowHeight))">"#
                    + "<title>\(title)</title></line>"
            )
        }
        return lines
    }

    private func drawn(_ entry: HistoryEntry, at index: Int) -> String {
        let x = Double(index) * Self.columnWidth
        let what = entry.stage.map { "stage \($0 + 1)" } ?? entry.action.rawValue
        let reason = entry.reason.isEmpty ? "" : ": \(entry.reason)"
        let title = "\(Self.shown(entry.at)) \(entry.by)\(reason)"
        // Without the year, the letters and the zone there is room for it in a column.
        let time = Self.shown(entry.at).dropFirst(5).dropLast().map { $0 == "T" ? " " : String($0) }.joined()
        let texts = ["\(entry.sequence) \(what)", time]
            .enumerated()
            .map { #"<text x="\#(number(x + 3))" y="\#(12 + 15 * $0.offset)">\#(XMLText.escaped($0.element))</text>"# }
        return #"<g><title>\#(XMLText.escaped(title))</title>\#(texts.joined())"#
            + #"<line class="entry" x1="\#(number(x))" x2="\#(number(x))" y1="0" y2="\#(number(height))"/></g>"#
    }

    private var legend: String {
        let releases = Set(timeline.rows.flatMap { $0.spans.map(\.release) }).subtracting([0]).sorted(by: >)
        let items = releases.map { number in
            let release = timeline.entries.last { $0.sequence == number && $0.release != nil }?.release
            let what = release.map { " by \($0.author)" + ($0.message.isEmpty ? "" : ": \($0.message)") } ?? ""
            let text = XMLText.escaped("release \(number)\(what)")
            return #"<li><i style="background: \#(Self.colour(number))"></i> \#(text)</li>"#
        }
        return items.isEmpty ? "" : "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
    }

    // MARK: Places

    private func place(ofRow index: Int) -> Double { Self.headHeight + Double(index) * rowHeight }

    /// The place where a moment is; what was before the first entry is there where that is.
    private func place(of date: Timestamp) -> Double {
        guard let first = borders.first, date > first else { return 0 }
        for (index, (start, end)) in zip(borders, borders.dropFirst()).enumerated() where date <= end {
            let length = Self.seconds(from: start, to: end)
            let part = length > 0 ? Self.seconds(from: start, to: date) / length : 0
            return (Double(index) + min(1, max(0, part))) * Self.columnWidth
        }
        return width - 10
    }

    private static func seconds(from start: Timestamp, to end: Timestamp) -> Double {
        Double(end.seconds - start.seconds) + Double(end.nanoseconds - start.nanoseconds) / 1e9
    }

    /// A colour that differs from those of the releases next to it.
    private static func colour(_ release: Int) -> String { "hsl(\(release % 360 * 137 % 360) 55% 52%)" }

    private static func shown(_ date: Timestamp) -> String { Timestamp(seconds: date.seconds).description }

    private func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
#endif
