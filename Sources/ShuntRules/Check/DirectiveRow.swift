import ShuntCore

enum DirectiveRole: Sendable {
    /// It has a part in the decision, and the compiler knows which.
    case decides(Keyword)
    /// It sets something for a level and the levels below it, and the row has what.
    case sets(SettingEffect)
    /// It is nginx's and does not change where a request goes.
    case ignored
    /// It is in the block of another directive that reads it, and means nothing alone.
    case accepted
    /// It is nginx's and would change decisions, but cannot work here; the text names what to do instead.
    case unsupported(String)

    /// True if it can change a decision.
    package var isDeciding: Bool {
        switch self {
        case .decides, .sets: true
        case .ignored, .accepted, .unsupported: false
        }
    }
}

/// The effect of a setting that needs nothing but its word.
enum SettingEffect: Sendable {
    /// `on` or `off`.
    case flag(SettingPath<Settings, Bool>)
    /// True where the directive is.
    case presence(SettingPath<Settings, Bool>)
    /// The bytes of the word.
    case text(SettingPath<Settings, ByteRange?>)
    /// A setting of `limit_req`, or of `limit_conn`.
    case requests(LimitEffect)
    case connections(LimitEffect)
    case upstream(UpstreamEffect)
    /// Nothing: nginx logs more or less.
    case nothing
}

enum LimitEffect: Sendable {
    case status
    /// True if nothing is refused.
    case trial
    case level
}

enum UpstreamEffect: Sendable {
    /// `on` or `off`.
    case flag(SettingPath<UpstreamSettings, Bool>)
    case time(SettingPath<UpstreamSettings, Int?>)
    /// The name of a file.
    case file(SettingPath<UpstreamSettings, [UInt8]?>)
    /// A text whose variables have their values when the request is passed on.
    case template(SettingPath<UpstreamSettings, TemplateIndex>)
    /// One of the names, in lower case, that replace those of the levels above.
    case names(SettingPath<UpstreamSettings, [String]>)
    case tries
    case conditions
    case versions
    case ignoredHeaders
    case bodySize
}

typealias SettingPath<Root, Value> = any WritableKeyPath<Root, Value> & Sendable

/// One row of the table of directives: where a directive may be, what it takes, and what it does.
package struct DirectiveRow: Sendable {
    package var name: String
    package var contexts: Contexts
    package var arguments: ArgumentCount
    /// True if it has a block (and must have one) or ends in `;`.
    package var hasBlock = false
    /// True if it may do without its block.
    package var blockIsOptional = false
    /// The name under which a setting may occur only once in a block: the directive's, or one that it shares with
    /// another.
    package var onceName: String?
    /// The syntax, as `docs/rules.md` shows it; nil for directives that decide nothing.
    ///
    /// A message about its arguments suggests it.
    package var syntax: String?
    var role: DirectiveRole
    /// The part that the gateway does not do; nil if it does all.
    var unserved: UnservedDirective?

    /// Returns true if a directive has its block, or its `;`, as it has to.
    func allows(block: [Directive]?) -> Bool { blockIsOptional || hasBlock == (block != nil) }
}

extension DirectiveRow {
    /// A directive that the compiler knows by its keyword; its syntax is what follows the name.
    package static func directive(
        _ keyword: Keyword,
        _ contexts: Contexts,
        _ arguments: ArgumentCount,
        _ syntax: String,
        block: Bool = false,
        optionalBlock: Bool = false,
        once: String? = nil
    ) -> DirectiveRow {
        DirectiveRow(
            name: keyword.rawValue,
            contexts: contexts,
            arguments: arguments,
            hasBlock: block,
            blockIsOptional: optionalBlock,
            onceName: once,
            syntax: Self.syntax(keyword.rawValue, syntax),
            role: .decides(keyword)
        )
    }

    /// A directive that may be set once in a block.
    package static func setting(
        _ keyword: Keyword,
        _ contexts: Contexts,
        _ arguments: ArgumentCount,
        _ syntax: String
    ) -> DirectiveRow {
        directive(keyword, contexts, arguments, syntax, once: keyword.rawValue)
    }

    /// A setting that its row describes whole.
    static func setting(
        _ name: String,
        _ contexts: Contexts,
        _ arguments: ArgumentCount,
        _ syntax: String,
        _ effect: SettingEffect,
        once: Bool = true
    ) -> DirectiveRow {
        DirectiveRow(
            name: name,
            contexts: contexts,
            arguments: arguments,
            onceName: once ? name : nil,
            syntax: Self.syntax(name, syntax),
            role: .sets(effect)
        )
    }

    private static func syntax(_ name: String, _ rest: String) -> String {
        rest == ";" ? "\(name);" : "\(name) \(rest)"
    }

    /// A setting that is `on` or `off`.
    static func flag(_ name: String, _ contexts: Contexts, _ path: SettingPath<Settings, Bool>) -> DirectiveRow {
        setting(name, contexts, .flag, "on | off;", .flag(path))
    }

    /// A setting that is `on` or `off` and changes nothing here.
    package static func flag(_ name: String, _ contexts: Contexts) -> DirectiveRow {
        setting(name, contexts, .flag, "on | off;", .nothing)
    }
}

/// Directives that decide nothing for one reason, with the same contexts and arguments.
struct DirectiveGroup: Sendable {
    var contexts: Contexts
    var arguments: ArgumentCount
    var names: String
    var hasBlock = false
    var role = DirectiveRole.ignored

    init(
        _ contexts: Contexts,
        _ arguments: ArgumentCount,
        _ names: String,
        hasBlock: Bool = false,
        role: DirectiveRole = .ignored
    ) {
        self.contexts = contexts
        self.arguments = arguments
        self.names = names
        self.hasBlock = hasBlock
        self.role = role
    }

    var rows: [DirectiveRow] {
        names.split(whereSeparator: \.isWhitespace)
            .map { name in
                DirectiveRow(
                    name: String(name),
                    contexts: contexts,
                    arguments: arguments,
                    hasBlock: hasBlock,
                    role: role
                )
            }
    }
}
