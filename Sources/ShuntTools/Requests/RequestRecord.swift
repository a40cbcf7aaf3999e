package import Shunt

/// A line of input: a URL, or a JSON object.
package enum RequestRecord {
    /// The longest line, in bytes.
    package static let limit = 1 << 20

    /// The names of the members of an object that mean something.
    ///
    /// Others are carried along.
    private static let names = [
        "url", "target", "host", "method", "headers", "input", "remote_addr", "listen", "time", "latin1", "files",
        "weight",
    ]

    /// Returns true if a line is a JSON object rather than a URL, which cannot start with a brace.
    package static func isObject(_ line: [UInt8]) -> Bool {
        line.first { $0 != 0x20 && $0 != 0x09 } == UInt8(ascii: "{")
    }

    /// Reads the request of a line.
    package static func request(_ line: [UInt8]) throws(RequestError) -> RuleRequest {
        try description(line).request
    }

    /// Reads a line.
    package static func description(_ line: [UInt8]) throws(RequestError) -> RequestDescription {
        guard !line.isEmpty else { throw RequestError("the line is empty") }
        guard isObject(line) else { return RequestDescription(RuleRequest(written: line)) }
        let members = try members(of: line)
        if AccessLogLine.isOne(members) {
            var result = try description(of: AccessLogLine.request(members))
            if let version = AccessLogLine.version(members) { result.request.version = version }
            if let port = AccessLogLine.port(members) { result.request.remotePort = port }
            result.masked = AccessLogLine.masked(members)
            return result
        }
        return try description(of: members)
    }

    /// The members of a line that is a JSON object.
    static func members(of line: [UInt8]) throws(RequestError) -> [JSONMember] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(line)
        } catch {
            throw RequestError("the line is not a JSON object: \(error)")
        }
        guard case .object(let members) = value else { throw RequestError("the line is not a JSON object") }
        return members
    }

    /// The request that the members of an object describe.
    package static func description(of members: [JSONMember]) throws(RequestError) -> RequestDescription {
        for member in members where !names.contains(member.name) {
            let longer = names.first { $0.hasPrefix(member.name + "_") }
            if let meant = longer ?? Suggestion.closest(to: member.name, among: names) {
                let name = RequestFields.quoted(member.name)
                throw RequestError("unknown member \(name), did you mean \"\(meant)\"?")
            }
        }
        let fields = try RequestMembers(members)
        var request = try subject(fields)
        if let method = try fields.bytes("method") { request.methodBytes = method }
        if let headers = fields["headers"] { request.headers = try self.headers(headers, fields) }
        if let input = fields["input"] { request.inputs = try inputs(input, fields) }
        if let address = try fields.text("remote_addr") {
            request.remoteAddress = try RequestFields.remoteAddress(address)
        }
        if let time = try fields.text("time") { request.time = try RequestFields.time(time) }
        switch fields["listen"] {
        case nil: break
        case .number(let digits): request.listen = try RequestFields.endpoint(String(decoding: digits, as: UTF8.self))
        default: request.listen = try fields.text("listen").map(RequestFields.endpoint)
        }
        try RequestFields.checkHost(of: request)
        return RequestDescription(request, files: try files(fields), weight: try weight(fields))
    }

    private static func files(_ fields: RequestMembers) throws(RequestError) -> [String] {
        guard let value = fields["files"] else { return [] }
        guard case .array(let items) = value else {
            throw RequestError("\"files\" must be an array, not \(value.kind)")
        }
        var result: [String] = []
        for item in items { result.append(String(decoding: try fields.bytes(item, "files"), as: UTF8.self)) }
        return result
    }

    private static func weight(_ fields: RequestMembers) throws(RequestError) -> Int {
        guard let value = fields["weight"] else { return 1 }
        guard case .number(let digits) = value, let number = Int(String(decoding: digits, as: UTF8.self)), number > 0
        else { throw RequestError("\"weight\" is not a whole number above zero") }
        return number
    }

    private static func subject(_ fields: RequestMembers) throws(RequestError) -> RuleRequest {
        let host = try fields.bytes("host")
        switch (try fields.bytes("url"), try fields.bytes("target")) {
        case (let url?, nil):
            guard host == nil else { throw RequestError("\"host\" goes with \"target\", not with \"url\"") }
            return RuleRequest(url: url)
        case (nil, let target?): return RuleRequest(target: target, host: host)
        case (nil, nil): throw RequestError("a request needs \"url\" or \"target\"")
        case (_?, _?): throw RequestError("\"url\" and \"target\" exclude each other")
        }
    }

    private static func headers(
        _ value: JSONValue,
        _ fields: RequestMembers
    ) throws(RequestError) -> [RuleRequest.Header] {
        var result: [RuleRequest.Header] = []
        switch value {
        case .object(let members):
            for member in members {
                let name = try fields.bytes(.string(Array(member.name.utf8)), "headers")
                result.append(RuleRequest.Header(name: name, value: try fields.bytes(member.value, "headers")))
            }
        case .array(let items):
            for item in items {
                guard case .array(let pair) = item, pair.count == 2 else {
                    throw RequestError("an item of \"headers\" is not a pair of name and value")
                }
                let name = try fields.bytes(pair[0], "headers")
                result.append(RuleRequest.Header(name: name, value: try fields.bytes(pair[1], "headers")))
            }
        default: throw RequestError("\"headers\" must be an object or an array of pairs, not \(value.kind)")
        }
        for header in result where header.nameBytes.isEmpty { throw RequestError("a header has no name") }
        return result
    }

    private static func inputs(_ value: JSONValue, _ fields: RequestMembers) throws(RequestError) -> RequestInputs {
        guard case .object(let members) = value else {
            throw RequestError("\"input\" must be an object, not \(value.kind)")
        }
        var result = RequestInputs()
        for member in members {
            let name = member.name.hasPrefix("$") ? String(member.name.dropFirst()) : member.name
            switch member.value {
            case .null: continue
            case .number(let digits): result[name] = digits
            case .boolean(let flag): result[name] = Array((flag ? "true" : "false").utf8)
            default: result[name] = try fields.bytes(member.value, "input")
            }
        }
        return result
    }
}

