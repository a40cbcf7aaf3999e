/// The name of a `location`: its modifier and its text.
package struct LocationName: Sendable, Hashable {
    package var modifier: LocationModifier
    /// The path, the prefix, the expression, or the name with its `@`.
    package var text: [UInt8]
    /// The index of the argument with the text.
    package var argument: Int
    /// The place where in the bytes of that argument it begins.
    package var offset: Int

    /// Reads the arguments of a `location`, of which there are one or two; nil when the first of two is not a modifier.
    ///
    /// As in nginx a single argument may have the modifier in front, with or without quotes: `=/x`, `"= /x"`.
    package init?(_ arguments: [Word]) {
        guard let first = arguments.first else { return nil }
        if arguments.count > 1 {
            let written = String(decoding: first.bytes, as: UTF8.self)
            guard let modifier = LocationModifier(rawValue: written), modifier != .prefix, modifier != .named else {
                return nil
            }
            self.modifier = modifier
            text = arguments[1].bytes
            argument = 1
            offset = 0
            return
        }
        let glued: [LocationModifier] = [.exact, .prefixBeforeRegex, .caselessRegex, .regex]
        modifier = glued.first { first.bytes.starts(with: $0.rawValue.utf8) } ?? .prefix
        offset = modifier.rawValue.utf8.count
        text = Array(first.bytes.dropFirst(offset))
        argument = 0
        if modifier == .prefix, text.first == UInt8(ascii: "@") { modifier = .named }
    }

    /// The location as a message names it.
    package var description: String {
        let written = String(decoding: text, as: UTF8.self)
        switch modifier {
        case .prefix, .named: return "location \(shown(text))"
        default: return "location \(shown("\(modifier.rawValue) \(written)".utf8))"
        }
    }
}
