import ShuntCore

/// Coverage by file and line.
struct CoverageLines {
    /// The content of one line.
    struct Line {
        /// True if all rules and places of the line were reached; nil where it has none.
        var isReached: Bool?
        /// True if each outcome of each test of the line was seen.
        var branches: [Bool] = []
        /// The parts of the line that were not reached.
        var missing: [String] = []
    }

    /// The lines by number, by file.
    private(set) var files: [String: [Int: Line]] = [:]

    init(_ coverage: RuleCoverage) {
        for item in coverage.items {
            var line = files[item.location.file]?[item.location.line] ?? Line()
            switch item.kind {
            case .branches: line.branches.append(item.isCovered)
            case .boundaries, .alternatives: break
            case .rules, .entries, .servers, .locations, .routes:
                line.isReached = (line.isReached ?? true) && item.isCovered
            }
            if !item.isCovered {
                line.missing.append(item.kind.rawValue + (item.part.map { ": \($0)" } ?? ""))
            }
            files[item.location.file, default: [:]][item.location.line] = line
        }
    }

    /// Returns true if a line with branches or places counts as reached: by a rule, or by an outcome that was seen.
    static func isHit(_ line: Line) -> Bool { line.isReached ?? line.branches.contains(true) }
}
