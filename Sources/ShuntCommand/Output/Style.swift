import Shunt

/// How parts of a text for people stand out, where the terminal can show it.
struct Style {
    /// What a part of the text says.
    enum Role: String {
        case heading = "1"
        case faint = "2"
        case good = "32"
        case changed = "36"
        case stopped = "33"
        case bad = "31"
    }

    /// Whether there are colours at all.
    var usesColor: Bool

    /// The text with the escapes of its role around it.
    func callAsFunction(_ text: String, _ role: Role) -> String {
        usesColor ? "\u{1b}[\(role.rawValue)m\(text)\u{1b}[0m" : text
    }

    /// The role of a kind of decision.
    static func role(of action: Decision.Action) -> Role {
        switch action {
        case .forward: .good
        case .redirect, .degrade: .changed
        case .respond, .block: .stopped
        case .fail: .bad
        }
    }
}

extension String {
    /// The text with spaces behind it up to a width.
    ///
    /// Counts characters, which is as good as columns for most URLs.
    func padded(to width: Int) -> String {
        let count = unicodeScalars.count
        return count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
