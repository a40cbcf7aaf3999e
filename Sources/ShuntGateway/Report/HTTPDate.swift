#if Gateway
import Shunt

/// Times as HTTP writes them.
///
/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "01": "Jan", "02": "Feb", "03": "Mar", "04": "Apr", "05": "May", "06": "Jun", "07": "Jul", "08": "Aug",
        "09": "Sep", "10": "Oct", "11": "Nov", "12": "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ time: Timestamp) -> String {
        // 1970-01-01 was a Thursday. The text is `YYYY-MM-DDTHH:MM:SS` and more for every year of four digits.
        let parts = time.iso8601().split(separator: "T", maxSplits: 1)
        guard parts.count == 2 else { return "" }
        let date = parts[0].split(separator: "-")
        guard date.count == 3, let month = months[String(date[1])] else { return "" }
        let days = Int(time.seconds / 86_400)
        return "\(weekdays[((days % 7) + 7) % 7]), \(date[2]) \(month) \(date[0]) \(parts[1].prefix(8)) GMT"
    }
}
#endif
