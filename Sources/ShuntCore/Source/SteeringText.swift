/// The characters that a terminal obeys although they are neither ASCII nor visible: C1 controls, and marks that turn the
/// direction of text.
package enum SteeringText {
    /// The character of this kind that begins at an offset of valid UTF-8; nil for others.
    package static func scalar(in text: borrowing Span<UInt8>, at index: Int) -> (scalar: UInt16, length: Int)? {
        let lead = text[index]
        guard lead == 0xc2 || lead == 0xd8 || lead == 0xe2, index + 1 < text.count else { return nil }
        let second = UInt16(text[index + 1] & 0x3f)
        guard lead == 0xe2 else {
            let scalar = UInt16(lead & 0x1f) << 6 | second
            return (0x80...0x9f).contains(scalar) || scalar == 0x61c ? (scalar, 2) : nil
        }
        guard index + 2 < text.count else { return nil }
        let scalar = 0x2000 | (second << 6 | UInt16(text[index + 2] & 0x3f)) & 0xfff
        switch scalar {
        case 0x200e, 0x200f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: return (scalar, 3)
        default: return nil
        }
    }
}
