import ShuntCore

/// Numbers as reports write them.
package enum ReportNumbers {
    /// A number with one digit after the point.
    package static func oneDigit(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Seconds with six digits after the point, of nanoseconds.
    package static func seconds(_ nanoseconds: Int) -> String {
        let microseconds = nanoseconds / 1000
        return "\(microseconds / 1_000_000)." + String(microseconds % 1_000_000).paddedWithZeros(to: 6)
    }
}
