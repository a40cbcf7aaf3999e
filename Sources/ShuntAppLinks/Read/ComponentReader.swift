import ShuntCore

/// Reads components, which both files have.
struct ComponentReader {
    private let file: AssociationFile
    /// The variables of the file; nil in Google's file, where `$(` has no meaning.
    let variables: [String: [String]]?
    let values: [String: [(text: String, place: Range<Int>)]]
    /// The name of the member for comments in this file.
    let comment: String
    private(set) var used: Set<String> = []
    /// The variables that were used in patterns that are compared encoded.
    private var usedEncoded: Set<String> = []

    init(
        _ file: AssociationFile,
        variables: [String: [String]]?,
        values: [String: [(text: String, place: Range<Int>)]] = [:],
        comment: String
    ) {
        self.file = file
        self.variables = variables
        self.values = values
        self.comment = comment
    }

    var isAndroid: Bool { variables == nil }

    private var members: [String] {
        ["/", "?", "#", "exclude", comment] + (isAndroid ? [] : ["caseSensitive", "percentEncoded"])
    }

    /// Reads a list of components, and finds those that can never decide.
    mutating func list(_ value: PlacedJSON, what: String, defaults: AppLinkComponent) -> [AppLinkComponent] {
        guard let items = value.items else {
            file.report(.error(code(.wrongType)), "\(what) is a list of objects, not \(value.kind)", at: value.place)
            return []
        }
        var components: [(component: AppLinkComponent, place: Range<Int>)] = []
        var isWhole = true
        for item in items {
            guard let component = component(item, what: "a component", defaults: defaults) else {
                isWhole = false
                continue
            }
            // Without a part that cannot be read a component seems to take more than it does.
            let names = (item.members ?? []).map(\.name)
            if names.contains("/") && component.path == nil || names.contains("#") && component.fragment == nil {
                isWhole = false
            }
            components.append((component, item.place))
        }
        // What is left out may be what opens something.
        if isWhole {
            check(components, at: value.place, what: what, defaults: defaults)
        }
        return components.map(\.component)
    }

    /// Finds components that nothing reaches, and lists that open nothing.
    func check(
        _ components: [(component: AppLinkComponent, place: Range<Int>)],
        at place: Range<Int>,
        what: String,
        defaults: AppLinkComponent
    ) {
        if isAndroid, components.isEmpty {
            let message = "\(what) is empty, so Android discards it: the intent filters of the app decide"
            return file.report(.warning(.empty), message, at: place)
        }
        let whole = components.map { $0.component.completed(by: defaults) }
        var reach = ComponentReach(variables: variables)
        for (index, component) in whole.enumerated() {
            let line = file.location(components[index].place).line
            let text = components[index].component.text
            guard let problem = reach.add(component, text: text, line: line) else { continue }
            let advice = problem.suggestion
            file.report(.warning(.unreachable), problem.message, at: components[index].place, suggestion: advice)
        }
        if whole.allSatisfy({ $0.isExcluded ?? false }) {
            file.report(.warning(.opensNothing), "\(what) takes no URL, so the app opens none", at: place)
        }
    }

    /// Reads the defaults of components.
    mutating func defaults(_ value: PlacedJSON, completedBy outer: AppLinkComponent) -> AppLinkComponent {
        component(value, what: "\"defaults\"", defaults: outer) ?? AppLinkComponent()
    }

    /// An error in a component of Google's file discards all of them.
    private func code(_ code: DiagnosticCode) -> DiagnosticCode { isAndroid ? .rulesDiscarded : code }

