#if Gateway
import Shunt

/// The valid names of request headers: rules do not see others, so upstreams do not get them.
///
/// As in nginx, names consist of letters, digits and dashes: many upstreams take `X_Role` for `X-Role`. The rules may say
/// otherwise, with `underscores_in_headers` and `ignore_invalid_headers`.
struct HeaderNames: Equatable {
    /// True if names may have underscores.
    var hasUnderscores = false
    /// True if names may have any character.
    var hasOthers = false

    /// The names at the addresses of some rules, by their default servers; one where they are the same at all.
    static func all(_ ruleSet: RuleSet) -> [HeaderNames] {
        let names = ruleSet.headerNames.map {
            HeaderNames(hasUnderscores: $0.takesUnderscores || !$0.ignoresInvalid, hasOthers: !$0.ignoresInvalid)
        }
        guard let first = names.first else { return [HeaderNames()] }
        return names.allSatisfy { $0 == first } ? [first] : names
    }

    /// Returns true if a header of that name is there for rules and upstreams.
    func take(_ name: Span<UInt8>) -> Bool {
        if hasOthers { return true }
        for index in name.indices {
            switch name[index] {
            case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x2d: break
            case 0x5f where hasUnderscores: break
            default: return false
            }
        }
        return true
    }
}
#endif
