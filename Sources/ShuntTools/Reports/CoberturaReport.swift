import ShuntCore

/// Coverage as XML in the form of Cobertura.
package enum CoberturaReport {
    /// The whole document.
    package static func text(_ coverage: RuleCoverage) -> String {
        let files = CoverageLines(coverage).files.sorted { $0.key < $1.key }
        let all = files.flatMap { $0.value.values }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<coverage \(rates(all)) version=\"shunt\" timestamp=\"0\">",
            "  <packages>",
            "    <package name=\"rules\" \(rates(all))>",
            "      <classes>",
        ]
        for (file, content) in files {
            let name = XMLText.escaped(file)
            lines.append("        <class name=\"\(name)\" filename=\"\(name)\" \(rates(Array(content.values)))>")
            lines.append("          <methods/>")
            lines.append("          <lines>")
            for (number, line) in content.sorted(by: { $0.key < $1.key }) {
                var element = "            <line number=\"\(number)\" hits=\"\(CoverageLines.isHit(line) ? 1 : 0)\""
                if !line.branches.isEmpty {
                    let seen = line.branches.count { $0 }
                    let percent = seen * 100 / line.branches.count
                    element += " branch=\"true\" condition-coverage=\"\(percent)% (\(seen)/\(line.branches.count))\""
                }
                lines.append(element + "/>")
            }
            lines += ["          </lines>", "        </class>"]
        }
        lines += ["      </classes>", "    </package>", "  </packages>", "</coverage>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func rates(_ lines: [CoverageLines.Line]) -> String {
        let hit = lines.count { CoverageLines.isHit($0) }
        let branches = lines.flatMap(\.branches)
        let taken = branches.count { $0 }
        return "line-rate=\"\(rate(hit, lines.count))\" branch-rate=\"\(rate(taken, branches.count))\" "
            + "lines-covered=\"\(hit)\" lines-valid=\"\(lines.count)\" "
            + "branches-covered=\"\(taken)\" branches-valid=\"\(branches.count)\" complexity=\"0\""
    }

    private static func rate(_ part: Int, _ all: Int) -> String {
        guard all > 0, part < all else { return "1" }
        return "0." + String(part * 1000 / all).paddedWithZeros(to: 3)
    }
}
