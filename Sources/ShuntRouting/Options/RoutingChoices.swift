import ShuntCore

/// The problem of a preset or an option.
package struct RoutingChoiceProblem: Error {
    /// The place among what was given: the preset first, if there is one.
    package var index: Int
    package var message: String
    /// The name that was probably meant, or all that there are.
    package var suggestion: String
}

/// The presets and options for routes, as they are written on the command line and in rule files.
package enum RoutingChoices {
    /// The options for a preset, or the defaults without one, and choices such as `order=registration` on top of it.
    ///
    /// - Throws: `RoutingChoiceProblem` for the first that is unknown.
    package static func options(preset: String?, choices: [String]) throws(RoutingChoiceProblem) -> RoutingOptions {
        var options = RoutingOptions()
        if let preset {
            guard let known = RoutingOptions.preset(named: preset) else {
                throw unknown("preset", preset, among: RoutingOptions.presetNames, at: 0)
            }
            options = known
        }
        for (offset, choice) in choices.enumerated() {
            let index = offset + (preset == nil ? 0 : 1)
            guard let place = choice.firstIndex(of: "=") else {
                let message = "an option is written name=value, not \(quoted(choice))"
                let advice = "there are: \(settings.keys.sorted().joined(separator: ", "))"
                throw RoutingChoiceProblem(index: index, message: message, suggestion: advice)
            }
            let name = String(choice[..<place])
            guard let setting = settings[name] else {
                throw unknown("option", name, among: settings.keys.sorted(), at: index)
            }
            do throws(RoutingChoiceProblem) {
                try setting.apply(&options, name, String(choice[choice.index(after: place)...]))
            } catch {
                throw RoutingChoiceProblem(index: index, message: error.message, suggestion: error.suggestion)
            }
        }
        return options
    }

    /// The options by name, with the values that each takes; without values for one that takes any.
    package static var values: [String: [String]] { settings.mapValues(\.values) }

    private struct Setting: Sendable {
        var values: [String] = []
        var apply:
            @Sendable (_ options: inout RoutingOptions, _ name: String, _ value: String) throws(RoutingChoiceProblem) ->
                Void
    }

    private static let settings: [String: Setting] = [
        "bareSchemeIsFallback": flag(\.bareSchemeIsFallback),
        "caseSensitive": flag(\.caseSensitive),
        "emptyComponents": choice(\.emptyComponents, ["merged": .merged, "kept": .kept]),
        "fallsBack": flag(\.fallsBack),
        "fragmentParameters": choice(\.fragmentParameters, ["ignored": .ignored, "replaceQuery": .replaceQuery]),
        "host": choice(
            \.host,
            ["host": .host, "component": .component, "componentUnlessDotted": .componentUnlessDotted]
        ),
        "hostComponentSchemes": Setting { options, _, value in
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
        "takesEmptyScheme": flag(\.takesEmptyScheme),
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
        Setting(values: values.keys.sorted()) { (options, name, text) throws(RoutingChoiceProblem) in
            guard let value = values[text] else {
                throw unknown("value of \(name)", text, among: values.keys.sorted(), at: 0)
            }
            options[keyPath: path] = value
        }
    }

    private static func unknown(
        _ what: String,
        _ name: String,
        among names: [String],
        at index: Int
    ) -> RoutingChoiceProblem {
        let all = "there are: \(names.joined(separator: ", "))"
        let meant = Suggestion.meant(by: name, among: names)
        return RoutingChoiceProblem(index: index, message: "unknown \(what) \(quoted(name))", suggestion: meant ?? all)
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }
}
