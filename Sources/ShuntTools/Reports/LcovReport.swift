/// Coverage as `genhtml` and editors read it (https://ltp.sourceforge.net/coverage/lcov/geninfo.1.php).
package enum LcovReport {
    /// The whole file.
    package static func text(_ coverage: RuleCoverage) -> String {
        var lines: [String] = []
        for (file, content) in CoverageLines(coverage).files.sorted(by: { $0.key < $1.key }) {
            lines += ["TN:", "SF:\(file)"]
            let sorted = content.sorted { $0.key < $1.key }
            var branches = 0
            var taken = 0
            for (number, line) in sorted {
                for (index, isSeen) in line.branches.enumerated() {
                    // Two outcomes make a block.
                    lines.append("BRDA:\(number),\(index / 2),\(index % 2),\(isSeen ? "1" : "0")")
                    branches += 1
                    if isSeen { taken += 1 }
                }
            }
            if branches > 0 { lines += ["BRF:\(branches)", "BRH:\(taken)"] }
            for (number, line) in sorted { lines.append("DA:\(number),\(CoverageLines.isHit(line) ? 1 : 0)") }
            lines.append("LF:\(sorted.count)")
            lines.append("LH:\(sorted.count { CoverageLines.isHit($0.value) })")
            lines.append("end_of_record")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
