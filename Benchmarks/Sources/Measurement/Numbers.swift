import Foundation

/// Numbers as people read them.
public enum Numbers {
    /// Nanoseconds with a unit and about three digits.
    public static func time(_ nanoseconds: Double) -> String {
        switch abs(nanoseconds) {
        case ..<9.95: String(format: "%.1f ns", nanoseconds)
        case ..<999.5: String(format: "%.0f ns", nanoseconds)
        case ..<9995: String(format: "%.2f µs", nanoseconds / 1e3)
        case ..<99_950: String(format: "%.1f µs", nanoseconds / 1e3)
        case ..<999_500: String(format: "%.0f µs", nanoseconds / 1e3)
        case ..<999_500_000: String(format: "%.2f ms", nanoseconds / 1e6)
        default: String(format: "%.2f s", nanoseconds / 1e9)
        }
    }

    /// A whole number with commas.
    public static func count(_ number: Int) -> String {
        let digits = Array(String(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Bytes as mebibytes.
    public static func size(_ bytes: Int) -> String {
        String(format: "%.1f MiB", Double(bytes) / 1_048_576)
    }

    /// A number with about three digits.
    public static func plain(_ number: Double) -> String {
        switch abs(number) {
        case ..<10: String(format: "%.2f", number)
        case ..<100: String(format: "%.1f", number)
        default: count(Int(number.rounded()))
        }
    }
}
