import ShuntCore

/// What a directive does here.
package enum DirectiveRole: Sendable, Hashable {
    /// It has a part in the decision.
    case decides(Keyword)
    /// It is nginx's and does not change where a request goes; the text says more where there is more to say.
    case ignored(String?)
    /// It stands in the block of another directive that reads it, and means nothing by itself.
    case accepted
    /// It is nginx's and would change decisions, but cannot work here; the text says what to do instead.
    case unsupported(String)
}

/// Where a directive may stand and what it takes.
package struct DirectiveSpecification: Sendable {
    /// The name.
    package var name: String
    /// Where it may stand.
    package var contexts: Contexts
    /// How many arguments it takes.
    package var arguments: ArgumentCount
    /// Whether it has a block (and must have one) or ends in `;`.
    package var hasBlock = false
    /// What may be set only once in a block: the directive's name, or one that it shares with another.
    package var onceName: String?
    /// What it does.
    package var role: DirectiveRole
}

/// Every directive that is known, by name.
package enum DirectiveTable {
    /// The directives of a name: several where nginx has different ones in different blocks.
    package static func specifications(of name: [UInt8]) -> [DirectiveSpecification] {
        table[ByteKey(name)] ?? []
    }

    /// The names that may stand somewhere.
    package static func names(in contexts: Contexts) -> [String] {
        all.filter { !$0.contexts.isDisjoint(with: contexts) }.map(\.name)
    }

    /// All directives, those that decide first.
    package static let all: [DirectiveSpecification] = deciding + ignored.flatMap { $0.specifications } + unsupported

    private static let table: [ByteKey: [DirectiveSpecification]] = Dictionary(grouping: all) {
        ByteKey(Array($0.name.utf8))
    }

    private static let ignored: [IgnoredGroup] =
        IgnoredDirectives.core + IgnoredDirectives.connection + IgnoredDirectives.content
        + IgnoredDirectives.access + IgnoredDirectives.proxy + IgnoredDirectives.gateways + IgnoredDirectives.upstream
}

/// Directives that are ignored for one reason, with the same contexts and arguments.
struct IgnoredGroup: Sendable {
    var contexts: Contexts
    var arguments: ArgumentCount
    var names: String
    var hasBlock = false
    var role = DirectiveRole.ignored(nil)

    init(
        _ contexts: Contexts,
        _ arguments: ArgumentCount,
        _ names: String,
        hasBlock: Bool = false,
        role: DirectiveRole = .ignored(nil)
    ) {
        self.contexts = contexts
        self.arguments = arguments
        self.names = names
        self.hasBlock = hasBlock
        self.role = role
    }

    /// One specification for each name.
    var specifications: [DirectiveSpecification] {
        names.split(whereSeparator: \.isWhitespace)
            .map {
                DirectiveSpecification(
                    name: String($0),
                    contexts: contexts,
                    arguments: arguments,
                    hasBlock: hasBlock,
                    role: role
                )
            }
    }
}
