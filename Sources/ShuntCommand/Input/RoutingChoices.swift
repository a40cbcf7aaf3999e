import Shunt

/// The presets and options for routes, as they are written on the command line.
enum RoutingChoices {
    /// The options for a preset and single choices on top of it.
    ///
    /// - Parameters:
    ///   - preset: The name of a preset; nil for the defaults.
    ///   - choices: Choices as `name=value`.
    /// - Returns: The options.
    /// - Throws: `RequestProblem` for the first that is unknown.
    static func options(preset: String?, choices: [String]) throws(RequestProblem) -> RoutingOptions {
        var options = RoutingOptions()
        if let preset {
            guard let known = RoutingOptions.preset(named: preset) else {
                throw unknown("preset", preset, among: RoutingOptions.presetNames)
            }
            options = known
        }
        for choice in choices {
            guard let place = choice.firstIndex(of: "=") else {
                throw RequestProblem("an option is written name=value, not \(RequestFields.quoted(choice))")
            }
            let name = String(choice[..<place])
            guard let apply = settings[name] else { throw unknown("option", name, among: settings.keys.sorted()) }
            try apply(&options, name, String(choice[choice.index(after: place)...]))
        }
        return options
    }

    private typealias Setting =
        @Sendable (
            _ options: inout RoutingOptions, _ name: String, _ value: String
        ) throws(RequestProblem) -> Void

    private static let settings: [String: Setting] = [
        "bareSchemeIsFallback": flag(\.bareSchemeIsFallback),
        "caseSensitive": flag(\.caseSensitive),
        "emptyComponents": choice(\.emptyComponents, ["merged": .merged, "kept": .kept]),
        "fallsBack": flag(\.fallsBack),
        "fragmentParameters": choice(
            \.fragmentParameters,
            ["ignored": .ignored, "replaceQuery": .replaceQuery]
        ),
        "host": choice(
            \.host,
            ["host": .host, "component": .component, "componentUnlessDotted": .componentUnlessDotted]
        ),
        "hostComponentSchemes": { options, _, value in
            options.hostComponentSchemes = Set(value.split(separator: ",").map { $0.lowercased() })
        },
        "ignoresUnknownParameters": flag(\.ignoresUnknownParameters),
        "keepsValuelessQueryItems": flag(\.keepsValuelessQueryItems),
        "matchesPrefix": flag(\.matchesPrefix),
        "order": choice(\.order, ["specificity": .specificity, "registration": .registration]),
        "plusInPath": choice(\.plusInPath, plus),
        "plusInQuery": choice(\.plusInQuery, plus),
        "precedence": choice(\.precedence, ["path": .path, "query": .query]),
        "routesFragment": flag(\.routesFragment),
        "trailingSlash": choice(\.trailingSlash, ["ignored": .ignored, "significant": .significant]),
        "verifiesGeneration": flag(\.verifiesGeneration),
    ]

    private static let plus: [String: RoutingOptions.PlusDecoding] = [
        "never": .never, "plus": .plus, "plusAndEscapedPlus": .plusAndEscapedPlus,
    ]

    private static func flag(_ path: any WritableKeyPath<RoutingOptions, Bool> & Sendable) -> Setting {
        choice(path, ["yes": true, "no": false])
    }

    private static func choice<Value: Sendable>(
        _ path: any WritableKeyPath<RoutingOptions, Value> & Sendable,
        _ values: [String: Value]
    ) -> Setting {
        { (options, name, text) throws(RequestProblem) in
            guard let value = values[text] else {
                throw unknown("value of \(name)", text, among: values.keys.sorted())
            }
            options[keyPath: path] = value
        }
    }

    private static func unknown(_ what: String, _ name: String, among names: [String]) -> RequestProblem {
        let meant = Suggestion.closest(to: name, among: names).map { ", did you mean \"\($0)\"?" } ?? ""
        let all = names.joined(separator: ", ")
        return RequestProblem("unknown \(what) \(RequestFields.quoted(name))\(meant) There are: \(all)")
    }
}

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
