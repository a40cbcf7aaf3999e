import Shunt
import ShuntTools

/// The intent filters of an Android app as routes: the URLs that a link opens it with.
///
/// Filters count that take `android.intent.action.VIEW` and no type. All `data` elements of one filter belong together: each of
/// its schemes with each of its hosts with each of its paths, or of the groups that allow paths.
struct AndroidManifest {
    /// The table; nil if the file has errors.
    private(set) var table: RouteTable?
    private(set) var diagnostics: [Diagnostic] = []
    /// The conditions of which one must hold, by the name of the route.
    private(set) var conditions: [String: [ManifestCondition]] = [:]

    /// A value of a `data` element, with its place.
    private struct Value {
        var attribute: String
        var text: String
        var offset: Int
    }

    private static let merged = "read the merged manifest"
    private let file: RuleFile
    /// The beginning of the names of Android's attributes.
    private var prefix = "android:"
    /// The beginning of the names of the attributes for the merger of manifests.
    private var tools = "tools:"
    private var builder: RouteTableBuilder
    /// The names of the routes by their patterns.
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]

    init(_ bytes: [UInt8], named name: String) {
        file = RuleFile(name: name, bytes: bytes)
        var options = RoutingOptions.universalLinks
        options.syntax.constraints = true
        options.syntax.parametersAnywhere = true
        options.trailingSlash = .significant
        options.order = .specificity
        builder = RouteTableBuilder(options: options)
        do throws(XMLReader.Problem) {
            let root = try XMLReader.read(bytes)
            for declared in root.attributes where declared.name.hasPrefix("xmlns:") {
                let start = "\(declared.name.dropFirst(6)):"
                if declared.value == "http://schemas.android.com/apk/res/android" { prefix = start }
                if declared.value == "http://schemas.android.com/tools" { tools = start }
            }
            for application in kept(root.children) where application.name == "application" {
                for component in kept(application.children) {
                    for filter in kept(component.children) where filter.name == "intent-filter" {
                        read(filter, of: component)
                    }
                }
            }
        } catch {
            report(.error(.xml), error.message, at: error.offset)
        }
        finish()
    }

    private mutating func finish() {
        guard !diagnostics.contains(where: { $0.severity == .error }) else { return }
        guard !names.isEmpty else {
            let message = "no intent filter takes a link"
            let hint = "a filter with android.intent.action.VIEW and a <data> with a scheme"
            return report(.error(.noRoutes), message, at: 0, suggestion: hint)
        }
        do throws(RouteTableError) {
            table = try builder.build()
            diagnostics += table?.warnings ?? []
        } catch {
            diagnostics += error.diagnostics
        }
    }

    private mutating func read(_ filter: XMLElement, of component: XMLElement) {
        let children = kept(filter.children)
        let actions = children.filter { $0.name == "action" }.compactMap { $0[prefix + "name"] }
        guard actions.contains("android.intent.action.VIEW") else { return }
        let data = children.filter { $0.name == "data" }
        // A link has no type, so a filter for types takes none.
        guard !data.contains(where: { $0[prefix + "mimeType"] != nil }) else { return }
        let schemes = values(data, ["scheme"]).filter { isName($0, "a scheme") }
        let hosts = authorities(data)
        let hasHosts = data.contains { $0[prefix + "host"] != nil }
        let texts = data.flatMap(\.attributes).filter { $0.name.hasPrefix(prefix + "ssp") }
        for text in texts {
            let message = "\"\(text.value)\" is for whole URLs of a scheme, so its URLs are left out"
            report(.warning(.pattern), message, at: text.offset)
        }
        // Without a host Android ignores the paths; a host that only the build knows leaves nothing to report.
        guard !schemes.isEmpty, hasHosts == !hosts.isEmpty, hasHosts || texts.isEmpty else { return }
        let hasPaths =
            hasHosts && data.contains { data in ManifestPath.attributes.contains { data[prefix + $0] != nil } }
        let paths = hasHosts ? values(data, ManifestPath.attributes) : []
        let groups = children.filter { $0.name == "uri-relative-filter-group" && hasHosts }
        // Paths of which none is known take no URL that can be written.
        let stated = hasPaths || !groups.isEmpty ? paths.map(Optional.some) : [nil]
        let allowed = groups.isEmpty ? [] : patterns(groups)
        let name = component[prefix + "name"].map { String($0.split(separator: ".").last ?? "") } ?? component.name
        for scheme in schemes {
            for host in hasHosts ? hosts.map(Optional.some) : [nil] {
                let start = "\(scheme.text)://\(host?.text ?? "")"
                for path in stated {
                    let offset = (path ?? host ?? scheme).offset
                    guard let pattern = pattern(path, at: offset) else { continue }
                    add(start + pattern, name: name, condition: path.flatMap(condition), at: offset)
                }
                for (pattern, condition, offset) in allowed {
                    add(start + pattern, name: name, condition: condition, at: offset)
                }
            }
        }
    }

    /// The elements that the merger of manifests keeps.
    private mutating func kept(_ elements: [XMLElement]) -> [XMLElement] {
        elements.filter { element in
            guard ["remove", "removeAll"].contains(element[tools + "node"]) else { return true }
            // Components without filters are about other things.
            guard element.name == "data" || !element.children.isEmpty else { return false }
            let message = "the build removes this <\(element.name)>, so it is left out"
            report(.warning(.placeholder), message, at: element.offset, suggestion: Self.merged)
            return false
        }
    }

    /// The hosts, each with the ports of its element; empty for any host.
    private mutating func authorities(_ data: [XMLElement]) -> [Value] {
        var result: [Value] = []
        for element in data {
            for host in values([element], ["host"]) where isName(host, "a host") {
                guard element[prefix + "port"] != nil else {
                    result.append(host)
                    continue
                }
                for port in values([element], ["port"]) {
                    guard UInt16(port.text) != nil else {
                        let message = "\"\(port.text)\" is not a port, so its URLs are left out"
                        report(.warning(.pattern), message, at: port.offset, suggestion: nil)
                        continue
                    }
                    let text = "\(host.text):\(port.text)"
                    let value = Value(attribute: port.attribute, text: text, offset: port.offset)
                    if isSayable("https://\(text)/*", value) { result.append(value) }
                }
            }
        }
        for index in result.indices where result[index].text == "*" { result[index].text = "" }
        return result
    }

    /// The patterns that the groups of a filter allow, with their conditions unless the pattern has all.
    private mutating func patterns(_ elements: [XMLElement]) -> [(String, ManifestCondition?, Int)] {
        var result: [(String, ManifestCondition?, Int)] = []
        var groups: [ManifestGroup] = []
        for element in elements {
            let allows = values([element], ["allow"]).first?.text ?? "true"
            var group = ManifestGroup(allows: allows != "false")
            var pattern: String?
            let data = kept(element.children).filter { $0.name == "data" }
            let isKnown = !([element] + data).flatMap(\.attributes).contains(where: isUnknown)
            let kinds = ["", "Prefix", "Suffix", "Pattern", "AdvancedPattern"]
            for part in ManifestGroup.parts {
                for value in values(data, kinds.map { part + $0 }) {
                    let kind = String(value.attribute.dropFirst(part.count))
                    guard let text = ManifestText(kind, ManifestPath.unescaped(value.text)) else {
                        report(.error(.path), "\"\(value.text)\" is not a pattern", at: value.offset)
                        continue
                    }
                    group.conditions.append((part, text))
                    if part == "path", pattern == nil {
                        pattern = try? ManifestPath.pattern(value.attribute, value.text)
                    }
                }
            }
            guard isKnown else {
                // What a group blocks, those after it do not take.
                if group.allows, element[prefix + "allow"].map({ $0 == "true" }) ?? true { continue }
                break
            }
            groups.append(group)
            guard group.allows, !group.conditions.isEmpty else { continue }
            if let found = pattern, !found.hasPrefix("/") || (try? RoutePattern(found, options: builder.options)) == nil
            {
                pattern = nil
            }
            let isPlain = group.conditions.count == 1 && pattern != nil && groups.allSatisfy(\.allows)
            let condition = isPlain ? nil : ManifestCondition(groups: groups[...])
            result.append((pattern ?? "/*", condition, element.offset))
        }
        return result
    }

    private func isUnknown(_ attribute: XMLElement.Attribute) -> Bool {
        attribute.name.hasPrefix(prefix) && (attribute.value.contains("${") || attribute.value.hasPrefix("@"))
    }

    /// The values of attributes that are known before the build.
    private mutating func values(_ data: [XMLElement], _ attributes: [String]) -> [Value] {
        var result: [Value] = []
        for attribute in data.flatMap(\.attributes) {
            guard attribute.name.hasPrefix(prefix) else { continue }
            let name = String(attribute.name.dropFirst(prefix.count))
            guard attributes.contains(name) else { continue }
            if isUnknown(attribute) {
                let message = "\"\(attribute.value)\" is known only to the build, so its URLs are left out"
                report(.warning(.placeholder), message, at: attribute.offset, suggestion: Self.merged)
            } else {
                if let mistake = ManifestPath.mistake(name, attribute.value) {
                    let (message, suggestion) = mistake
                    report(.warning(.path), message, at: attribute.offset, suggestion: suggestion)
                }
                result.append(Value(attribute: name, text: attribute.value, offset: attribute.offset))
            }
        }
        return result
    }

    /// True if a scheme or a host is only that; another one takes no URL, which is reported.
    private mutating func isName(_ value: Value, _ what: String) -> Bool {
        // The host of a URL may be an address in brackets.
        let text = value.text
        guard !text.hasPrefix("["), let mark = text.first(where: { ":/?#@ ".contains($0) }) else {
            if what == "a host" { return isSayable("https://\(text == "*" ? "" : text)/*", value) }
            guard text != text.lowercased() else { return isSayable("\(text):///*", value) }
            let message = "Android compares schemes with case, so \"\(text)\" takes no URL of a browser"
            let suggestion = "write \"\(text.lowercased())\""
            report(.warning(.neverMatches), message, at: value.offset, suggestion: suggestion)
            return false
        }
        let parts = text.split { "/?#@ ".contains($0) }.drop { what == "a host" && $0.hasSuffix(":") }
        let name = (parts.first ?? "").prefix { $0 != ":" }
        let message = "\(what) has no \"\(mark)\", so \"\(text)\" takes no URL"
        report(.warning(.neverMatches), message, at: value.offset, suggestion: name.isEmpty ? nil : "write \"\(name)\"")
        return false
    }

    /// True if a value can be part of a route; another one is reported.
    private mutating func isSayable(_ pattern: String, _ value: Value) -> Bool {
        do throws(RoutePatternError) {
            _ = try RoutePattern(pattern, options: builder.options)
            return true
        } catch {
            let message = "\"\(value.text)\" cannot be written as a route, so its URLs are left out: \(error.message)"
            report(.warning(.pattern), message, at: value.offset, suggestion: error.suggestion)
            return false
        }
    }

    /// The pattern of a path, if it takes any URL that can be written.
    private mutating func pattern(_ path: Value?, at offset: Int) -> String? {
        guard let path else { return "/*" }
        do throws(ManifestPath.Unsayable) {
            var pattern = try ManifestPath.pattern(path.attribute, path.text)
            if pattern.hasPrefix("*") || pattern.hasPrefix("?") { pattern = "/" + pattern.drop { $0 == "?" } }
            if pattern.hasPrefix("/") { return isSayable(pattern, path) ? pattern : nil }
            let message = "a path begins with \"/\", so \"\(path.text)\" takes no URL"
            report(.warning(.path), message, at: offset, suggestion: "write \"/\(path.text)\"")
        } catch {
            let message = "\"\(path.text)\" cannot be written as a route: no pattern has \"\(error.part)\""
            report(.error(.path), message, at: offset, suggestion: "write it with .* or as \"pathPrefix\"")
        }
        return nil
    }

    /// The condition of a pattern that continues after a repetition, which a route may take back.
    private func condition(_ path: Value) -> ManifestCondition? {
        guard path.attribute.hasSuffix("Pattern"), path.text.dropLast().contains(where: { "*+{".contains($0) }),
            let text = ManifestText(String(path.attribute.dropFirst(4)), ManifestPath.unescaped(path.text))
        else { return nil }
        return ManifestCondition(groups: [ManifestGroup(allows: true, conditions: [("path", text)])], isOfPattern: true)
    }

    private mutating func add(_ text: String, name: String, condition: ManifestCondition? = nil, at offset: Int) {
        if let known = names[text] {
            // What one filter takes no other takes away.
            if let condition { conditions[known]?.append(condition) } else { conditions[known] = nil }
            return
        }
        let count = (counts[name] ?? 0) + 1
        counts[name] = count
        let unique = count == 1 ? name : "\(name)-\(count)"
        names[text] = unique
        if let condition { conditions[unique] = [condition] }
        builder.add(text, name: unique, origin: file.location(of: offset))
    }

    private mutating func report(_ kind: Diagnostic.Kind, _ text: String, at offset: Int, suggestion: String? = nil) {
        diagnostics.append(file.diagnostic(kind, text, at: file.place(of: offset), suggestion: suggestion))
    }
}
