import ShuntCore

/// Reads Apple's file.
struct AppSiteAssociationReader {
    private let file: AssociationFile
    private var reader: ComponentReader
    /// The lines with the first entry of each app.
    private var seen: [String: Int] = [:]
    private var result = AppSiteAssociation()
    /// The values of each variable, with their places.
    private var values: [String: [(text: String, place: Range<Int>)]] = [:]

    init(_ file: AssociationFile) {
        self.file = file
        reader = ComponentReader(file, variables: [:], comment: "comment")
    }

    /// Reads what can be read; everything that is wrong, errors too, is in the `warnings` of the file.
    mutating func read() -> AppSiteAssociation {
        if file.count > AppSiteAssociation.sizeLimit {
            let message = "the file has \(file.count) bytes, and devices read \(AppSiteAssociation.sizeLimit)"
            file.report(.error(.tooLarge), message, at: 0..<0, suggestion: "match more with wildcards and variables")
        }
        if let root = file.json() { read(root) }
        result.warnings = file.diagnostics.inOrder
        return result
    }

    private mutating func read(_ root: PlacedJSON) {
        let known = ["applinks", "webcredentials", "appclips", "activitycontinuation", "authsrv"]
        guard let members = file.object(root, what: "the file", members: known) else { return }
        for member in members {
            switch member.name {
            case "applinks": readAppLinks(member.value)
            case "webcredentials": result.webCredentials = apps(of: member)
            case "appclips": result.appClips = apps(of: member)
            case "activitycontinuation": result.activityContinuation = apps(of: member)
            case "authsrv": result.authenticationServices = apps(of: member)
            default: break
            }
        }
        if members.isEmpty { file.report(.warning(.empty), "the file has no entries", at: root.place) }
    }

    /// The apps of a service that is nothing but a list of them.
    private mutating func apps(of member: PlacedJSON.Member) -> [String] {
        guard file.object(member.value, what: "\"\(member.name)\"", members: ["apps"]) != nil else { return [] }
        guard let list = member.value["apps"] else {
            file.report(.error(.missing), "\"\(member.name)\" has no \"apps\"", at: member.place)
            return []
        }
        let apps = file.strings(list, "\"apps\"")
        if list.items?.isEmpty ?? false {
            file.report(.warning(.empty), "\"\(member.name)\" has no apps", at: list.place)
        }
        return apps.filter { checkApp($0.text, at: $0.place) }.map(\.text)
    }

    private mutating func readAppLinks(_ value: PlacedJSON) {
        let known = ["apps", "details", "defaults", "substitutionVariables"]
        guard file.object(value, what: "\"applinks\"", members: known) != nil else { return }
        if let apps = value["apps"] { readOldApps(apps) }
        let declared = value["substitutionVariables"].map { readVariables($0) } ?? [:]
        seen = [:]
        reader = ComponentReader(file, variables: result.substitutionVariables, values: values, comment: "comment")
        if let defaults = value["defaults"] {
            result.defaults = reader.defaults(defaults, completedBy: AppLinkComponent())
        }
        guard let details = value["details"] else {
            let message = "\"applinks\" has no \"details\""
            return file.report(.error(.missing), message, at: value.place.lowerBound..<value.place.lowerBound + 1)
        }
        if let items = details.items {
            if items.isEmpty {
                file.report(.warning(.empty), "\"details\" is empty: no app opens a URL", at: details.place)
            }
            for item in items { readDetails(item, named: nil) }
        } else if let entries = details.members {
            readOldest(entries, at: details.place)
        } else {
            let message = "\"details\" is a list of objects, not \(details.kind)"
            let advice = "write [{\"appIDs\": […], \"components\": […]}]"
            file.report(.error(.wrongType), message, at: details.place, suggestion: advice)
        }
        for (name, place) in declared where !reader.used.contains(name) {
            file.report(.warning(.unusedVariable), "no pattern has \"$(\(name))\"", at: place)
        }
        reader.reportValues()
    }

    /// Checks the list that devices before iOS 13 need, and need empty.
    private mutating func readOldApps(_ apps: PlacedJSON) {
        guard !(apps.items ?? []).isEmpty else { return }
        let message = "\"apps\" of \"applinks\" has an entry, and devices expect none"
        let advice = "write \"apps\": [], and name the apps in \"details\""
        file.report(.warning(.apps), message, at: apps.place, suggestion: advice)
    }

    /// The form of 2015: an object with an entry for each app.
    private mutating func readOldest(_ entries: [PlacedJSON.Member], at place: Range<Int>) {
        // An entry that was meant to be in a list is more likely than an app of that name.
        let isMeant = !entries.isEmpty && !entries.contains { Self.entryMembers.contains($0.name) }
        file.report(
            isMeant ? .warning(.oldestForm) : .error(.wrongType),
            isMeant
                ? "an object by app is the oldest form of \"details\""
                : "\"details\" is a list of objects, not an object",
            at: place.lowerBound..<place.lowerBound + 1,
            suggestion: "write [{\"appIDs\": […], \"components\": […]}]"
        )
        guard isMeant else { return }
        for entry in entries { readDetails(entry.value, named: (entry.name, entry.place)) }
    }

