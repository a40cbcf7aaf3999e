package import ShuntCore

/// The time that an answer may be kept.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_headers_module.html#expires
package enum Expiry: Sendable, Equatable {
    /// Not at all, and with a date that is over.
    case never
    /// As long as can be written.
    case always
    /// So many seconds from now.
    case afterNow(Int)
    /// So many seconds from the last change.
    case afterChange(Int)
    /// Until so many seconds after the next midnight, or the last one, whichever is to come.
    case daily(Int)

    /// Reads `[modified] TIME | @TIME | epoch | max | off`.
    ///
    /// - Throws: The problem, for people.
    init?(_ word: [UInt8], isModified: Bool) throws(Problem) {
        if !isModified {
            switch String(decoding: word, as: UTF8.self) {
            case "epoch":
                self = .never
                return
            case "max":
                self = .always
                return
            case "off": return nil
            default: break
            }
        }
        let sign = word.first ?? 0
        if sign == UInt8(ascii: "@") {
            guard !isModified else { throw Problem(text: "a time of the day cannot follow \"modified\"") }
            guard let seconds = ConfigurationUnits.seconds(word[1...]) else { throw .noTime }
            guard seconds <= 86_400 else { throw Problem(text: "a day has 24 hours") }
            self = .daily(seconds)
            return
        }
        let isSigned = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        guard var seconds = ConfigurationUnits.seconds(word[(isSigned ? 1 : 0)...]) else { throw .noTime }
        if sign == UInt8(ascii: "-") { seconds = -seconds }
        self = isModified && seconds != 0 ? .afterChange(seconds) : .afterNow(seconds)
    }

    /// True if it depends on the last change of what is answered.
    package var isAfterChange: Bool { if case .afterChange = self { true } else { false } }

    /// The values of Expires and Cache-Control; `modified` is in seconds, nil where it is unknown.
    package func headers(modified: Int64?, at now: Timestamp) -> (expires: String, cacheControl: String) {
        let time: Int64
        var mayBeKept = true
        switch self {
        case .never: return ("Thu, 01 Jan 1970 00:00:01 GMT", "no-cache")
        case .always: return ("Thu, 31 Dec 2037 23:55:55 GMT", "max-age=315360000")
        case .afterNow(let seconds): time = now.seconds + Int64(seconds)
        case .afterChange(let seconds):
            time = (modified ?? now.seconds) + Int64(seconds)
            mayBeKept = seconds > 0
        case .daily(let seconds): time = LocalDay.next(seconds: seconds, after: now.seconds)
        }
        let age = time - now.seconds
        return (Timestamp(seconds: time).httpDate, mayBeKept && age >= 0 ? "max-age=\(age)" : "no-cache")
    }

    /// The reason why a word is invalid.
    struct Problem: Error {
        let text: String
        static let noTime = Problem(text: "that is not a time")
    }
}

/// `expires`.
package struct ExpiryRule: Sendable {
    /// The time; nil where it is `off`, or a template sets it.
    var expiry: Expiry?
    var template = TemplateIndex.none
    var isModified = false
}
