import ShuntCore
import ShuntRules

/// A list of redirects without the rows that cannot be used, and with the last target in the rows of chains.
package struct RedirectListFix {
    /// The text of the list.
    package private(set) var bytes: [UInt8] = []
    /// The changes, one a line.
    package private(set) var changes: [String] = []

    /// Reads a list; one in JSON stays unchanged.
    package init(_ source: FormatSource) {
        let file = RuleFile(name: source.name, bytes: source.bytes)
        var rows: [RedirectRow] = []
        var text: [UInt8] = []
        var builder = RedirectListBuilder(file, RedirectListOptions()) { row, bytes in
            rows.append(row)
            if text.count != bytes.count { text = bytes }
        }
        _ = builder.build(file: 0, position: .none)
        bytes = source.bytes
        guard !builder.form.isJSON else { return }
        var end = source.bytes.count
        for finding in builder.findings.reversed() {
            let row = rows[finding.row]
            let place = "\(source.name):\(row.line)"
            if finding.problem.isHarmless {
                let target = text[rows[finding.other].to.indices]
                guard Int(row.to.end) <= end else { continue }
                bytes.replaceSubrange(row.to.indices, with: target)
                changes.append("\(place): the target is now \(String(decoding: target, as: UTF8.self))")
            } else {
                bytes.removeSubrange(row.extent.indices)
                changes.append("\(place): removed: this row \(finding.problem.message)")
            }
            end = Int(row.extent.start)
        }
        changes.reverse()
    }
}
