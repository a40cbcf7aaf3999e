import ShuntCore

/// Addresses and networks: `allow`, `deny` and `set_real_ip_from`.
enum AddressCompiler {
    /// `allow` or `deny`; nil after an error.
    static func rule(_ directive: CheckedDirective, allows: Bool, in context: inout CompileContext) -> AccessRule? {
        scope(directive, in: &context).map { AccessRule(scope: $0, allows: allows, position: directive.name.position) }
    }

    /// The addresses of `allow`, `deny` or `set_real_ip_from`; nil after an error.
    static func scope(_ directive: CheckedDirective, in context: inout CompileContext) -> AccessRule.Scope? {
        guard let word = directive.arguments.first else { return nil }
        return scope(word, allowsAll: directive.keyword != .setRealIPFrom, in: &context)
    }

    /// The addresses that a word names; nil after an error.
    static func scope(
        _ word: Word,
        allowsAll: Bool,
        allowsUnix: Bool = true,
        in context: inout CompileContext
    ) -> AccessRule.Scope? {
        if allowsAll, word.text == "all" { return .all }
        if allowsUnix, word.text == "unix:" { return .unix }
        guard let (network, hadHostBits) = AddressNetwork.parse(word.bytes.span) else {
            return context.error(
                .invalidAddress,
                "\"\(word.text)\" is not an address or a network",
                at: word,
                suggestion: allowsAll || allowsUnix || AddressRange(parsing: word.bytes.span) == nil
                    ? "write an address such as 192.0.2.1, or a network such as 192.0.2.0/24"
                    : "a range needs a geo that begins with ranges;"
            )
        }
        if hadHostBits {
            context.warning(
                .lowAddressBits,
                "the low bits of \(word.text) are meaningless",
                at: word,
                suggestion: "write the network, or more bits"
            )
        }
        return .network(network)
    }
}
