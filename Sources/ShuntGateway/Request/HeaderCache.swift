#if Gateway
import Shunt

/// Headers that came lately, as the rules take them: clients send most headers with each request, and many clients the
/// same.
///
/// Used on its event loop only.
final class HeaderCache {
    /// The most bytes of a value that is kept.
    private static let valueLimit = 256
    private static let nameLimit = 64

    private var entries = [RuleRequest.Header?](repeating: nil, count: 64)

    func header(_ name: Span<UInt8>, _ value: Span<UInt8>) -> RuleRequest.Header {
        guard name.count > 0, name.count <= Self.nameLimit else { return Self.made(name, value) }
        let ends = Int(name[0] | 0x20) &* 7 &+ Int(name[name.count - 1] | 0x20)
        let place = (ends &* 5 &+ name.count) & 63
        guard let known = entries[place], known.nameBytes.span.isSame(as: name) else {
            let made = Self.made(name, value)
            if value.count <= Self.valueLimit { entries[place] = made }
            return made
        }
        if known.valueBytes.span.isSame(as: value) { return known }
        let made = RuleRequest.Header(name: known.nameBytes, value: Array(copying: value))
        if value.count <= Self.valueLimit { entries[place] = made }
        return made
    }

    private static func made(_ name: Span<UInt8>, _ value: Span<UInt8>) -> RuleRequest.Header {
        RuleRequest.Header(name: Array(copying: name), value: Array(copying: value))
    }
}

extension Span where Element == UInt8 {
    /// Returns true if there are the same bytes in another place.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}
#endif
