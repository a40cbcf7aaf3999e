import Shunt

/// The parameters that a match shows, which differ from router to router.
struct ParameterStyle {
    /// True if the items of the query are among the parameters, by `RoutingOptions.precedence`.
    var mixesQuery = false
    /// True if the pattern is shown without the optional groups that the URL did not use.
    var expandsPattern = false
    /// True if the parameter `route` is the URL without its scheme.
    var showsRoute = false

    /// The style of a preset; nil is not a preset.
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
