import ShuntCore

/// Reads Apple's file.
struct AppSiteAssociationReader {
    private var file: AssociationFile
    private var result = AppSiteAssociation()

    init(_ file: AssociationFile) { self.file = file }

    mutating func read() throws(AppLinksError) -> AppSiteAssociation {
        if file.count > AppSiteAssociation.sizeLimit {
            file.report(
                .error,
                "too-large",
                "the file has \(file.count) bytes, and devices read \(AppSiteAssociation.sizeLimit)",
                at: 0..<0,
                suggestion: "say more with wildcards and variables"
            )
        }
        if let root = file.json() { read(root) }
        result.warnings = try file.finish()
        return result
    }

    private mutating func read(_ root: PlacedJSON) {
        let known = ["applinks", "webcredentials", "appclips", "activitycontinuation"]
        guard let members = file.object(root, "the file", members: known) else { return }
        for member in members {
            switch member.name {
            case "applinks": readAppLinks(member.value)
            case "webcredentials": result.webCredentials = apps(of: member)
            case "appclips": result.appClips = apps(of: member)
            case "activitycontinuation": result.activityContinuation = apps(of: member)
            default: break
            }
        }
        if members.isEmpty { file.report(.warning, "empty", "the file says nothing", at: root.place) }
    }

    /// The apps of a service that is nothing but a list of them.
    private mutating func apps(of member: PlacedJSON.Member) -> [String] {
        guard file.object(member.value, "\"\(member.name)\"", members: ["apps"]) != nil else { return [] }
        guard let list = member.value["apps"] else {
            file.report(.error, "missing", "\"\(member.name)\" has no \"apps\"", at: member.place)
            return []
        }
        let apps = file.strings(list, "\"apps\"")
        for app in apps { checkApp(app.text, at: app.place) }
        return apps.map(\.text)
    }

    private mutating func readAppLinks(_ value: PlacedJSON) {
        let known = ["apps", "details", "defaults", "substitutionVariables"]
        guard let members = file.object(value, "\"applinks\"", members: known) else { return }
        if let apps = value["apps"], !(apps.items ?? []).isEmpty {
            file.report(.warning, "apps", "\"apps\" of \"applinks\" is empty or missing", at: apps.place)
        }
        var declared: [String: Range<Int>] = [:]
        if let variables = value["substitutionVariables"] { declared = readVariables(variables) }
        if let defaults = value["defaults"] { result.defaults = readDefaults(defaults) }
        guard let details = value["details"] else {
            return file.report(
                .error,
                "missing",
                "\"applinks\" has no \"details\"",
                at: value.place.lowerBound..<value.place.lowerBound + 1
            )
        }
        guard let items = details.items else {
            return file.report(
                .error,
                "type",
                "\"details\" is a list of objects, not \(details.kind)",
                at: details.place.lowerBound..<details.place.lowerBound + 1,
                suggestion: "write [{\"appIDs\": […], \"components\": […]}]"
            )
        }
        var reader = ComponentReader(variables: result.substitutionVariables, comment: "comment")
        var seen: [String: Int] = [:]
        for item in items { readDetails(item, &reader, &seen) }
        for (name, place) in declared where !reader.used.contains(name) {
            file.report(.warning, "unused-variable", "no pattern has \"$(\(name))\"", at: place)
        }
        _ = members
    }

    private mutating func readVariables(_ value: PlacedJSON) -> [String: Range<Int>] {
        guard let members = value.members else {
            file.report(
                .error,
                "type",
                "\"substitutionVariables\" is an object, not \(value.kind)",
                at: value.place
            )
            return [:]
        }
        var declared: [String: Range<Int>] = [:]
        for member in members {
            if AppLinkPattern.predefined[member.name] == nil { declared[member.name] = member.place }
            if member.name.isEmpty || member.name.contains(where: { "$()".contains($0) }) {
                file.report(.error, "variable", "a name has no \"$\", \"(\" or \")\"", at: member.place)
            }
            if AppLinkPattern.predefined[member.name] != nil {
                file.report(.error, "variable", "\"\(member.name)\" is a variable of every file", at: member.place)
            }
            let values = file.strings(member.value, "\"\(member.name)\"")
            for value in values where value.text.contains("$(") {
                file.report(.error, "variable", "a value has no variables itself", at: value.place)
            }
            if values.isEmpty {
                file.report(
                    .warning,
                    "variable",
                    "\"\(member.name)\" has no values, so nothing matches",
                    at: member.place
                )
            }
            result.substitutionVariables[member.name] = values.map(\.text)
        }
        return declared
    }

