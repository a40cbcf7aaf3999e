#if Command
import Shunt
import ShuntTools

struct RouteAnswer {
    let format: OutputFormat
    let text: Style
    let parameters: ParameterStyle
    let options: RoutingOptions

    /// The answer on a line, with its newline; `resolution` is nil where the line of input could not be understood.
    func line(_ resolution: RouteResolution?, url: [UInt8], problem: String? = nil) -> [UInt8] {
        let reason = problem ?? resolution?.miss?.description
        switch format {
        case .text: return Array((textLine(resolution?.match, url: url, reason: reason) + "\n").utf8)
        case .json: return object(resolution?.match, url: url, reason: reason).line
        }
    }

    // MARK: Text

    private func textLine(_ match: RouteMatch?, url: [UInt8], reason: String?) -> String {
        let name = match.map { ShownBytes.text($0.route.displayName) } ?? "no route"
        var line = text(name.padded(to: 14), match == nil ? .bad : .good)
        line += "  " + RequestText.shown(url).padded(to: 40)
        var details: [String] = []
        if let match {
            for member in values(of: match) {
                if let bytes = Self.otherBytes(of: member, in: match) {
                    details.append("\(member.name)=\(ShownBytes.text(bytes))")
                } else {
                    details += member.values.map { value in value.map { "\(member.name)=\($0)" } ?? member.name }
                }
            }
            if !parameters.mixesQuery, !match.query.isEmpty {
                details += ["?"] + match.query.items.map(Self.item)
            }
        } else if let reason {
            details.append(reason)
        }
        if details.isEmpty {
            while line.last == " " { line.removeLast() }
            return line
        }
        return line + "  " + ShownBytes.text(details.joined(separator: " "))
    }

    private static func item(_ item: RouteQuery.Item) -> String {
        item.value.map { "\(item.name)=\($0)" } ?? item.name
    }

    // MARK: JSON

    private func object(_ match: RouteMatch?, url: [UInt8], reason: String?) -> JSONObject {
        // The members of the answer whose bytes are not UTF-8.
        var latin1 = url.span.isUTF8 ? [] : ["url"]
        var object: JSONObject = ["url": url]
        if let match {
            // A name with several values has an array.
            func value(_ values: [String?]) -> any JSONWritable {
                let values = values.map { text -> any JSONWritable in if let text { text } else { JSONText(nil) } }
                return values.count == 1 ? values[0] : JSONArray(values)
            }
            let members = values(of: match)
                .map { member -> (String, any JSONWritable) in
                    let isOwn = !parameters.mixesQuery
                    guard isOwn, let bytes = Self.otherBytes(of: member, in: match) else {
                        return (member.name, value(member.values))
                    }
                    latin1.append("parameters.\(member.name)")
                    return (member.name, bytes)
                }
            let query = match.query
            let asked = parameters.mixesQuery ? [] : query.names.map { ($0, value(query.values(of: $0))) }
            object = object.adding([
                "route": match.route.displayName,
                "pattern": parameters.expandsPattern ? ExpandedPattern.text(match) : match.route.pattern,
                "parameters": JSONObject(mixed: members),
                "wildcard": match.wildcardComponents,
                "remainder": match.remainder?.isEmpty == false ? match.remainder : nil,
                "query": asked.isEmpty ? nil : JSONObject(mixed: asked),
            ])
        } else {
            object = object.adding(["route": JSONText(nil), "reason": reason])
        }
        return object.adding(["latin1": latin1.isEmpty ? nil : latin1])
    }

    /// The bytes of the only value of a name where they are not UTF-8.
    private static func otherBytes(of member: (name: String, values: [String?]), in match: RouteMatch) -> [UInt8]? {
        guard member.values.count == 1, let bytes = match.bytes(of: member.name), !bytes.span.isUTF8 else {
            return nil
        }
        return bytes
    }

    // MARK: Parameters

    /// The parameters by name, in the order of the pattern, then those of the query and the defaults of the rest.
    private func values(of match: RouteMatch) -> [(name: String, values: [String?])] {
        var result: [(name: String, values: [String?])] = []
        func add(_ name: String, _ value: String?) {
            if let index = result.firstIndex(where: { $0.name == name }) {
                result[index].values.append(value)
            } else {
                result.append((name, [value]))
            }
        }
        for (name, value) in match.capturedParameters { add(name, value) }
        if parameters.mixesQuery {
            let query = match.query
            for name in query.names {
                if let index = result.firstIndex(where: { $0.name == name }) {
                    if options.precedence == .query { result[index].values = query.values(of: name) }
                } else {
                    result.append((name, query.values(of: name)))
                }
            }
        }
        for (name, value) in match.unusedDefaults(names: Set(result.map(\.name))) { add(name, value) }
        if parameters.showsRoute {
            result.removeAll { $0.name == "route" }
            result.append(("route", [Self.withoutScheme(match)]))
        }
        return result
    }

    /// The URL from its host or path on, with one slash before it.
    private static func withoutScheme(_ match: RouteMatch) -> String {
        let rest = match.parts.scheme.map { match.urlBytes.dropFirst(Int($0.end) + 1) } ?? match.urlBytes[...]
        return "/" + String(decoding: rest.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
    }
}
#endif
