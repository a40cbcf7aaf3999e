package import ShuntCore

/// Decisions as JSON objects.
package enum DecisionJSON {
    /// The members of a decision.
    ///
    /// Bytes that are UTF-8 are written as such. A member with a string that is not UTF-8 has in it one character of
    /// Latin-1 for each byte, and its name is listed in the member `latin1`, so that every byte can be had back.
    ///
    /// A request that is repeated is a URL or, if `isObject`, the text of a valid object, which is written unchanged.
    package static func object(_ decision: Decision, request: [UInt8]? = nil, isObject: Bool = false) -> JSONObject {
        // Headers are pairs, for a name may be there more than once.
        let headers = (decision.headers + decision.successHeaders).map { [$0.nameBytes, $0.valueBytes] }
        let texts: [(name: String, values: [[UInt8]?])] = [
            ("request", [isObject ? nil : request]), ("url", [decision.urlBytes]), ("uri", [decision.uri]),
            ("args", [decision.arguments]), ("body", [decision.body]), ("headers", headers.flatMap { $0 }),
            ("server", [decision.server]),
        ]
        let latin1 = texts.filter { $0.values.contains { $0.map { !$0.span.isUTF8 } ?? false } }.map(\.name)
        let parameters = JSONObject(decision.parameters.map { ($0.name, $0.value) })
        let line: (any JSONWritable)? = isObject ? JSONText(request) : request
        return [
            "request": line,
            "decision": decision.kind.rawValue,
            "status": decision.status,
            "url": decision.urlBytes,
            "uri": decision.uri,
            "args": decision.arguments,
            "body": decision.body,
            "headers": headers.isEmpty ? nil : headers,
            "server": decision.server,
            "location": decision.location,
            "rule": decision.rule,
            "route": decision.route,
            "parameters": decision.route == nil ? nil : parameters,
            "reason": decision.reason,
            "latin1": latin1.isEmpty ? nil : latin1,
        ]
    }
}
