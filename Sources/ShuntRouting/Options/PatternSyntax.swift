/// The choices in which the pattern languages of different routers differ.
///
/// The default is Shunt's own grammar, which `docs/routes.md` defines. The presets of `RoutingOptions` set what their
/// ancestor reads differently.
public struct PatternSyntax: Sendable, Hashable {
    /// The meaning of `*`.
    @nonexhaustive public enum Star: Sendable, Hashable {
        /// `*` is exactly one component without a name, `*name` is the rest of the path.
        case component
        /// `*` at the end is the rest of the path.
        case tail
        /// `*` is any run of bytes, `/` included: the shortest that fits, or with `**` the longest.
        case any
    }

    /// The meaning of `?` after something other than a parameter.
    @nonexhaustive public enum QuestionMark: Sendable, Hashable {
        /// An error: a pattern has no query.
        case refused
        /// After the last byte of a literal component it makes that component optional; elsewhere it is a literal.
        case optional
        /// Exactly one byte.
        case anyByte
        /// It begins a query that only URL generation uses.
        case query
    }

    /// The meaning of `*`.
    public var star: Star
    /// The name of a `*` without one; nil leaves it without a name.
    public var starName: String?
    /// The meaning of `?`.
    public var questionMark: QuestionMark
    /// True if `(…)` right after a parameter's name constrains its value.
    public var constraints: Bool
    /// True if `(…)` elsewhere is an optional group.
    public var groups: Bool
    /// True if a name may contain `-`.
    public var dashesInNames: Bool
    /// True if a parameter may follow other text in its component; otherwise such a `:` is a literal.
    public var parametersAnywhere: Bool
    /// True if a component `:` is a parameter whose name is `:`.
    public var bareColon: Bool
    /// True if `{` and `}` are literals; Shunt's own grammar refuses them, because they are meant as a parameter.
    public var braces: Bool

    /// Makes a syntax; the defaults are Shunt's own grammar.
    public init(
        star: Star = .component,
        starName: String? = nil,
        questionMark: QuestionMark = .refused,
        constraints: Bool = true,
        groups: Bool = true,
        dashesInNames: Bool = false,
        parametersAnywhere: Bool = true,
        bareColon: Bool = false,
        braces: Bool = false
    ) {
        self.star = star
        self.starName = starName
        self.questionMark = questionMark
        self.constraints = constraints
        self.groups = groups
        self.dashesInNames = dashesInNames
        self.parametersAnywhere = parametersAnywhere
        self.bareColon = bareColon
        self.braces = braces
    }
}