extension RuleRequest {
    /// Creates a request of a URL, or of a host and a path as reports show it: `www.example.com/a`.
    package init(written text: [UInt8]) {
        let end = text.firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
        let parts = text[..<end].split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let isHost = parts[0].contains(UInt8(ascii: ".")) || parts[0].elementsEqual("localhost".utf8)
        // After the colon of a scheme no number is alone.
        guard isHost, parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(\.isASCIIDigit) else {
            self.init(url: text)
            return
        }
        let target = end < text.endIndex ? Array(text[end...]) : []
        self.init(
            target: target.first == UInt8(ascii: "/") ? target : [UInt8(ascii: "/")] + target,
            host: Array(text[..<end])
        )
    }
}

/// The members of an object that stands for a request, by name; those that are null are left out.
private struct RequestMembers {
    private var values: [String: JSONValue] = [:]
    /// True if each character of a string stands for the byte with its number.
    private var isLatin1 = false

    init(_ members: [JSONMember]) throws(RequestError) {
        for member in members where member.value != .null { values[member.name] = member.value }
        switch values["latin1"] {
        case nil: break
        case .boolean(let flag): isLatin1 = flag
        case let other?: throw RequestError("\"latin1\" must be a boolean, not \(other.kind)")
        }
    }

    subscript(_ name: String) -> JSONValue? { values[name] }

    func bytes(_ name: String) throws(RequestError) -> [UInt8]? {
        guard let value = values[name] else { return nil }
        return try bytes(value, name)
    }

    func text(_ name: String) throws(RequestError) -> String? {
        try bytes(name).map { String(decoding: $0, as: UTF8.self) }
    }

    func bytes(_ value: JSONValue, _ name: String) throws(RequestError) -> [UInt8] {
        guard case .string(let bytes) = value else {
            throw RequestError("\"\(name)\" needs a string, not \(value.kind)")
        }
        guard isLatin1 else { return bytes }
        var result: [UInt8] = []
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else {
                throw RequestError("\"\(name)\" has a character that is not in Latin-1")
            }
            result.append(byte)
        }
        return result
    }
}
