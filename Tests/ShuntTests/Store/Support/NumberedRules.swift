import Shunt

/// Rule sets of several files that all carry one number, so that a mixture shows.
enum NumberedRules {
    static let fileCount = 6

    static func text(_ file: Int, _ number: Int) -> String {
        "set $set\(file) number-\(number);\n"
    }

    static func archive(_ number: Int) -> RuleArchive {
        var files: [String: String] = [:]
        for file in 0..<fileCount { files["\(file)0.conf"] = text(file, number) }
        return RuleArchive(files)
    }

    /// The numbers in a set: one, unless it is a mixture.
    static func numbers(in archive: RuleArchive) -> Set<String> {
        var numbers: Set<String> = []
        for entry in archive.entries.values {
            guard case .file(let bytes) = entry else { continue }
            for part in String(decoding: bytes, as: UTF8.self).split(whereSeparator: { " ;\n".contains($0) })
            where part.hasPrefix("number-") {
                numbers.insert(String(part.dropFirst("number-".count)))
            }
        }
        return numbers
    }
}