    private mutating func component(
        _ value: PlacedJSON,
        what: String,
        defaults: AppLinkComponent
    ) -> AppLinkComponent? {
        let remark = isAndroid ? ["comment"] : ["comments"]
        guard
            let members = file.object(
                value,
                what: what,
                members: members,
                harmless: remark,
                code: isAndroid ? .rulesDiscarded : nil
            )
        else { return nil }
        var component = AppLinkComponent()
        component.location = file.location(value.place)
        for member in members {
            let name = "\"\(member.name)\""
            switch member.name {
            case "exclude": component.isExcluded = file.flag(member.value, what: name, code: code(.wrongType))
            case "caseSensitive": component.isCaseSensitive = file.flag(member.value, what: name)
            case "percentEncoded": component.isPercentEncoded = file.flag(member.value, what: name)
            case comment: component.comment = file.string(member.value, name)
            default: break
            }
        }
        let isEncoded = component.isPercentEncoded ?? defaults.isPercentEncoded ?? true
        for member in members {
            switch member.name {
            case "/": component.path = pattern(member.value, part: .path, isEncoded: isEncoded)
            case "#": component.fragment = pattern(member.value, part: .fragment, isEncoded: isEncoded)
            case "?": component.query = query(member.value, isEncoded)
            default: break
            }
        }
        if isAndroid, component.path == nil, component.fragment == nil, component.query == nil,
            !members.contains(where: { ["/", "#", "?"].contains($0.name) })
        {
            let message = "a component without \"/\", \"?\" and \"#\" takes no URL on Android"
            let advice = "write \"/\": \"*\" for every URL"
            file.report(.warning(.neverMatches), message, at: value.place, suggestion: advice)
        }
        return component
    }

    /// An error in a query leaves no condition: devices ignore all of it then.
    private mutating func query(_ value: PlacedJSON, _ isEncoded: Bool) -> AppLinkComponent.Query? {
        guard let members = value.members else {
            guard !isAndroid, value.text != nil else {
                file.report(
                    .error(code(.wrongType)),
                    isAndroid
                        ? "\"?\" is an object, not \(value.kind)" : "\"?\" is a string or an object, not \(value.kind)",
                    at: value.place,
                    suggestion: isAndroid ? "write {\"name\": \"value\"}" : nil
                )
                return nil
            }
            return pattern(value, part: .query, isEncoded: isEncoded).map { .pattern($0) }
        }
        if isAndroid, members.isEmpty {
            let advice = "leave it out"
            file.report(.warning(.neverMatches), "an empty \"?\" has no effect", at: value.place, suggestion: advice)
        }
        var items: [String: String] = [:]
        for member in members {
            items[member.name] = pattern(member.value, part: .item, isEncoded: isEncoded)
        }
        return items.count == members.count ? .items(items) : nil
    }

    // MARK: Patterns

    /// Reads a pattern, and reports what keeps it from ever matching.
    private mutating func pattern(_ value: PlacedJSON, part: PatternMistake.Part, isEncoded: Bool) -> String? {
        guard let text = value.text else {
            file.report(
                .error(isAndroid ? .rulesDiscarded : part == .item ? .queryValue : .wrongType),
                "\(part.name) is a string, not \(value.kind)",
                at: value.place,
                suggestion: part == .item && !isAndroid ? "devices ignore all of \"?\" otherwise" : nil
            )
            return nil
        }
        if isAndroid, text.isEmpty, part != .item {
            let message =
                "\(part.name) is empty, so Android discards all components: the intent filters of the app decide"
            file.report(.error(.rulesDiscarded), message, at: value.place)
            return nil
        }
        if let variables {
            do throws(AppLinkPattern.Problem) {
                _ = try AppLinkPattern(text, variables: variables)
            } catch {
                report(error, at: value.place)
                return nil
            }
            for name in variables.keys.sorted() where text.contains("$(\(name))") {
                used.insert(name)
                if isEncoded { usedEncoded.insert(name) }
            }
        }
        file.report(PatternMistake(in: text, part, isAndroid: isAndroid, isEncoded: isEncoded), at: value.place)
        return text
    }

    /// Reports values of variables that no encoded URL has.
    func reportValues() {
        for name in usedEncoded.sorted() {
            for value in values[name] ?? [] { file.report(PatternMistake(encodedValue: value.text), at: value.place) }
        }
    }

    private func report(_ problem: AppLinkPattern.Problem, at place: Range<Int>) {
        switch problem {
        case .unclosedVariable(let rest):
            file.report(.error(.variable), "\"$(\(rest)\" has no closing parenthesis", at: place)
        case .unknownVariable(let name):
            let known = (variables ?? [:]).keys.sorted() + AppLinkPattern.predefined.keys.sorted()
            file.report(
                .error(.variable),
                "there is no variable \"\(name)\"",
                at: place,
                suggestion: Suggestion.meant(by: name, among: known)
                    ?? "declare it in \"substitutionVariables\", or use one of: \(known.joined(separator: ", "))"
            )
        }
    }
}
