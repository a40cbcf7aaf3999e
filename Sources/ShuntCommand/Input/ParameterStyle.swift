import Shunt

/// What a match shows as its parameters, which differs from router to router.
struct ParameterStyle {
    /// Whether the items of the query are among the parameters, as `RoutingOptions.precedence` says.
    var mixesQuery = false
    /// Whether the pattern is shown without the optional groups that the URL did not use.
    var expandsPattern = false
    /// Whether the parameter `route` is the URL without its scheme.
    var showsRoute = false

    /// The style of a preset; nil is no preset.
    init(preset: String?) {
        switch preset {
        case "hhrouter":
            mixesQuery = true
            showsRoute = true
        case "jlroutes":
            mixesQuery = true
            expandsPattern = true
        case "mgjrouter", "routable", "zikrouter": mixesQuery = true
        default: break
        }
    }
}
