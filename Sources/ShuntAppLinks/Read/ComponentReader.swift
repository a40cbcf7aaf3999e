import ShuntCore

/// Reads components, which both files have.
struct ComponentReader {
    /// The variables of the file; nil where `$(` has no meaning.
    let variables: [String: [String]]?
    /// What the members are called in this file.
    let comment: String
    /// Which variables were used.
    private(set) var used: Set<String> = []

    init(variables: [String: [String]]?, comment: String) {
        self.variables = variables
        self.comment = comment
    }

    private var members: [String] {
        ["/", "?", "#", "exclude", comment] + (variables == nil ? [] : ["caseSensitive", "percentEncoded"])
    }

    /// Reads a list of components, and looks for those that can never decide.
    mutating func list(
        _ value: PlacedJSON,
        _ what: String,
        _ defaults: AppLinkDefaults,
        in file: inout AssociationFile
    ) -> [AppLinkComponent] {
        guard let items = value.items else {
            file.report(.error, "type", "\(what) is a list of objects, not \(value.kind)", at: value.place)
            return []
        }
        var components: [(component: AppLinkComponent, place: Range<Int>)] = []
        for item in items {
            guard let component = component(item, defaults, in: &file) else { continue }
            components.append((component, item.place))
        }
        // What is left out may be what opens something.
        if components.count == items.count { Self.check(components, value.place, what, in: &file) }
        return components.map(\.component)
    }

    /// Looks for components that nothing reaches, and for lists that open nothing.
    static func check(
        _ components: [(component: AppLinkComponent, place: Range<Int>)],
        _ place: Range<Int>,
        _ what: String,
        in file: inout AssociationFile
    ) {
        if let all = components.firstIndex(where: \.component.takesEverything), all + 1 < components.count {
            let line = file.location(components[all].place).line
            file.report(
                .warning,
                "unreachable",
                "no URL gets here, since the one on line \(line) takes every URL",
                at: components[all + 1].place,
                suggestion: "move it before line \(line)"
            )
        }
        if components.isEmpty || components.allSatisfy(\.component.isExcluded) {
            file.report(.warning, "opens-nothing", "\(what) takes no URL, so the app opens none", at: place)
        }
    }

    private mutating func component(
        _ value: PlacedJSON,
        _ defaults: AppLinkDefaults,
        in file: inout AssociationFile
    ) -> AppLinkComponent? {
        guard let members = file.object(value, "a component", members: members) else { return nil }
        var component = AppLinkComponent()
        component.location = file.location(value.place)
        for member in members {
            switch member.name {
            case "exclude": component.isExcluded = file.flag(member.value, "\"exclude\"") ?? false
            case "caseSensitive": component.isCaseSensitive = file.flag(member.value, "\"caseSensitive\"")
            case "percentEncoded": component.isPercentEncoded = file.flag(member.value, "\"percentEncoded\"")
            case comment: component.comment = file.string(member.value, "\"\(comment)\"")
            default: break
            }
        }
        let isEncoded = component.isPercentEncoded ?? defaults.isPercentEncoded ?? true
        for member in members {
            switch member.name {
            case "/": component.path = pattern(member.value, .path, isEncoded, in: &file)
            case "#": component.fragment = pattern(member.value, .fragment, isEncoded, in: &file)
            case "?": component.query = query(member.value, isEncoded, in: &file)
            default: break
            }
        }
        return component
    }

    private mutating func query(
        _ value: PlacedJSON,
        _ isEncoded: Bool,
        in file: inout AssociationFile
    ) -> AppLinkComponent.Query? {
        guard let members = value.members else {
            guard value.text != nil else {
                file.report(.error, "type", "\"?\" is a string or an object, not \(value.kind)", at: value.place)
                return nil
            }
            return pattern(value, .query, isEncoded, in: &file).map { .pattern($0) }
        }
        var items: [String: String] = [:]
        for member in members { items[member.name] = pattern(member.value, .item, isEncoded, in: &file) }
        return .items(items)
    }

    // MARK: Patterns

    /// What a pattern is for.
    enum Part: String {
        case path = "/"
        case query = "?"
        case fragment = "#"
        case item = "an item of \"?\""
    }

    /// Reads a pattern, and reports what keeps it from ever matching.
    mutating func pattern(
        _ value: PlacedJSON,
        _ part: Part,
        _ isEncoded: Bool,
        in file: inout AssociationFile
    ) -> String? {
        guard let text = file.string(value, part == .item ? part.rawValue : "\"\(part.rawValue)\"") else { return nil }
        do throws(AppLinkPattern.Problem) {
            _ = try AppLinkPattern(text, variables: variables)
        } catch {
            report(error, at: value.place, in: &file)
            return nil
        }
        for name in variables?.keys.sorted() ?? [] where text.contains("$(\(name))") { used.insert(name) }
        if let (message, suggestion) = Self.mistake(in: text, part, isEncoded) {
            file.report(.warning, "never-matches", message, at: value.place, suggestion: suggestion)
        }
        return text
    }

    private func report(_ problem: AppLinkPattern.Problem, at place: Range<Int>, in file: inout AssociationFile) {
        switch problem {
        case .unclosedVariable(let rest):
            file.report(.error, "variable", "\"$(\(rest)\" has no closing parenthesis", at: place)
        case .unknownVariable(let name):
            let known = (variables ?? [:]).keys.sorted() + AppLinkPattern.predefined.keys.sorted()
            file.report(
                .error,
                "variable",
                "there is no variable \"\(name)\"",
                at: place,
                suggestion: Suggestion.closest(to: name, among: known).map { "did you mean \"\($0)\"?" }
                    ?? "declare it in \"substitutionVariables\", or use one of: \(known.joined(separator: ", "))"
            )
        }
    }

    /// Why a pattern takes no URL, and what to do about it.
    private static func mistake(in text: String, _ part: Part, _ isEncoded: Bool) -> (String, String)? {
        if part == .path {
            if text.isEmpty { return ("no path is empty", "write \"/\" for the first page, or \"*\" for every path") }
            if text.hasPrefix("http:") || text.hasPrefix("https:") {
                return ("a path has no scheme and no host", "leave out everything before the path")
            }
            if let first = text.unicodeScalars.first, !"/*?$".unicodeScalars.contains(first) {
                return ("a path begins with \"/\"", "write \"/\(text)\"")
            }
            if text.contains("#") { return ("a path has no \"#\"", "write what follows it as \"#\"") }
        }
        if part == .query || part == .fragment, text.count > 1, text.hasPrefix(part.rawValue), text != "?*" {
            return ("\"\(part.rawValue)\" at the start is no part of it", "write \"\(text.dropFirst())\"")
        }
        if isEncoded {
            if let scalar = text.unicodeScalars.first(where: { !$0.isASCII || $0 == " " }) {
                let encoded = String(scalar).utf8
                    .map { byte in
                        String(
                            decoding: [0x25, (byte >> 4).upperHexadecimalDigit, byte.upperHexadecimalDigit],
                            as: UTF8.self
                        )
                    }
                return (
                    "URLs are compared encoded, and \"\(scalar)\" is \"\(encoded.joined())\" there",
                    "write it encoded, or \"percentEncoded\": false"
                )
            }
        }
        return nil
    }
}
