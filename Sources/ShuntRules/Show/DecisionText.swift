import ShuntCore

/// Decisions as lines for people.
package struct DecisionText {
    let style: Style

    package init(style: Style) { self.style = style }

    /// The decision on a line without its newline: what was decided, about what, its result, and by which rule.
    ///
    /// Columns line up as long as the URLs are short. A URL that came out as it was asked for is not shown.
    package func line(_ decision: Decision, subject: String?, asked: [UInt8]) -> String {
        var name = decision.kind.rawValue
        if let status = decision.status { name += " \(status)" }
        var columns = Columns()
        columns.add(name, width: 12) { style($0, Style.role(of: decision.kind)) }
        if let subject { columns.add(subject, width: 60) }
        columns.add(result(decision, subject: asked), width: 48)
        if let rule = decision.rule { columns.add(rule.description, width: 0) { style($0, .faint) } }
        return columns.text
    }

    private func result(_ decision: Decision, subject: [UInt8]) -> String {
        switch decision.kind {
        case .fail: return decision.reason ?? ""
        case .respond:
            guard let body = decision.body, !body.isEmpty else { return "" }
            let start = ShownBytes.text(Array(body.prefix(60)))
            return body.count > 60 ? "\"\(start)…\"" : "\"\(start)\""
        default:
            var parts: [String] = []
            // Where a client is sent is always worth knowing: to itself, or from http to https.
            let isSent = decision.kind == .redirect || decision.kind == .degrade
            if let url = decision.urlBytes, isSent || (url != subject && !Self.isURL(url, of: subject)) {
                parts.append("→ \(ShownBytes.text(url))")
            }
            if let route = Self.route(decision) { parts.append("[\(route)]") }
            return parts.joined(separator: " ")
        }
    }

    /// The route and its parameters, such as `item id=7`; nil where there is no route.
    package static func route(_ decision: Decision) -> String? {
        guard let route = decision.route else { return nil }
        let parameters = decision.parameters.map { "\($0.name)=\($0.value)" }
        return ShownBytes.text(([route] + parameters).joined(separator: " "))
    }

    /// Returns true if a URL is a host and a target with a scheme before them.
    private static func isURL(_ url: [UInt8], of subject: [UInt8]) -> Bool {
        url.suffix(subject.count).elementsEqual(subject)
            && url.dropLast(subject.count).suffix(3).elementsEqual("://".utf8)
    }
}

/// Texts in columns, without spaces after the last.
private struct Columns {
    private(set) var text = ""
    /// The number of spaces before the next text.
    private var spaces = 0

    mutating func add(_ part: String, width: Int, styled: (String) -> String = { $0 }) {
        if !part.isEmpty {
            text += String(repeating: " ", count: spaces) + styled(part)
            spaces = 0
        }
        spaces += max(0, width - part.unicodeScalars.count) + 2
    }
}

extension Decision: CustomStringConvertible {
    /// The decision on a line: what was decided, its result, and by which rule.
    public var description: String {
        DecisionText(style: Style(usesColor: false)).line(self, subject: nil, asked: [])
    }
}
