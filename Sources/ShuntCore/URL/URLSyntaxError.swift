/// The reason why bytes are not a URL.
///
/// Offsets count bytes from the start of what was parsed.
@nonexhaustive public enum URLSyntaxError: Error, Sendable, Hashable {
    /// There is nothing to parse.
    case empty
    /// The text has no `scheme:` at its start; it may be a relative reference.
    case missingScheme
    /// A byte that a scheme cannot have is before the first colon.
    case invalidScheme(offset: Int32)
    /// A byte that userinfo cannot have, or a second `@`.
    case invalidUserinfo(offset: Int32)
    /// A byte that a host cannot have, a bad IP literal, or a `[` without its `]`.
    case invalidHost(offset: Int32)
    /// An `http` or `https` URL without `//` before its host.
    case missingAuthority(offset: Int32)
    /// An `http` or `https` URL whose host is empty.
    case emptyHost(offset: Int32)
    /// The host of an `http` or `https` URL has a byte that is not ASCII.
    case nonASCIIHost(offset: Int32)
    /// The host of an `http` or `https` URL has an escape.
    case encodedHost(offset: Int32)
    /// The host of an `http` or `https` URL ends in a number and is not an IPv4 address of four decimal numbers.
    case numericHost(offset: Int32)
    /// The host of an `http` or `https` URL has more than 253 bytes, or a label of more than 63.
    case longHost(offset: Int32)
    /// The port is not a number of at most 65,535.
    case invalidPort(offset: Int32)
    /// A byte below 0x20, or 0x7f.
    case controlByte(offset: Int32)
    /// A space that is not encoded.
    case space(offset: Int32)
    /// There are more than `limit` bytes.
    case tooLong(limit: Int32)

    /// The place where the problem is, if it is at one place.
    public var offset: Int? {
        switch self {
        case .empty, .missingScheme, .tooLong: nil
        case .invalidScheme(let offset), .invalidUserinfo(let offset), .invalidHost(let offset),
            .missingAuthority(let offset), .emptyHost(let offset), .nonASCIIHost(let offset), .encodedHost(let offset),
            .numericHost(let offset), .longHost(let offset), .invalidPort(let offset), .controlByte(let offset),
            .space(let offset):
            Int(offset)
        }
    }
}

extension URLSyntaxError: CustomStringConvertible {
    /// One sentence for people, such as `invalid port at byte 9`.
    public var description: String {
        switch self {
        case .empty: "the URL is empty"
        case .missingScheme: "the URL has no scheme"
        case .invalidScheme(let offset): "invalid scheme at byte \(offset)"
        case .invalidUserinfo(let offset): "invalid user information at byte \(offset)"
        case .invalidHost(let offset): "invalid host at byte \(offset)"
        case .missingAuthority(let offset): "no \"//\" before the host at byte \(offset)"
        case .emptyHost(let offset): "no host at byte \(offset)"
        case .nonASCIIHost(let offset): "a host beyond ASCII at byte \(offset); write it in Punycode, as xn--..."
        case .encodedHost(let offset): "an escape in the host at byte \(offset)"
        case .numericHost(let offset): "an address that is not written as four decimal numbers at byte \(offset)"
        case .longHost(let offset): "a host of more than 253 bytes, or 63 a label, at byte \(offset)"
        case .invalidPort(let offset): "invalid port at byte \(offset)"
        case .controlByte(let offset): "control byte at byte \(offset)"
        case .space(let offset): "space at byte \(offset); write it as %20"
        case .tooLong(let limit): "the URL is longer than \(limit) bytes"
        }
    }
}
