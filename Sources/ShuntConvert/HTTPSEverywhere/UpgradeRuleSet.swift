import Foundation

/// One rule set of HTTPS Everywhere, which takes URLs of some hosts from http to https.
///
/// The meaning is that of the browser extension (https://github.com/EFForg/https-everywhere, `rules.js`).
struct UpgradeRuleSet: Decodable {
    /// A regular expression and what takes the place of its match.
    struct Rule: Decodable {
        var from: String
        var to: String
    }

    /// The file it came from.
    var file: String
    /// The hosts it is for: names, with `*` for labels.
    var targets: [String]
    /// Regular expressions of URLs that it leaves alone.
    var exclusions: [String]
    /// Its rules: the first that changes the URL is applied.
    var rules: [Rule]
    /// The reason why it is switched off.
    var reason: String?
    /// The only platform it is for.
    var platform: String?

    private enum CodingKeys: String, CodingKey {
        case file
        case targets
        case exclusions
        case rules
        case reason = "default_off"
        case platform
    }

    /// True if the extension uses it without being told to.
    var isActive: Bool { reason == nil && platform == nil }

    /// Reads the lines of a file of JSON objects, one a rule set.
    static func read(_ path: String) throws -> [UpgradeRuleSet] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let decoder = JSONDecoder()
        return try data.split(separator: UInt8(ascii: "\n")).enumerated()
            .map { number, line in
                do {
                    return try decoder.decode(UpgradeRuleSet.self, from: line)
                } catch {
                    throw ConversionError("\(path):\(number + 1): this is not a rule set: \(error)")
                }
            }
    }
}

/// The reason why something cannot be converted.
struct ConversionError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}
