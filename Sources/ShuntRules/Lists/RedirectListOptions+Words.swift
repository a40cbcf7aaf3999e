import ShuntCore

extension RedirectListOptions {
    private static let names = [
        "status=", "query=", "slash=", "case=", "host=", "base=", "columns=", "format=", "country=", "language=",
        "role=", "strict",
    ]

    /// The reason why options are not valid.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads options in the form in which they are after the file.
    ///
    /// - Parameter words: The options, with spaces between them.
    /// - Throws: `Problem` for one that is not valid.
    package init(words: String) throws(Problem) {
        self.init()
        for word in words.split(separator: " ") {
            guard let (message, advice) = take(String(word)) else { continue }
            throw Problem(description: "\(message) \(word): \(advice)")
        }
    }

    /// Takes one option after the file.
    ///
    /// - Returns: The message and the advice about one that is not valid; nil for any other.
    package mutating func take(_ word: String) -> (message: String, advice: String)? {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.count > 1 ? parts[0] + "=" : parts[0]
        guard Self.names.contains(String(name)) else {
            return ("unknown option", "the options are \(Self.names.joined(separator: ", "))")
        }
        return take(name, parts.count > 1 ? String(parts[1]) : "").map { ("invalid", $0) }
    }

    /// Takes an option; returns advice where it is not valid, nil where it is.
    private mutating func take(_ name: Substring, _ value: String) -> String? {
        switch name {
        case "strict": isStrict = true
        case "status=":
            guard let status = Int32(value), [301, 302, 303, 307, 308, 410].contains(status) else {
                return "write status=301, 302, 303, 307, 308 or 410"
            }
            self.status = status
        case "query=":
            guard let query = Query(rawValue: value) else { return "write query=keep, drop or exact" }
            self.query = query
        case "slash=", "case=":
            guard value == "either" || value == "exact" else { return "write \(name)either or \(name)exact" }
            if name == "case=" {
                isCaseless = value == "either"
            } else {
                ignoresSlash = value == "either"
            }
        case "country=", "language=", "role=":
            guard let kind = RedirectCondition.Kind.allCases.first(where: { $0.name == name.dropLast() }),
                value.first == "$", value.count > 1
            else { return "write \(name)$variable" }
            variables[kind] = value
        case "format=":
            guard let form = RedirectForm(rawValue: value) else {
                return "write format=\(RedirectForm.allCases.map(\.rawValue).joined(separator: ", "))"
            }
            self.form = form
        case "host=":
            guard let host = HostNamePattern(Array(value.utf8)), host.kind == .exact else {
                return HostNamePattern.advice
            }
            guard let url = try? URLText("http://\(value)"), url.host?.lowercased() == value.lowercased() else {
                return "write host=www.example.com, without a scheme, a port or a path"
            }
            self.host = host.literal
            ownHosts.append(host.literal)
        case "base=":
            guard let url = try? URLText(value), let host = url.host, !host.isEmpty, url.path.isEmpty, url.query == nil,
                ["http", "https"].contains(url.scheme.lowercased())
            else { return "write base=https://www.example.com, without a slash after it" }
            base = Array(value.utf8)
            ownHosts.append(Array(host.utf8))
        default:
            let columns = value.split(separator: ",").map { RedirectColumn(rawValue: String($0)) }
            guard columns.contains(.from), !columns.contains(nil) else {
                return "write columns=from,to,status in the order of the file, - for any other column"
            }
            self.columns = columns.compactMap { $0 }
        }
        return nil
    }
}
