import ShuntCore

/// A line of the gateway's access log as the request that it records.
///
/// The log has what was asked for and what was decided in one object. What was decided is left out: its `url` is where the
/// request went.
enum AccessLogLine {
    /// Returns true if an object is a line of the log.
    static func isOne(_ members: [JSONMember]) -> Bool {
        let names = Set(members.map(\.name))
        return names.isSuperset(of: ["target", "client", "status", "rules"])
    }

    private static func renamed(_ member: JSONMember, to name: String) -> JSONMember {
        var member = member
        member.name = name
        return member
    }

    /// The members as those of a request.
    static func request(_ members: [JSONMember]) -> [JSONMember] {
        let reads = members.first { $0.name == "reads" }.map(Self.reads) ?? []
        return reads
            + members.compactMap { member in
                switch member.name {
                case "time", "method", "target": member
                case "client": renamed(member, to: "remote_addr")
                // The log has an empty text where there was no Host.
                case "host": member.value == .string([]) ? nil : member
                default: nil
                }
            }
    }

    /// Returns the values that the rules read in addition to the request line, as members of a request.
    private static func reads(_ member: JSONMember) -> [JSONMember] {
        guard case .object(let members) = member.value else { return [] }
        return members.filter { ["headers", "input", "listen"].contains($0.name) }
    }

    /// The names of headers, cookies and inputs whose values the log has masked.
    static func masked(_ members: [JSONMember]) -> [String] {
        members["reads"]?["masked"]?.items?.compactMap(\.text) ?? []
    }

    /// The client's port; nil if the line has none.
    static func port(_ members: [JSONMember]) -> Int? { members["port"]?.integer }

    /// The version of HTTP of a line; nil if it has none.
    static func version(_ members: [JSONMember]) -> String? {
        guard let text = members["protocol"]?.text, text.hasPrefix("HTTP/") else { return nil }
        return String(text.dropFirst(5))
    }
}
