import Foundation
import NginxOracle
import TestSettings
import Testing

/// The place where the case files are, and what they hold.
enum ConformanceData {
    static var folder: String { root + "/Tests/Conformance/nginx" }

    /// The root of the repository.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// True if this run writes the case files again instead of checking them: `SHUNT_RECORD_CASES=1`.
    static var records: Bool { TestSettings.recordsCases }

    /// The folder of real configurations, which `SHUNT_CONFIGURATIONS` names.
    static let configurations = TestSettings.configurations

    /// Every rule set of the case files.
    static let cases: [RecordedCase] = ((try? CaseFolder(path: folder).sets) ?? []).enumerated()
        .map { RecordedCase(index: $0.offset, ruleSet: $0.element) }

    /// A report short enough to read.
    static func report(_ differences: [String]) -> String {
        let shown = differences.prefix(40).joined(separator: "\n")
        return differences.count > 40 ? "\(shown)\n... and \(differences.count - 40) more" : shown
    }
}

/// One rule set of the case files: a separate test.
struct RecordedCase: Sendable, CustomTestStringConvertible {
    /// Its place among all of them.
    var index: Int
    var ruleSet: RuleSetCase

    var testDescription: String {
        ruleSet.file.split(separator: "/").last.map { "\($0):\(ruleSet.line)" } ?? ruleSet.place
    }
}
