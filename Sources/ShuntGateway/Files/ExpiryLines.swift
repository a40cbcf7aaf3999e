#if Gateway
import NIOCore
import Shunt
import ShuntCore
import ShuntRules

extension Expiry {
    /// True if it depends on the last change of what is answered.
    var isAfterChange: Bool { if case .afterChange = self { true } else { false } }

    /// The values of Expires and Cache-Control.
    ///
    /// - Parameters:
    ///   - modified: The seconds of the last change; nil where it is unknown.
    ///   - now: The time.
    /// - Returns: The values.
    func headers(modified: Int64?, at now: Timestamp) -> (expires: String, cacheControl: String) {
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
}

extension ByteBuffer {
    /// Writes the headers that say how long an answer may be kept.
    mutating func write(_ expiry: Expiry, modified: [UInt8]?, at now: Timestamp?) {
        let headers = expiry.headers(modified: modified.flatMap { HTTPTime.seconds($0) }, at: now ?? .now())
        writeHeader("Expires", headers.expires)
        writeHeader("Cache-Control", headers.cacheControl)
    }
}
#endif
