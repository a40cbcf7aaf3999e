/// The choices of a route table in which routers differ.
///
/// The defaults are the safe ones.
public struct RoutingOptions: Sendable, Hashable {
    /// The meaning of the host of a URL.
    @nonexhaustive public enum HostPlacement: Sendable, Hashable {
        /// A host: patterns name it or apply to every host.
        case host
        /// The first component of the path.
        case component
        /// The first component of the path, unless it contains a dot or is `localhost`; then it is not read.
        case componentUnlessDotted
    }

    /// The meaning of a `/` at the end of the path.
    @nonexhaustive public enum TrailingSlash: Sendable, Hashable {
        /// Nothing, in patterns and in paths.
        case ignored
        /// A path must end in `/` exactly if its pattern does.
        case significant
    }

    /// The meaning of `//` in a path.
    @nonexhaustive public enum EmptyComponents: Sendable, Hashable {
        /// The same as `/`.
        case merged
        /// An empty component, which a plain parameter may bind.
        case kept
    }

    /// The time when `+` stands for a space.
    @nonexhaustive public enum PlusDecoding: Sendable, Hashable {
        /// Never.
        case never
        /// The time when it was written as `+`; `%2B` stays a plus.
        case plus
        /// Always: `%2B` becomes a space too, as JLRoutes' tests demand. A plus cannot be expressed then.
        case plusAndEscapedPlus
    }

    /// The value of a name in `RouteMatch.combinedParameters` when both path and query have one.
    @nonexhaustive public enum Precedence: Sendable, Hashable {
        /// The path's: a URL cannot override what the route captured.
        case path
        /// The query's.
        case query
    }

    /// The meaning of a fragment of the form `a=b&c=d`.
    @nonexhaustive public enum FragmentParameters: Sendable, Hashable {
        /// Nothing.
        case ignored
        /// Its values replace those of the query.
        case replaceQuery
    }

    /// The order of several routes that match.
    @nonexhaustive public enum Order: Sendable, Hashable {
        /// The more specific, by component from the left.
        case specificity
        /// The route that was added first.
        case registration
    }

    /// The syntax of patterns.
    public var syntax = PatternSyntax()
    /// The meaning of the host.
    public var host = HostPlacement.host
    /// The schemes (in small letters) for which `host` is a component; nil for all.
    ///
    /// For others the host is not read.
    public var hostComponentSchemes: Set<String>?
    /// The meaning of a trailing slash.
    public var trailingSlash = TrailingSlash.ignored
    /// The meaning of `//`.
    public var emptyComponents = EmptyComponents.merged
    /// True if the letters of literals must have the same case; only ASCII letters are ever folded.
    public var caseSensitive = true
    /// True if a pattern also matches a path that continues after it, at the end of a component.
    public var matchesPrefix = false
    /// True if a fragment that is empty or begins with `/` is routed like a path after `#`.
    public var routesFragment = false
    /// The meaning of a fragment of parameters.
    public var fragmentParameters = FragmentParameters.ignored
    /// The time when `+` in the path stands for a space.
    public var plusInPath = PlusDecoding.never
    /// The time when `+` in the query stands for a space.
    public var plusInQuery = PlusDecoding.plus
    /// True if query items without `=` are kept, as names without a value.
    public var keepsValuelessQueryItems = true
    /// The value that wins in the combined parameters.
    public var precedence = Precedence.path
    /// True if a URL whose scheme or host has its own routes, none of which match, is looked up among the more general
    /// ones.
    public var fallsBack = true
    /// True if a pattern may begin with `://`, which stands for any scheme.
    public var takesEmptyScheme = false
    /// True if a pattern that is only a scheme, such as `mgj://`, is the fallback for that scheme.
    public var bareSchemeIsFallback = false
    /// The order of several matching routes of one priority.
    public var order = Order.specificity
    /// True if a generated URL is looked up again, so that it is certain to lead back to the same route and values.
    public var verifiesGeneration = true
    /// True if URL generation ignores values that the pattern has no place for; otherwise they are an error.
    public var ignoresUnknownParameters = false

    /// Makes the default options.
    public init() {}
}
