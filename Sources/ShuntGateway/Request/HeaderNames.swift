#if Gateway
import Shunt

/// The valid names of request headers: rules do not see others, so upstreams do not get them.
///
/// As in nginx, names consist of letters, digits and dashes: many upstreams treat `X_Role` as `X-Role`. The rules may
/// change this, with `underscores_in_headers` and `ignore_invalid_headers`.
struct HeaderNames: Equatable {
    /// True if names may have underscores.
    var hasUnderscores = false
    /// True if names may have any character.
    var hasOthers = false

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

/// The names of headers by the server that a header is read for: as in nginx, that of the Host where the Host came before.
struct HeaderNameTable {
    /// The names before the Host, and those after it.
    typealias Names = (first: HeaderNames, named: HeaderNames)

    /// The names of the servers, in order; one where they are the same for all.
    private var names = [HeaderNames()]
    /// The rules; nil where no server has other names than the others.
    private var ruleSet: RuleSet?

    init() {}

    init(_ ruleSet: RuleSet) {
        let names = ruleSet.headerNames.map {
            HeaderNames(hasUnderscores: $0.takesUnderscores || !$0.ignoresInvalid, hasOthers: !$0.ignoresInvalid)
        }
        guard let first = names.first else { return }
        let isSame = names.allSatisfy { $0 == first }
        self.names = isSame ? [first] : names
        self.ruleSet = isSame ? nil : ruleSet
    }

    /// The names for a request.
    ///
    /// - Parameters:
    ///   - connection: The connection of the request.
    ///   - host: The host that it names; nil without one.
    /// - Returns: The names.
    func names(at connection: borrowing ClientConnection, host: String?) -> Names {
        guard let ruleSet else { return (self.names[0], self.names[0]) }
        let server = connection.sessionInputs.first { $0.name == "ssl_server_name" }?.value
        func names(of server: [UInt8]?) -> HeaderNames {
            self.names[ruleSet.server(named: server, at: connection.listen)]
        }
        let first = names(of: server)
        return (first, host.map { names(of: Array($0.utf8)) } ?? first)
    }
}
#endif
