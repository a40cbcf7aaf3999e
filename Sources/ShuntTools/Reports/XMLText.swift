/// Text in XML and HTML.
package enum XMLText {
    /// The text as the content of an element, or between double quotes.
    ///
    /// What XML 1.0 has no place for becomes a replacement character.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result += "&#\(scalar.value);"
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xfffe && scalar.value != 0xffff
                result.unicodeScalars.append(isAllowed ? scalar : "\u{fffd}")
            }
        }
        return result
    }
}
