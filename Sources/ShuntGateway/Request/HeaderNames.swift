#if Gateway
import Shunt

/// The valid names of request headers: rules do not see others, so upstreams do not get them.
///
/// As in nginx, names consist of letters, digits and dashes: many upstreams take `X_Role` for `X-Role`. The rules may say
/// otherwise, with `underscores_in_headers` and `ignore_invalid_headers`.
struct HeaderNames {
    /// True if names may have underscores.
    var hasUnderscores = false
    /// True if names may have any character.
    var hasOthers = false

    init() {}

    /// Creates the names for the rules' settings; a setting counts only if the default servers of all addresses have
    /// it.
    init(_ ruleSet: RuleSet) {
        let program = ruleSet.program
        let settings = program.tables.listens.map {
            program.tables.settings[program.tables.servers[$0.defaultServer].settings]
        }
        guard !settings.isEmpty else { return }
        hasUnderscores = settings.allSatisfy { $0.takesUnderscores || !$0.ignoresInvalidHeaders }
        hasOthers = settings.allSatisfy { !$0.ignoresInvalidHeaders }
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
