import ShuntCore

/// Reads Google's file.
struct AssetLinksReader {
    static let relations = [
        AssetLinks.handlesURLs, "delegate_permission/common.get_login_creds",
        "delegate_permission/common.use_as_origin", "delegate_permission/common.share_location", queriesApps,
    ]
    /// The relation by which a website asks for its web app that is installed; the site is the URL of its manifest.
    static let queriesApps = "delegate_permission/common.query_webapk"

    private let file: AssociationFile
    private var result = AssetLinks()
    /// The line of the first components of each app.
    private var lines: [String: Int] = [:]

    init(_ file: AssociationFile) { self.file = file }

    /// Reads what can be read; everything that is wrong, errors too, is in the `warnings` of the file.
    mutating func read() -> AssetLinks {
        if let root = file.json() {
            if let items = root.items {
                for item in items { readStatement(item) }
                if items.isEmpty { file.report(.warning(.empty), "the file has no entries", at: root.place) }
            } else {
                file.report(
                    .error(.wrongType),
                    "the file is a list of statements, not \(root.kind)",
                    at: root.place.lowerBound..<root.place.lowerBound + 1,
                    suggestion: root.members == nil ? nil : "put brackets around it"
                )
            }
        }
        result.warnings = file.diagnostics.inOrder
        return result
    }

    private mutating func readStatement(_ value: PlacedJSON) {
        let start = value.place.lowerBound..<value.place.lowerBound + 1
        if let include = value["include"] {
            guard file.object(value, what: "an include", members: ["include"]) != nil,
                let text = file.string(include, "\"include\"")
            else { return }
            if !text.hasPrefix("https://") {
                file.report(.error(.include), "an include is an https URL", at: include.place)
            }
            return result.includes.append(text)
        }
        let known = ["relation", "target", "relation_extensions"]
        guard let members = file.object(value, what: "a statement", members: known) else { return }
        var statement = AssetLinks.Statement(relations: [], target: .site(""))
        statement.location = file.location(value.place)
        let isMisspelled = members.contains { !known.contains($0.name) }
        if let relation = value["relation"] {
            let relations = file.strings(relation, "\"relation\"")
            for relation in relations { check(relation: relation.text, at: relation.place) }
            if relation.items?.isEmpty ?? false {
                let message = "\"relation\" is empty, so the statement has no effect"
                file.report(.warning(.empty), message, at: relation.place)
            }
            statement.relations = relations.map(\.text)
        } else if !isMisspelled {
            file.report(.error(.missing), "the statement has no \"relation\"", at: start)
        }
        if let extensions = value["relation_extensions"] { readExtensions(extensions, &statement) }
        guard let target = value["target"] else {
            if !isMisspelled { file.report(.error(.missing), "the statement has no \"target\"", at: start) }
            return
        }
        guard let read = readTarget(target, isManifest: statement.relations.contains(Self.queriesApps)) else { return }
        statement.target = read
        if case .app(let package, _) = read, statement.components != nil {
            checkOnce(package, at: value["relation_extensions"]?.place ?? start)
        }
        result.statements.append(statement)
    }

    private mutating func check(relation: String, at place: Range<Int>) {
        guard !Self.relations.contains(relation) else { return }
        let meant = Suggestion.meant(by: relation, among: Self.relations)
        let parts = relation.split(separator: "/", omittingEmptySubsequences: false)
        let isWellFormed = parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty
        file.report(
            Diagnostic.Kind(meant == nil && isWellFormed ? .warning : .error, .relation),
            isWellFormed ? "\"\(relation)\" is not a relation in use" : "\"\(relation)\" is not a relation",
            at: place,
            suggestion: meant ?? "apps open URLs by \"\(AssetLinks.handlesURLs)\""
        )
    }

    private mutating func readExtensions(_ value: PlacedJSON, _ statement: inout AssetLinks.Statement) {
        let known = [AssetLinks.handlesURLs]
        guard file.object(value, what: "\"relation_extensions\"", members: known) != nil,
            let handling = value[AssetLinks.handlesURLs]
        else { return }
        let name = "dynamic_app_link_components"
        guard file.object(handling, what: "the extension", members: [name]) != nil, let list = handling[name] else {
            return
        }
        var reader = ComponentReader(file, variables: nil, comment: "comments")
        let before = file.errors(of: .rulesDiscarded)
        statement.components = reader.list(list, what: "\"\(name)\"", defaults: AppLinkComponent())
        // Android discards all of them for one that is malformed.
        if file.errors(of: .rulesDiscarded) > before { statement.components = [] }
        if !statement.relations.contains(AssetLinks.handlesURLs) {
            file.report(.warning(.relation), "the statement does not let the app open URLs at all", at: value.place)
        }
    }

    /// Reports components of an app that has some already: Google does not state which of them count.
    private mutating func checkOnce(_ package: String, at place: Range<Int>) {
        let line = file.location(place).line
        if let first = lines[package] {
            let message =
                "components of \"\(package)\" are on line \(first) already; which of them count is not defined"
            file.report(.warning(.componentsTwice), message, at: place, suggestion: "put both lists into one")
        } else {
            lines[package] = line
        }
    }

