/// The captures of a condition on `%{HTTPS}`, whose values are known.
struct ApacheSecureCaptures {
    /// The groups of the expression where the connection is secure, and where it is not.
    var on: [String]
    var off: [String]

    /// A text with the captures in their places.
    ///
    /// - Throws: `Unsaid` for a capture that has no counterpart.
    func resolved(_ text: ApacheText) throws(Unsaid) -> ApacheText {
        var result = ""
        var parts: [ApacheText.Part] = []
        for part in text.parts {
            switch part {
            case .text(let text): result += text
            case .condition(let number):
                let (on, off) = (value(number, of: on), value(number, of: off))
                if on == off {
                    result += on
                } else if result.hasSuffix("http"), on == "s", off.isEmpty {
                    result.removeLast(4)
                    if !result.isEmpty { parts.append(.text(result)) }
                    result = ""
                    parts.append(.variable("$scheme"))
                } else {
                    throw Unsaid("a capture of %{HTTPS}")
                }
            default:
                if !result.isEmpty { parts.append(.text(result)) }
                result = ""
                parts.append(part)
            }
        }
        return ApacheText(parts: result.isEmpty ? parts : parts + [.text(result)])
    }

    private func value(_ number: Int, of groups: [String]) -> String {
        number < groups.count ? groups[number] : ""
    }
}
