/// The captures of a condition on `%{HTTPS}`, whose values are known.
struct ApacheSecureCaptures {
    /// The groups of the expression where the connection is secure, and where it is not.
    var on: [String]
    var off: [String]

    /// A text with the captures in their places; throws for a capture that has no counterpart.
    func resolved(_ text: ApacheText) throws(Unsaid) -> ApacheText {
        var result = ApacheText(parts: [])
        for part in text.parts {
            switch part {
            case .text(let text): result.append(text)
            case .condition(let number):
                let (on, off) = (value(number, of: on), value(number, of: off))
                if on == off {
                    if !on.isEmpty { result.append(on) }
                } else if case .text(let before)? = result.parts.last, before.hasSuffix("http"), on == "s", off.isEmpty
                {
                    result.parts.removeLast()
                    if before != "http" { result.append(String(before.dropLast(4))) }
                    result.parts.append(.variable("$scheme"))
                } else {
                    throw Unsaid("a capture of %{HTTPS}")
                }
            default: result.parts.append(part)
            }
        }
        return result
    }

    private func value(_ number: Int, of groups: [String]) -> String {
        number < groups.count ? groups[number] : ""
    }
}
