import ShuntCore

/// Rules that were made of those of IIS's URL Rewrite in a `web.config`.
///
/// They are read as `RewriteRule` and `RewriteCond`, which have the same parts.
public struct IISImport {
    private let name: String
    private let bytes: [UInt8]
    private var notes: ImportNotes
    private var count = 0
    private var usesFiles = false
    private var usesHTTPS = false
    private var maps: [String: XMLElement] = [:]
    private var tables: [ImportItem] = []
    /// The variables that were made of maps, by what they look up.
    private var variables: [String: String] = [:]

    /// Imports a file.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - text: The content.
    ///   - root: The folder of the site, for tests of files.
    /// - Returns: The rules with notes.
    /// - Throws: `ImportError` for a file that is not XML.
    public static func rules(named name: String, text: String, root: String) throws(ImportError) -> ImportedRules {
        var work = IISImport(name: name, bytes: Array(text.utf8))
        let outer: XMLElement
        do throws(XMLReader.Problem) {
            outer = try XMLReader.read(work.bytes)
        } catch {
            throw ImportError(file: name, line: work.line(error.offset), description: error.message)
        }
        return work.rules(outer, root: root)
    }

    private init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        notes = ImportNotes(name)
    }

    private func line(_ offset: Int) -> Int { bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1 }

    /// All elements of a name, at any depth, other than elements for one place of the site.
    private static func elements(_ name: String, in element: XMLElement) -> [XMLElement] {
        (element.name == name ? [element] : [])
            + element.children.flatMap { $0.isPlace && name != "location" ? [] : elements(name, in: $0) }
    }

    /// The elements of some names, name after name.
    private static func elements(_ names: [String], in element: XMLElement) -> [XMLElement] {
        names.flatMap { elements($0, in: element) }
    }

    private mutating func rules(_ outer: XMLElement, root: String) -> ImportedRules {
        for map in Self.elements("rewriteMap", in: outer) { maps[map["name"] ?? ""] = map }
        var inner: [ImportItem] = []
        for list in Self.elements("globalRules", in: outer) + Self.elements("rules", in: outer) {
            for rule in list.children where rule.name == "rule" && rule.isEnabled {
                inner += items(of: rule)
            }
        }
        for rule in Self.elements("outboundRules", in: outer).flatMap(\.children) where rule.name == "rule" {
            inner.append(leave(rule, "it changes answers"))
        }
        inner += Self.elements(Self.others, in: outer).filter(\.isEnabled).map { leave($0, "no rule here is like it") }
        var places: [ImportItem] = []
        for place in Self.elements("location", in: outer) where place.isPlace { places += items(ofPlace: place) }
        for element in Self.elements(Self.checks, in: outer) where element.mayRefuse {
            inner += [
                leave(element, "access outside of rules: all is refused"),
                .directive(["deny", "all"], line(element.offset)),
            ]
        }
        var server = ImportItem.listens(usesHTTPS ? ["80", "443"] : ["80"])
        for limit in Self.elements("requestLimits", in: outer).prefix(1) {
            guard let size = limit["maxAllowedContentLength"] else { continue }
            if let bytes = Int32(size), bytes > 0 {
                server.append(.directive(["client_max_body_size", "\(bytes)"], line(limit.offset)))
            } else {
                server.append(leave(limit, Int32(size) == 0 ? "0 means no limit here" : "this is not a size"))
            }
        }
        if usesFiles {
            server.append(.directive(["root", root]))
            places += Self.hidden
        }
        let head = ImportItem.comment("# Imported from \(ShownBytes.text(name)) by shunt import iis.")
        inner = Self.placed(inner) + places
        let items = [head] + tables + [.gap, .block(["server"], server + [.gap] + inner)]
        return ImportedRules(items, notes: notes.sorted, from: name, count: count)
    }

    /// The items in a location if one leads to another server; a changed path does not begin with the first rule again.
    private static func placed(_ items: [ImportItem]) -> [ImportItem] {
        let hasProxy = items.contains {
            if case .proxy? = $0.importedRule?.action { true } else { false }
        }
        guard hasProxy else { return items }
        let inner = items.map { item -> ImportItem in
            guard case .rule(var rule) = item, case .rewrite(let path, .last) = rule.action else { return item }
            rule.action = .rewrite(path, .break)
            return .rule(rule)
        }
        return [.block(["location", "/"], inner + [.directive(["break"])])]
    }

    /// Elements without a counterpart.
    private static let others = ["httpRedirect", "defaultDocument", "httpErrors"]
    /// Elements that may refuse requests.
    private static let checks = [
        "ipSecurity", "dynamicIpSecurity", "authorization", "requestFiltering", "anonymousAuthentication", "access",
    ]

    /// The refusal of what IIS never shows.
    ///
    /// Source: Microsoft's documentation of `requestFiltering/hiddenSegments`, the default values.
    private static let hidden: [ImportItem] = [
        .gap, .comment("# As IIS refuses them."),
        .block(
            [
                "location", "~*",
                "/(web\\.config|bin|App_(code|GlobalResources|LocalResources|WebReferences|Data|Browsers))(/|$)",
            ],
            [.directive(["deny", "all"])]
        ),
    ]

    /// The items for one place of the site: what is left out, and a refusal if it has checks.
    private mutating func items(ofPlace place: XMLElement) -> [ImportItem] {
        var all = place
        all.attributes = []
        let path = place["path"] ?? ""
        var items = Self.elements(["rule"] + Self.others, in: all).filter(\.isEnabled)
            .map { leave($0, "it is for \(path) only") }
        let refusing = Self.elements(Self.checks, in: all).filter { $0.mayRefuse || $0.name == "requestFiltering" }
        guard let first = refusing.first else { return items }
        items += refusing.map { leave($0, "access outside of rules: all of \(path) is refused") }
        let folder = path.split(separator: "/").joined(separator: "/")
        let expression = "^/\(ImportedExpression.literal(folder))(/|$)"
        return items + [.block(["location", "~*", expression], [.directive(["deny", "all"])], line(first.offset))]
    }

    private mutating func leave(_ element: XMLElement, _ reason: String) -> ImportItem {
        count += 1
        return notes.leave(element.title, line: line(element.offset), reason: reason)
    }

    private mutating func items(of element: XMLElement) -> [ImportItem] {
        let place = line(element.offset)
        do throws(Unsaid) {
            let (rule, differences) = try rule(of: element)
            count += 1
            for reason in differences { notes.add(.inexact, element.title, line: place, reason: reason) }
            guard let rule else { return [] }
            let texts = rule.tests.joined().map(\.subject)
            usesFiles =
                usesFiles || texts.contains { $0.contains("$request_filename") || $0.contains("$document_root") }
            usesHTTPS = usesHTTPS || texts.contains("$scheme")
            let title = element["name"].map { [ImportItem.comment("# \(ShownBytes.text($0))")] } ?? []
            return [.gap] + title + [.rule(rule)]
        } catch {
            let type = element.children.first { $0.name == "action" }?["type"] ?? ""
            guard ["AbortRequest", "CustomResponse"].contains(type) else { return [leave(element, error.reason)] }
            return [leave(element, "\(error.reason): all is refused"), .rule(.refusal(place...place))]
        }
    }

    // MARK: One rule

    private mutating func rule(of element: XMLElement) throws(Unsaid) -> (ImportedRule?, [String]) {
        let match = element.children.first { $0.name == "match" }
        let action = element.children.first { $0.name == "action" }
        guard !element.children.contains(where: { $0.name == "serverVariables" && !$0.children.isEmpty }) else {
            throw Unsaid("it sets variables of the server")
        }
        let syntax = element["patternSyntax"] ?? "ECMAScript"
        let place = line(element.offset)
        var conditions: [ApacheConditions.Written] = []
        if let list = element.children.first(where: { $0.name == "conditions" }) {
            guard list["trackAllCaptures"] != "true" || list.children.count < 2 else {
                throw Unsaid("captures of all conditions")
            }
            let isAny = list["logicalGrouping"] == "MatchAny"
            let all = list.children.filter { $0.name == "add" }
            for (index, condition) in all.enumerated() {
                let isLast = index == all.count - 1
                conditions.append(try written(condition, syntax, isOr: isAny && !isLast, line: place))
            }
        }
        var flags = match?["ignoreCase"] == "false" ? [] : ["NC"]
        if element["stopProcessing"] == "true" { flags.append("L") }
        let type = action?["type"] ?? "None"
        let url = try text(action?["url"] ?? "")
        var target = url.isEmpty ? "/" : url
        switch type {
        case "Rewrite":
            // Another server answers, and the client is not led there.
            if target.prefixMatch(of: #/[A-Za-z]+:\/\//#) != nil { flags.append("P") }
        case "Redirect":
            let kinds = ["Permanent": "301", "Found": "302", "SeeOther": "303", "Temporary": "307"]
            flags += ["R=\(kinds[action?["redirectType"] ?? "Permanent"] ?? "301")", "NE"]
        case "CustomResponse": (target, flags) = ("-", flags + ["R=\(action?["statusCode"] ?? "403")"])
        case "AbortRequest": (target, flags) = ("-", flags + ["F"])
        case "None": target = "-"
        default: throw Unsaid("the action \(type)")
        }
        flags.append(action?["appendQueryString"] == "false" ? "QSD" : "QSA")
        var pattern = try Self.expression(match?["url"] ?? ".*", syntax)
        if match?["negate"] == "true" { pattern = "!" + pattern }
        let directive = Self.directive("RewriteRule", [pattern, target], flags: flags, line: place)
        var context = ApacheContext(folder: "/")
        context.takesWholeCaptures = true
        let read = try ApacheRewriteRule(directive, conditions: conditions, in: context)
        var rule = read.rule
        if type == "AbortRequest" { rule?.action = .respond(444) }
        return (rule, read.differences)
    }

    private mutating func written(
        _ condition: XMLElement,
        _ syntax: String,
        isOr: Bool,
        line: Int
    ) throws(Unsaid) -> ApacheConditions.Written {
        let isNegated = condition["negate"] == "true" ? "!" : ""
        var flags = condition["ignoreCase"] == "false" ? [] : ["NC"]
        if isOr { flags.append("OR") }
        let pattern: String
        switch condition["matchType"] ?? "Pattern" {
        case "IsFile": pattern = "-f"
        case "IsDirectory": pattern = "-d"
        default: pattern = try Self.expression(condition["pattern"] ?? ".*", syntax)
        }
        if condition["input"]?.uppercased() == "{SERVER_PORT_SECURE}" {
            let values = [("on", "1"), ("off", "0")].filter { ImportedExpression.matches(pattern, $0.1) }.map(\.0)
            let words = ["%{HTTPS}", isNegated + (values.isEmpty ? "^$" : "^(?:\(values.joined(separator: "|")))$")]
            return ApacheConditions.Written(Self.directive("RewriteCond", words, flags: isOr ? ["OR"] : [], line: line))
        }
        let words = [try text(Self.decoded(condition["input"] ?? "")), isNegated + pattern]
        return ApacheConditions.Written(Self.directive("RewriteCond", words, flags: flags, line: line))
    }

    /// A directive of Apache with words in quotes.
    private static func directive(_ name: String, _ words: [String], flags: [String], line: Int) -> ApacheDirective {
        let quoted = (words + ["[\(flags.joined(separator: ","))]"])
            .map { "\"\($0.replacing("\"", with: "\\\""))\"" }
        return ApacheDirective(name: name, text: quoted.joined(separator: " "), lines: line...line)
    }

    private static func expression(_ text: String, _ syntax: String) throws(Unsaid) -> String {
        switch syntax {
        case "ECMAScript": return text
        case "ExactMatch": return "^\(ImportedExpression.literal(text))$"
        case "Wildcard": return "^\(ImportedExpression.literal(text).replacing("\\*", with: "(.*)"))$"
        default: throw Unsaid("the syntax \(syntax)")
        }
    }

    // MARK: Texts

    private static let names = [
        "REQUEST_URI": "%{$request_uri}", "UNENCODED_URL": "%{$request_uri}", "URL": "%{REQUEST_URI}",
        "PATH_INFO": "%{REQUEST_URI}", "CACHE_URL": "%{REQUEST_URI}", "SCRIPT_NAME": "%{REQUEST_URI}",
    ]

    /// A text that is compared, with the path of the request decoded as IIS has it there.
    private static func decoded(_ text: String) -> String {
        text.replacing("{REQUEST_URI}", with: "{$uri}{$is_args}{$args}")
    }

    /// A text with its variables and captures in Apache's form.
    private mutating func text(_ text: String) throws(Unsaid) -> String {
        var result = ""
        var rest = text[...]
        while let next = rest.popFirst() {
            guard next == "{" else {
                result += next == "$" || next == "%" || next == "\\" ? "\\\(next)" : "\(next)"
                continue
            }
            var depth = 1
            let inner = String(
                rest.prefix { character in
                    depth += character == "{" ? 1 : character == "}" ? -1 : 0
                    return depth > 0
                }
            )
            rest = rest.dropFirst(inner.count + 1)
            result += try variable(inner)
        }
        return result
    }

    private mutating func variable(_ name: String) throws(Unsaid) -> String {
        if let match = name.wholeMatch(of: #/(R|C):(\d)/#) { return (match.1 == "R" ? "$" : "%") + match.2 }
        if let colon = name.firstIndex(of: ":") {
            let key = String(name[name.index(after: colon)...])
            guard let map = maps[String(name[..<colon])] else { throw Unsaid("the function \(name[..<colon])") }
            return "%{\(try variable(map, key))}"
        }
        if let known = Self.names[name] { return known }
        if name.hasPrefix("HTTP_"), !["HTTP_HOST", "HTTP_USER_AGENT", "HTTP_REFERER", "HTTP_COOKIE"].contains(name) {
            return "%{HTTP:\(name.dropFirst(5).replacing("_", with: "-"))}"
        }
        return "%{\(name)}"
    }

    /// The variable for a map that is looked up with a value.
    private mutating func variable(_ map: XMLElement, _ key: String) throws(Unsaid) -> String {
        let looked = map["name", default: ""] + key
        if let known = variables[looked] { return known }
        let written = try ApacheText(try text(Self.decoded(key)), environment: [:])
        guard written.groups.isEmpty, !written.usesConditions else {
            throw Unsaid("a map that is looked up with a capture")
        }
        let source = try written.string(ApacheCaptures())
        let plain = ApacheTables.word(map["name"] ?? "")
        let variable = "$\(plain.isEmpty ? "map" : plain)\(variables.isEmpty ? "" : "_\(variables.count)")"
        variables[looked] = variable
        var entries: [ImportItem] = []
        if let value = map["defaultValue"], !value.isEmpty { entries.append(.directive(["default", value])) }
        for entry in map.children where entry.name == "add" {
            let (key, value) = (entry["key"] ?? "", entry["value"] ?? "")
            guard !value.contains("$") else { throw Unsaid("a map with a $ in it") }
            entries.append(.directive([ApacheMaps.key(key), value], line(entry.offset)))
        }
        tables += [.gap, .block(["map", source, variable], entries, line(map.offset))]
        return variable
    }
}
