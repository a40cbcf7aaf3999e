import Shunt

/// The pattern of a match as JLRoutes reports it: without the optional groups that the URL did not use.
enum ExpandedPattern {
    /// The text of the match's pattern with its groups either written out or left out.
    ///
    /// A group was used when its parameters have values; one without parameters when the path has its text.
    static func text(_ match: RouteMatch) -> String {
        let path = Array(match.urlBytes[match.parts.path.indices])
        var rest = Array(match.route.pattern.utf8)[...]
        let text = expand(&rest, names: Set(match.capturedParameters.map(\.name)), path: path).text
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the text before the next `)`, and whether the URL used it.
    private static func expand(
        _ rest: inout ArraySlice<UInt8>,
        names: Set<String>,
        path: [UInt8]
    ) -> (text: [UInt8], isUsed: Bool) {
        var text: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: ")") {
            guard byte == UInt8(ascii: "(") else {
                text.append(byte)
                continue
            }
            let group = expand(&rest, names: names, path: path)
            if group.isUsed { text += group.text }
        }
        let parameters = text.split { $0 == UInt8(ascii: "/") }.filter { $0.first == UInt8(ascii: ":") }
        guard parameters.isEmpty else {
            return (text, parameters.allSatisfy { names.contains(String(decoding: $0.dropFirst(), as: UTF8.self)) })
        }
        return (text, String(decoding: path, as: UTF8.self).contains(String(decoding: text, as: UTF8.self)))
    }
}
