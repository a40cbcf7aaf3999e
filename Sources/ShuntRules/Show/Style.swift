/// The emphasis of parts of a text, if the terminal can show it.
package struct Style {
    package enum Role: String {
        case heading = "1"
        case faint = "2"
        case good = "32"
        case changed = "36"
        case stopped = "33"
        case bad = "31"
    }

    /// True if there are colours at all.
    package var usesColor: Bool

    package init(usesColor: Bool) { self.usesColor = usesColor }

    /// The text with the escapes of its role around it.
    package func callAsFunction(_ text: String, _ role: Role) -> String {
        usesColor ? "\u{1b}[\(role.rawValue)m\(text)\u{1b}[0m" : text
    }

    package static func role(of kind: Decision.Kind) -> Role {
        switch kind {
        case .forward: .good
        case .redirect, .degrade: .changed
        case .respond, .block: .stopped
        case .fail: .bad
        }
    }
}

extension String {
    /// The text with spaces after it up to a width.
    ///
    /// Counts characters, which is as good as columns for most URLs.
    package func padded(to width: Int) -> String {
        let count = unicodeScalars.count
        return count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
