/// The reason why a request target is refused.
///
/// In HTTP each is a 400 (`tooLong` a 414). Offsets count from the target's start.
package enum RequestTargetError: Error, Sendable, Hashable {
    /// There is nothing to parse.
    case empty
    /// There are more than `limit` bytes.
    case tooLong(limit: Int32)
    /// It starts neither with `/` nor with `scheme://`.
    case invalidForm(offset: Int32)
    /// The host or port of an absolute-form target holds a byte that it cannot have.
    case invalidHost(offset: Int32)
    /// The host of an absolute-form target is empty or has two dots in a row.
    case refusedHost(HostNameError)
    /// A byte below 0x20, or 0x7f.
    case controlByte(offset: Int32)
    /// A raw space.
    case space(offset: Int32)
    /// A `%` without two hexadecimal digits after it, in the path.
    case invalidEscape(offset: Int32)
    /// `%00` in the path.
    case nulEscape(offset: Int32)
    /// A `..` that would leave the root.
    case aboveRoot
    /// The arena has no room for the decoded path.
    case noRoom
}

extension RequestTargetError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the request target is empty"
        case .tooLong(let limit): "the request target is longer than \(limit) bytes"
        case .invalidForm: "the request target starts neither with / nor with scheme://"
        case .invalidHost(let offset): "invalid host in the request target at byte \(offset)"
        case .refusedHost(let error): "in the request target, \(error)"
        case .controlByte(let offset): "control byte in the request target at byte \(offset)"
        case .space(let offset): "space in the request target at byte \(offset); write it as %20"
        case .invalidEscape(let offset): "% without two hexadecimal digits in the path at byte \(offset)"
        case .nulEscape(let offset): "%00 in the path at byte \(offset)"
        case .aboveRoot: "the path leaves the root with .."
        case .noRoom: "no room for the decoded path"
        }
    }
}
