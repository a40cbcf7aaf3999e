import Foundation
import NginxOracle

/// Where the case files are.
enum ConformanceData {
    static var folder: String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Conformance/nginx").path
    }

    /// Whether this run writes the case files anew instead of checking them: `SHUNT_RECORD_CASES=1`.
    static var records: Bool { ProcessInfo.processInfo.environment["SHUNT_RECORD_CASES"] == "1" }

    /// A report short enough to read.
    static func report(_ differences: [String]) -> String {
        let shown = differences.prefix(40).joined(separator: "\n")
        return differences.count > 40 ? "\(shown)\n... and \(differences.count - 40) more" : shown
    }
}
