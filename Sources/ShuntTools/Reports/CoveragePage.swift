import ShuntRules

/// Coverage as one page with the rule files: green what tests reached, red what none did, striped what they saw in part.
package enum CoveragePage {
    /// The page; it needs no other file.
    package static func text(_ coverage: RuleCoverage, of report: TestReport) -> String {
        var page = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Coverage of the rules</title><style>
            body { font: 15px/1.4 sans-serif; margin: 2em; }
            table { border-collapse: collapse; } td, th { padding: .1em 1em .1em 0; text-align: left; }
            pre { line-height: 1.4; } pre span { display: block; min-height: 1.4em; }
            .y { background: #d6f5d6; } .n { background: #f9d0d0; }
            .p { background: repeating-linear-gradient(135deg, #d6f5d6 0 8px, #f9d0d0 8px 16px); }
            i { color: #777; display: inline-block; width: 4em; font-style: normal; } b { color: #900; font-weight: normal; }
            </style></head><body>
            <h1>Coverage of the rules</h1>
            <p>\(report.outcomes.count) tests, \(report.count(.failed)) failed</p>
            <table>

            """
        for kind in RuleCoverage.Kind.allCases {
            let count = coverage.count(kind)
            guard count.all > 0 else { continue }
            page += "<tr><th>\(kind.rawValue)</th><td>\(count.covered) of \(count.all)</td>"
            page += "<td>\(ReportNumbers.decimal(count.percent, 1)) %</td></tr>\n"
        }
        page += "</table>\n"
        let files = CoverageLines(coverage).files
        for file in report.ruleSet.files {
            guard let lines = files[file.name] else { continue }
            page += "<h2>\(XMLText.escaped(file.name))</h2>\n<pre>"
            for (number, bytes) in file.numberedLines {
                let text = XMLText.escaped(String(decoding: bytes, as: UTF8.self))
                page += element(Int(number), text: text, line: lines[Int(number)])
            }
            page += "</pre>\n"
        }
        return page + "</body></html>\n"
    }

    private static func element(_ number: Int, text: String, line: CoverageLines.Line?) -> String {
        guard let line else { return "<span><i>\(number)</i>\(text)</span>" }
        let isWhole = line.missing.isEmpty
        let kind = isWhole ? "y" : CoverageLines.isHit(line) || line.branches.contains(true) ? "p" : "n"
        let note = isWhole ? "" : "  <b>not covered: \(XMLText.escaped(line.missing.joined(separator: "; ")))</b>"
        return "<span class=\"\(kind)\"><i>\(number)</i>\(text)\(note)</span>"
    }
}
