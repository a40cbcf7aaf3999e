extension RoutingOptions {
    /// The names that `preset(named:)` knows, in alphabetical order.
    public static let presetNames = presets.keys.sorted()

    private static let presets = [
        "hhrouter": hhrouter, "jlroutes": jlroutes, "mgjrouter": mgjrouter, "react-router": reactRouter,
        "react-router-v3": reactRouterV3, "routable": routable, "universal-links": universalLinks,
        "zikrouter": zikrouter,
    ]

    /// The options that behave as another router does.
    ///
    /// - Parameter name: One of `presetNames`.
    /// - Returns: The options; nil for any other name.
    public static func preset(named name: String) -> RoutingOptions? { presets[name] }

    /// Parameters that are whole components, and nothing else: most routers have no more.
    private static let componentsOnly = PatternSyntax(
        constraints: false,
        groups: false,
        parametersAnywhere: false,
        braces: true
    )

    /// JLRoutes 2: a host without a dot is a component, `*` is the rest, fragments are routed, a scheme that has its
    /// own routes does not fall back, and a plus is a space even when it was escaped.
    public static var jlroutes: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = PatternSyntax(
            star: .tail,
            constraints: false,
            dashesInNames: true,
            bareColon: true,
            braces: true
        )
        options.host = .componentUnlessDotted
        options.routesFragment = true
        options.fragmentParameters = .replaceQuery
        options.plusInPath = .plusAndEscapedPlus
        options.plusInQuery = .plusAndEscapedPlus
        options.keepsValuelessQueryItems = false
        options.fallsBack = false
        return options
    }

    /// HHRouter: the host of an app's own scheme is a component (set `hostComponentSchemes` to those schemes), and the
    /// query wins over the path.
    public static var hhrouter: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = componentsOnly
        options.syntax.dashesInNames = true
        options.host = .component
        options.plusInQuery = .never
        options.keepsValuelessQueryItems = false
        options.precedence = .query
        return options
    }

    /// MGJRouter: scheme, host and path are one list of components, `mgj://` alone is the fallback of its scheme, and
    /// the query wins over the path.
    public static var mgjrouter: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = componentsOnly
        options.syntax.questionMark = .query
        options.host = .component
        options.precedence = .query
        options.bareSchemeIsFallback = true
        options.verifiesGeneration = false
        return options
    }

    /// routable: paths only, empty components bind empty values.
    public static var routable: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = componentsOnly
        options.emptyComponents = .kept
        return options
    }

    /// ZIKRouter's URL router: scheme and host belong to the pattern, and the query wins over the path.
    public static var zikrouter: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = componentsOnly
        options.precedence = .query
        options.takesEmptyScheme = true
        return options
    }

    /// react-router 6 and later: letters match without regard to case, `x?` makes a component optional, and `*` at the
    /// end is the rest under the name `*`.
    public static var reactRouter: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = componentsOnly
        options.syntax.star = .tail
        options.syntax.starName = "*"
        options.syntax.questionMark = .optional
        options.syntax.dashesInNames = true
        options.caseSensitive = false
        options.verifiesGeneration = false
        options.ignoresUnknownParameters = true
        return options
    }

    /// react-router 3: `*` and `**` cross slashes under the name `splat`, groups are optional, and a pattern matches a
    /// prefix of the path.
    public static var reactRouterV3: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = PatternSyntax(star: .any, starName: "splat", constraints: false, braces: true)
        options.caseSensitive = false
        options.matchesPrefix = true
        options.verifiesGeneration = false
        options.ignoresUnknownParameters = true
        return options
    }

    /// The `/` patterns of the components in an apple-app-site-association file.
    ///
    /// `*` is any run of bytes, `?` is one byte, and the first pattern that matches wins. A slash at the end does not
    /// count, so a last `/*` may be missing.
    public static var universalLinks: RoutingOptions {
        var options = RoutingOptions()
        options.syntax = componentsOnly
        options.syntax.star = .any
        options.syntax.questionMark = .anyByte
        options.order = .registration
        return options
    }
}
