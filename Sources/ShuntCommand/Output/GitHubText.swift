/// Text in workflow commands of GitHub, where some characters mean something.
enum GitHubText {
    /// The text after the `::` of a command.
    static func message(_ text: String) -> String { escaped(text, "%\r\n") }

    /// The value of a property of a command.
    static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

    private static func escaped(_ text: String, _ special: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if special.unicodeScalars.contains(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "%" + (digits.count < 2 ? "0" : "") + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
