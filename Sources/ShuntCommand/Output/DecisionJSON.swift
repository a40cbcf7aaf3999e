import Shunt

/// Decisions as JSON objects.
enum DecisionJSON {
    /// Writes a decision.
    ///
    /// Bytes that are UTF-8 are written as such. A member with a string that is not UTF-8 has in it one character of
    /// Latin-1 for each byte, and its name is listed in the member `latin1`, so that every byte can be had back.
    ///
    /// - Parameters:
    ///   - decision: What was decided.
    ///   - line: The line of input: a URL, or the text of an object, which is repeated as it is.
    ///   - isObject: Whether it is the text of a valid object.
    ///   - writer: Where to.
    static func write(_ decision: Decision, line: [UInt8], isObject: Bool, to writer: inout JSONWriter) {
        writer.beginObject()
        var members = MemberWriter()
        if isObject {
            writer.name("request")
            writer.json(line.span)
        } else {
            members.write("request", line, to: &writer)
        }
        write(decision, members: &members, to: &writer)
        writer.endObject()
    }

    /// Writes a decision without the request.
    static func write(_ decision: Decision, to writer: inout JSONWriter) {
        writer.beginObject()
        var members = MemberWriter()
        write(decision, members: &members, to: &writer)
        writer.endObject()
    }

    private static func write(_ decision: Decision, members: inout MemberWriter, to writer: inout JSONWriter) {
        writer.member("decision", decision.kind.rawValue)
        if let status = decision.status { writer.member("status", status) }
        if let url = decision.url { members.write("url", url, to: &writer) }
        if let uri = decision.uri { members.write("uri", uri, to: &writer) }
        if let arguments = decision.arguments { members.write("args", arguments, to: &writer) }
        if let body = decision.body { members.write("body", body, to: &writer) }
        write(decision.headers + decision.successHeaders, members: &members, to: &writer)
        if let server = decision.server { members.write("server", server, to: &writer) }
        if let location = decision.location { writer.member("location", location) }
        if let rule = decision.rule {
            writer.name("rule")
            write(rule, to: &writer)
        }
        if let route = decision.route {
            writer.member("route", route)
            writer.name("parameters")
            writer.beginObject()
            for parameter in decision.parameters { writer.member(parameter.name, parameter.value) }
            writer.endObject()
        }
        if let reason = decision.reason { writer.member("reason", reason) }
        members.finish(&writer)
    }

    /// Writes headers as pairs, for a name may be there more than once.
    private static func write(
        _ headers: [RuleRequest.Header],
        members: inout MemberWriter,
        to writer: inout JSONWriter
    ) {
        guard !headers.isEmpty else { return }
        writer.name("headers")
        writer.beginArray()
        for header in headers {
            writer.beginArray()
            members.writeItem(of: "headers", header.name, to: &writer)
            members.writeItem(of: "headers", header.value, to: &writer)
            writer.endArray()
        }
        writer.endArray()
    }

    /// Writes a place in a rule file.
    static func write(_ location: SourceLocation, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("file", location.file)
        writer.member("line", location.line)
        writer.member("column", location.column)
        writer.endObject()
    }
}

/// Writes members whose values are bytes, and keeps account of those that are not UTF-8.
private struct MemberWriter {
    private var names: [String] = []

    mutating func write(_ name: String, _ bytes: [UInt8], to writer: inout JSONWriter) {
        writer.name(name)
        writeItem(of: name, bytes, to: &writer)
    }

    mutating func writeItem(of name: String, _ bytes: [UInt8], to writer: inout JSONWriter) {
        if !bytes.span.isUTF8, names.last != name { names.append(name) }
        writer.string(bytes.span)
    }

    /// Writes the names of the members that are Latin-1, if any are.
    func finish(_ writer: inout JSONWriter) {
        guard !names.isEmpty else { return }
        writer.name("latin1")
        writer.beginArray()
        for name in names { writer.string(name) }
        writer.endArray()
    }
}
