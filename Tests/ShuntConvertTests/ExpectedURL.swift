import Foundation
import Shunt

@testable import ShuntConvert

/// A URL and what rules are expected to make of it.
struct ExpectedURL: Decodable {
    var url: String
    /// Nil for a URL that stays as it is.
    var expected: String?
    /// The file of the rule set that is asked alone, where that is so.
    var ruleset: String?

    /// Reads the lines of a file of JSON objects; spaces, which no URL has, become `%20`.
    static func read(_ path: String) throws -> [ExpectedURL] {
        let decoder = JSONDecoder()
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { throw ConversionError("\(path) is empty") }
        return try lines.map { line in
            var result = try decoder.decode(ExpectedURL.self, from: line)
            result.url = result.url.replacing(" ", with: "%20")
            result.expected = result.expected?.replacing(" ", with: "%20")
            return result
        }
    }

    /// What an engine does otherwise than expected; nil when it agrees.
    func difference(by engine: Engine) -> String? {
        let decision = engine.decide(RuleRequest(url: url))
        let made = decision.url.map { String(decoding: $0, as: UTF8.self) }
        guard decision.kind != .forward || made != expected ?? url else { return nil }
        let outcome = decision.kind == .forward ? made ?? "" : "\(decision.kind) \(decision.reason ?? "")"
        let place = decision.rule.map { " by \($0.file):\($0.line)" } ?? ""
        return "\(url)\n    expected \(expected ?? "no change")\n    got \(outcome)\(place)"
    }
}