    private mutating func readTarget(_ value: PlacedJSON, isManifest: Bool) -> AssetLinks.Target? {
        let start = value.place.lowerBound..<value.place.lowerBound + 1
        guard value.members != nil else {
            file.report(.error(.wrongType), "\"target\" is an object, not \(value.kind)", at: value.place)
            return nil
        }
        guard let namespace = value["namespace"] else {
            let advice = "android_app or web"
            file.report(.error(.missing), "the target has no \"namespace\"", at: start, suggestion: advice)
            return nil
        }
        switch file.string(namespace, "\"namespace\"") {
        case "android_app": return readApp(value, start)
        case "web": return readSite(value, start, isManifest: isManifest)
        case nil: return nil
        case let name?:
            let message = "there is no namespace \"\(name)\""
            let advice = Suggestion.meant(by: name, among: ["android_app", "web"]) ?? "there are: android_app, web"
            file.report(.error(.namespace), message, at: namespace.place, suggestion: advice)
            return nil
        }
    }

    private mutating func readApp(_ value: PlacedJSON, _ start: Range<Int>) -> AssetLinks.Target? {
        let known = ["namespace", "package_name", "sha256_cert_fingerprints"]
        guard let members = file.object(value, what: "the target", members: known) else { return nil }
        let isMisspelled = members.contains { !known.contains($0.name) }
        for name in known.dropFirst() where value[name] == nil && !isMisspelled {
            file.report(.error(.missing), "the target has no \"\(name)\"", at: start)
        }
        guard let package = value["package_name"], let prints = value["sha256_cert_fingerprints"],
            let name = file.string(package, "\"package_name\"")
        else { return nil }
        let segments = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            segments.count > 1
            && segments.allSatisfy { segment in
                (segment.utf8.first?.isASCIILetter ?? false)
                    && segment.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
            }
        if !isName {
            let advice = "such as com.example.app"
            file.report(.error(.package), "\"\(name)\" is not a package name", at: package.place, suggestion: advice)
        }
        let fingerprints = file.strings(prints, "\"sha256_cert_fingerprints\"")
        if fingerprints.isEmpty, prints.items != nil {
            file.report(.error(.fingerprint), "without a fingerprint no app is meant", at: prints.place)
        }
        for print in fingerprints { check(fingerprint: print.text, at: print.place) }
        return .app(package: name, fingerprints: fingerprints.map(\.text))
    }

    private mutating func check(fingerprint: String, at place: Range<Int>) {
        let pairs = fingerprint.split(separator: ":", omittingEmptySubsequences: false)
        let areHexadecimal = pairs.allSatisfy {
            $0.utf8.count == 2 && $0.utf8.allSatisfy { $0.hexadecimalValue != nil }
        }
        if areHexadecimal, pairs.count == 32 {
            guard fingerprint.utf8.contains(where: { (0x61...0x66).contains($0) }) else { return }
            let capital = fingerprint.uppercased()
            let advice = "write \(capital)"
            return file.report(.error(.fingerprint), "a fingerprint has capital letters", at: place, suggestion: advice)
        }
        let digits = fingerprint.utf8.filter { $0.hexadecimalValue != nil }
        let isPlain = digits.count == 64 && fingerprint.utf8.count == 64
        file.report(
            .error(.fingerprint),
            areHexadecimal && pairs.count == 20
                ? "this is a SHA-1 fingerprint, of 20 bytes"
                : "a SHA-256 fingerprint is 32 pairs of hexadecimal digits",
            at: place,
            suggestion: isPlain
                ? "put colons between the pairs" : "keytool -list -v shows it after \"SHA256:\""
        )
    }

    private mutating func readSite(_ value: PlacedJSON, _ start: Range<Int>, isManifest: Bool) -> AssetLinks.Target? {
        guard let members = file.object(value, what: "the target", members: ["namespace", "site"]) else { return nil }
        guard let site = value["site"] else {
            if members.count < 2 { file.report(.error(.missing), "the target has no \"site\"", at: start) }
            return nil
        }
        guard let text = file.string(site, "\"site\"") else { return nil }
        let bytes = Array(text.utf8)
        var isSite = false
        if let parts = try? URLParser.parse(bytes.span) {
            let path = bytes[Int(parts.path.start)..<Int(parts.path.end)]
            let isPath = isManifest ? !path.isEmpty : path.isEmpty || path == [UInt8(ascii: "/")]
            let lower = text.lowercased()
            isSite =
                parts.hasAuthority && parts.userinfo == nil && isPath && parts.fragment == nil
                && (parts.query == nil || isManifest)
            isSite = isSite && (lower.hasPrefix("https://") || lower.hasPrefix("http://"))
        }
        if isSite, text.contains("*") {
            let message = "a site is one host, and no host has \"*\""
            let hint = "write a statement for each host"
            file.report(.warning(.site), message, at: site.place, suggestion: hint)
        }
        if !isSite {
            file.report(
                .error(.site),
                isManifest ? "\"\(text)\" is not the URL of a manifest" : "\"\(text)\" is not a website",
                at: site.place,
                suggestion: isManifest
                    ? "such as https://www.example.com/manifest.json"
                    : "scheme and host only, such as https://www.example.com"
            )
        }
        return .site(text)
    }
}
