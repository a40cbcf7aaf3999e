import ShuntCore

/// Numbers as reports write them.
package enum ReportNumbers {
    /// A number with so many digits after the point.
    package static func decimal(_ value: Double, _ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((value * scale).rounded())
        guard digits > 0 else { return "\(scaled)" }
        return "\(scaled / Int(scale))." + String(scaled % Int(scale)).paddedWithZeros(to: digits)
    }

    /// Seconds with six digits after the point, of nanoseconds.
    package static func seconds(_ nanoseconds: Int) -> String {
        let microseconds = nanoseconds / 1000
        return "\(microseconds / 1_000_000)." + String(microseconds % 1_000_000).paddedWithZeros(to: 6)
    }
}