    private mutating func readVariables(_ value: PlacedJSON) -> [String: Range<Int>] {
        guard let members = value.members else {
            let message = "\"substitutionVariables\" is an object, not \(value.kind)"
            file.report(.error(.wrongType), message, at: value.place)
            return [:]
        }
        var declared: [String: Range<Int>] = [:]
        for member in members {
            if AppLinkPattern.predefined[member.name] == nil { declared[member.name] = member.place }
            if member.name.isEmpty || member.name.contains(where: { "$()".contains($0) }) {
                file.report(.error(.variable), "a name has no \"$\", \"(\" or \")\"", at: member.place)
            }
            if AppLinkPattern.predefined[member.name] != nil {
                file.report(.error(.variable), "\"\(member.name)\" is a variable of every file", at: member.place)
            }
            let values = file.strings(member.value, "\"\(member.name)\"")
            for value in values {
                if value.text.contains("$(") {
                    file.report(.error(.variable), "a value has no variables itself", at: value.place)
                } else {
                    file.report(PatternMistake(value: value.text), at: value.place)
                }
            }
            if values.isEmpty {
                let message = "\"\(member.name)\" has no values, so nothing matches"
                file.report(.warning(.variable), message, at: member.place)
            }
            result.substitutionVariables[member.name] = values.map(\.text)
            self.values[member.name] = values
        }
        return declared
    }

    private static let entryMembers = ["appIDs", "appID", "components", "paths", "defaults"]

    /// Reads an entry of "details", of an app that its place names or of those that it names.
    private mutating func readDetails(_ value: PlacedJSON, named: (text: String, place: Range<Int>)?) {
        let known = named == nil ? Self.entryMembers : ["components", "paths", "defaults"]
        guard let members = file.object(value, what: "an entry of \"details\"", members: known) else { return }
        let isMisspelt = members.contains { !known.contains($0.name) }
        let apps = named.map { [$0] } ?? readApps(value, isMisspelt)
        // A device has no app of an identifier that is wrong.
        let valid = check(apps)
        var details = AppSiteAssociation.Details(appIDs: valid, components: [])
        if let defaults = value["defaults"] {
            details.defaults = reader.defaults(defaults, completedBy: result.defaults)
        }
        let paths = value["paths"]
            .map { readPaths($0, defaults: details.defaults.completed(by: result.defaults)) }
        if let components = value["components"] {
            let defaults = details.defaults.completed(by: result.defaults)
            details.components = reader.list(components, what: "\"components\"", defaults: defaults)
        } else if let paths {
            details.isLegacy = true
            details.components = paths
        } else if !isMisspelt {
            let start = value.place.lowerBound..<value.place.lowerBound + 1
            file.report(.error(.missing), "the entry has no \"components\"", at: start)
        }
        result.details.append(details)
    }

    private mutating func readApps(_ value: PlacedJSON, _ isMisspelt: Bool) -> [(text: String, place: Range<Int>)] {
        if let list = value["appIDs"] {
            if let one = value["appID"] {
                file.report(.warning(.apps), "\"appIDs\" is there, so devices may ignore \"appID\"", at: one.place)
            }
            if list.items?.isEmpty ?? false {
                file.report(.warning(.empty), "\"appIDs\" is empty: no app opens these URLs", at: list.place)
            }
            return file.strings(list, "\"appIDs\"")
        }
        if let one = value["appID"] { return file.string(one, "\"appID\"").map { [($0, one.place)] } ?? [] }
        if !isMisspelt {
            let start = value.place.lowerBound..<value.place.lowerBound + 1
            file.report(.error(.missing), "the entry has no \"appIDs\"", at: start)
        }
        return []
    }

    /// Reports what is wrong with the apps of an entry; returns the identifiers that an app may have.
    private mutating func check(_ apps: [(text: String, place: Range<Int>)]) -> [String] {
        var valid: [String] = []
        for app in apps {
            if checkApp(app.text, at: app.place) { valid.append(app.text) }
            let line = file.location(app.place).line
            if let first = seen[app.text] {
                let message = "\"\(app.text)\" has an entry already, on line \(first)"
                file.report(.warning(.apps), message, at: app.place, suggestion: "put both into one")
            } else {
                seen[app.text] = line
            }
        }
        return valid
    }

    /// The old form: patterns of paths, of which those with `NOT ` before them are excluded.
    private mutating func readPaths(_ value: PlacedJSON, defaults: AppLinkComponent) -> [AppLinkComponent] {
        var components: [(component: AppLinkComponent, place: Range<Int>)] = []
        for path in file.strings(value, "\"paths\"") {
            var component = AppLinkComponent()
            if path.text.hasPrefix("NOT ") { component.isExcluded = true }
            let pattern = component.isExcluded == true ? String(path.text.dropFirst(4)) : path.text
            component.location = file.location(path.place)
            component.path = pattern
            let text = pattern.hasPrefix(" ") ? path.text : pattern
            file.report(PatternMistake(in: text, .oldPath, isAndroid: false, isEncoded: true), at: path.place)
            components.append((component, path.place))
        }
        reader.check(components, at: value.place, what: "\"paths\"", defaults: defaults)
        return components.map(\.component)
    }

    /// An identifier is a prefix of ten capital letters and digits, a full stop, and the identifier of a bundle.
    private mutating func checkApp(_ app: String, at place: Range<Int>) -> Bool {
        let parts = app.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let isPrefix =
            parts[0].utf8.count == 10
            && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
        let isBundle =
            parts.count == 2 && !parts[1].isEmpty
            && parts[1].utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2d || $0 == 0x2e }
        if isPrefix, isBundle { return true }
        let advice =
            "write the ten characters of the prefix, a full stop and the bundle identifier: ABCDE12345.com.example.app"
        file.report(.error(.appIdentifier), "\"\(app)\" is not an identifier of an app", at: place, suggestion: advice)
        return false
    }
}
