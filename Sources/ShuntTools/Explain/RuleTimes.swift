import Shunt

/// The moments and times of day that the text of rule files names.
struct RuleTimes {
    /// Moments, in seconds since 1970.
    private(set) var moments: Set<Int64> = []
    /// Times of day, in seconds since midnight.
    private(set) var timesOfDay: Set<Int64> = []

    init(_ archive: RuleArchive) {
        for case .file(let bytes) in archive.entries.values {
            for line in DirectiveLine.directives(of: bytes) where line.text.utf8.contains(where: \.isASCIIDigit) {
                let words = line.text.utf8.split { " \"'();".utf8.contains($0) }
                for word in words { add(String(Substring(word))) }
            }
        }
    }

    private mutating func add(_ word: String) {
        if let moment = try? Timestamp(word) {
            moments.insert(moment.seconds)
        } else if word.utf8.count == 10, let seconds = Int64(word) {
            // Seconds since 1970 have ten digits until the year 2286.
            moments.insert(seconds)
        } else {
            // "09:00-17:30" names two.
            for part in word.split(separator: "-") {
                if let time = Self.timeOfDay(part) { timesOfDay.insert(time) }
            }
        }
    }

    private static func timeOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard (2...3).contains(parts.count), (0...24).contains(parts[0]),
            parts.dropFirst().allSatisfy({ (0...59).contains($0) })
        else { return nil }
        return parts[0] * 3_600 + parts[1] * 60 + (parts.count > 2 ? parts[2] : 0)
    }
}
