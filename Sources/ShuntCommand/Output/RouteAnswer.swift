#if Command
import Shunt
import ShuntTools

/// Writes what became of a URL that was looked up.
struct RouteAnswer {
    let format: OutputFormat
    let text: Style
    let parameters: ParameterStyle
    let options: RoutingOptions
    private var writer = JSONWriter()
    /// The members of the answer whose bytes are not UTF-8.
    private var latin1: [String] = []

    /// Makes a writer of answers.
    init(format: OutputFormat, style: Style, parameters: ParameterStyle, options: RoutingOptions) {
        self.format = format
        text = style
        self.parameters = parameters
        self.options = options
    }

    /// The answer on a line, with its newline.
    ///
    /// - Parameters:
    ///   - resolution: The match or the reason; nil where the line of input could not be understood.
    ///   - url: The URL, or the line of input.
    ///   - problem: What is wrong with the line.
    /// - Returns: The bytes.
    mutating func line(_ resolution: RouteResolution?, url: [UInt8], problem: String? = nil) -> [UInt8] {
        let reason = problem ?? resolution?.miss?.description
        switch format {
        case .text: return Array((textLine(resolution?.match, url: url, reason: reason) + "\n").utf8)
        case .json:
            writer.removeAll()
            write(resolution?.match, url: url, reason: reason)
            writer.newline()
            return writer.bytes
        }
    }

    // MARK: Text

    private func textLine(_ match: RouteMatch?, url: [UInt8], reason: String?) -> String {
        let name = match.map { ShownBytes.text(Array($0.route.displayName.utf8)) } ?? "no route"
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
        return line + "  " + ShownBytes.text(Array(details.joined(separator: " ").utf8))
    }

    private static func item(_ item: RouteQuery.Item) -> String {
        item.value.map { "\(item.name)=\($0)" } ?? item.name
    }

    // MARK: JSON

    private mutating func write(_ match: RouteMatch?, url: [UInt8], reason: String?) {
        latin1 = url.span.isUTF8 ? [] : ["url"]
        writer.beginObject()
        writer.member("url", url)
        if let match {
            writer.member("route", match.route.displayName)
            writer.member("pattern", parameters.expandsPattern ? ExpandedPattern.text(match) : match.route.pattern)
            write(values(of: match), as: "parameters", of: parameters.mixesQuery ? nil : match)
            if let components = match.wildcardComponents {
                writer.name("wildcard")
                writer.beginArray()
                for component in components { writer.string(component) }
                writer.endArray()
            }
            if let remainder = match.remainder, !remainder.isEmpty { writer.member("remainder", remainder) }
            let query = match.query
            if !parameters.mixesQuery, !query.isEmpty {
                write(query.names.map { (name: $0, values: query.values(of: $0)) }, as: "query")
            }
        } else {
            writer.name("route")
            writer.null()
            if let reason { writer.member("reason", reason) }
        }
        if !latin1.isEmpty {
            writer.name("latin1")
            writer.beginArray()
            for name in latin1 { writer.string(name) }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Writes an object; a name with several values has an array, and one whose bytes in the match are not UTF-8 has them.
    private mutating func write(
        _ members: [(name: String, values: [String?])],
        as name: String,
        of match: RouteMatch? = nil
    ) {
        writer.name(name)
        writer.beginObject()
        for member in members {
            writer.name(member.name)
            if let bytes = match.flatMap({ Self.otherBytes(of: member, in: $0) }) {
                writer.string(bytes.span)
                latin1.append("\(name).\(member.name)")
            } else if member.values.count == 1 {
                write(member.values[0])
            } else {
                writer.beginArray()
                for value in member.values { write(value) }
                writer.endArray()
            }
        }
        writer.endObject()
    }

    /// The bytes of the only value of a name where they are not UTF-8.
    private static func otherBytes(of member: (name: String, values: [String?]), in match: RouteMatch) -> [UInt8]? {
        guard member.values.count == 1, let bytes = match.bytes(of: member.name), !bytes.span.isUTF8 else {
            return nil
        }
        return bytes
    }

    private mutating func write(_ value: String?) {
        if let value { writer.string(value) } else { writer.null() }
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
        let rest = match.parts.scheme.map { match.url.dropFirst(Int($0.end) + 1) } ?? match.url[...]
        return "/" + String(decoding: rest.drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
    }
}
#endif