    private mutating func readDefaults(_ value: PlacedJSON) -> AppLinkDefaults {
        var defaults = AppLinkDefaults()
        let known = ["caseSensitive", "percentEncoded"]
        guard let members = file.object(value, "\"defaults\"", members: known) else { return defaults }
        for member in members {
            switch member.name {
            case "caseSensitive": defaults.isCaseSensitive = file.flag(member.value, "\"caseSensitive\"")
            case "percentEncoded": defaults.isPercentEncoded = file.flag(member.value, "\"percentEncoded\"")
            default: break
            }
        }
        return defaults
    }

    private mutating func readDetails(_ value: PlacedJSON, _ reader: inout ComponentReader, _ seen: inout [String: Int])
    {
        let known = ["appIDs", "appID", "components", "paths", "defaults"]
        guard let members = file.object(value, "an entry of \"details\"", members: known) else { return }
        var apps: [(text: String, place: Range<Int>)] = []
        if let list = value["appIDs"] { apps = file.strings(list, "\"appIDs\"") }
        if let one = value["appID"], let text = file.string(one, "\"appID\"") {
            if value["appIDs"] == nil {
                apps = [(text, one.place)]
            } else {
                file.report(.warning, "apps", "\"appIDs\" is there, so devices may ignore \"appID\"", at: one.place)
            }
        }
        let start = value.place.lowerBound..<value.place.lowerBound + 1
        if value["appIDs"] == nil, value["appID"] == nil, !members.contains(where: { !known.contains($0.name) }) {
            file.report(.error, "missing", "the entry has no \"appIDs\"", at: start)
        }
        for app in apps {
            checkApp(app.text, at: app.place)
            let line = file.location(app.place).line
            if let first = seen[app.text] {
                let message = "\"\(app.text)\" has an entry already, on line \(first)"
                file.report(.warning, "apps", message, at: app.place, suggestion: "put both into one")
            } else {
                seen[app.text] = line
            }
        }
        var details = AppSiteAssociation.Details(appIDs: apps.map(\.text), components: [])
        if let defaults = value["defaults"] { details.defaults = readDefaults(defaults) }
        if let components = value["components"] {
            var defaults = details.defaults
            defaults.isPercentEncoded = defaults.isPercentEncoded ?? result.defaults.isPercentEncoded
            details.components = reader.list(components, "\"components\"", defaults, in: &file)
        } else if let paths = value["paths"] {
            details.isLegacy = true
            details.components = readPaths(paths, &reader)
        } else if !members.contains(where: { !known.contains($0.name) }) {
            file.report(.error, "missing", "the entry has no \"components\"", at: start)
        }
        result.details.append(details)
    }

    /// The old form: patterns of paths, of which those with `NOT ` before them are excluded.
    private mutating func readPaths(_ value: PlacedJSON, _ reader: inout ComponentReader) -> [AppLinkComponent] {
        var components: [(component: AppLinkComponent, place: Range<Int>)] = []
        for path in file.strings(value, "\"paths\"") {
            var component = AppLinkComponent()
            component.isExcluded = path.text.hasPrefix("NOT ")
            let pattern = component.isExcluded ? String(path.text.dropFirst(4)) : path.text
            component.path = pattern
            component.location = file.location(path.place)
            if let first = pattern.first, first != "/", first != "*", first != "?" {
                file.report(
                    .warning,
                    "never-matches",
                    pattern.hasPrefix("not ") ? "only \"NOT \" excludes" : "a path begins with \"/\"",
                    at: path.place,
                    suggestion: pattern.hasPrefix("not ")
                        ? "write \"NOT \(pattern.dropFirst(4))\"" : "write \"/\(pattern)\""
                )
            }
            components.append((component, path.place))
        }
        ComponentReader.check(components, value.place, "\"paths\"", in: &file)
        return components.map(\.component)
    }

    /// An identifier is a prefix of ten capital letters and digits, a full stop, and the identifier of a bundle.
    private mutating func checkApp(_ app: String, at place: Range<Int>) {
        let parts = app.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isPrefix =
            parts[0].utf8.count == 10
            && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
        let isBundle =
            parts.count == 2 && !parts[1].isEmpty
            && parts[1].utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2d || $0 == 0x2e }
        guard !isPrefix || !isBundle else { return }
        file.report(
            .error,
            "app-identifier",
            "\"\(app)\" is no identifier of an app",
            at: place,
            suggestion:
                "write the ten characters of the prefix, a full stop and the bundle identifier: ABCDE12345.com.example.app"
        )
    }
}
