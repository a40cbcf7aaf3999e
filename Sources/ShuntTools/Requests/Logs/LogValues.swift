import Shunt

/// The values of a log line, by the names of nginx's variables.
struct LogValues {
    let values: [String: [UInt8]]

    /// A value; nil where the line has none, for which logs write a dash.
    subscript(_ name: String) -> [UInt8]? {
        values[name].flatMap { $0.isEmpty || $0 == [UInt8(ascii: "-")] ? nil : $0 }
    }

    func text(_ name: String) -> String? { self[name].map { String(decoding: $0, as: UTF8.self) } }

    /// The method, where the line has it, and the target.
    func methodAndTarget() throws(RequestError) -> (method: [UInt8]?, target: [UInt8]) {
        var method = self["request_method"]
        var target = self["request_uri"]
        if let line = self["request"] {
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard words.count == 3 || words.count == 2 else { throw RequestError("the line has no request in it") }
            method = method ?? Array(words[0])
            target = target ?? Array(words[1])
        }
        if target == nil, let path = self["uri"] {
            target = path + (self["args"].map { Array("?".utf8) + $0 } ?? [])
        }
        guard let target else { throw RequestError("the line has no request in it") }
        return (method, target)
    }

    /// The headers and cookies of the request that the line has.
    var headers: [RuleRequest.Header] {
        var result: [RuleRequest.Header] = []
        for (variable, bytes) in values.sorted(by: { $0.key < $1.key }) where self[variable] != nil {
            if variable.hasPrefix("http_"), variable != "http_host" {
                let name = variable.dropFirst(5).utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
                result.append(RuleRequest.Header(name: name, value: bytes))
            } else if variable.hasPrefix("cookie_") {
                let pair = Array(variable.dropFirst(7).utf8) + Array("=".utf8) + bytes
                result.append(RuleRequest.Header(name: Array("Cookie".utf8), value: pair))
            }
        }
        return result
    }

    /// The time when the request came.
    var time: Timestamp? {
        text("time_iso8601").flatMap { try? Timestamp($0) } ?? text("time_local").flatMap(Self.time)
    }

    /// Reads a time such as `10/Oct/2026:13:55:36 +0200`; nil for another form.
    private static func time(_ text: String) -> Timestamp? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(whereSeparator: { "/: ".contains($0) })
        guard parts.count == 7, let month = months.firstIndex(where: { $0 == parts[1] }), parts[6].utf8.count == 5
        else {
            return nil
        }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        let zone = "\(parts[6].prefix(3)):\(parts[6].suffix(2))"
        return try? Timestamp("\(parts[2])-\(number)-\(parts[0])T\(parts[3]):\(parts[4]):\(parts[5])\(zone)")
    }
}
