import Shunt

/// Requests that are like another one but for one thing that rules often read: method, address, query, host, letters.
enum RequestVariations {
    static func all(of description: RequestDescription) -> [RequestDescription] {
        var found: [RequestDescription] = []
        func add(_ change: (inout RuleRequest) -> Void) { found.append(description.changed(change)) }
        for method in ["POST", "DELETE"] { add { $0.methodBytes = Array(method.utf8) } }
        for address in ["203.0.113.9", "192.0.2.1", "2001:db8::1"] { add { $0.remoteAddress = address } }
        switch description.request.subject {
        case .url(let url):
            let (front, fragment) = split(url, at: "#")
            add { $0.subject = .url(withArgument(front) + fragment) }
            if let start = RouteSubject(splitting: url.span).host.map({ Int($0.start) }) {
                let label = Array("a.".utf8)
                add { $0.subject = .url(url[..<start] + label + url[start...]) }
            }
        case .target(let target, let host):
            add { $0.subject = .target(withArgument(target), host: host) }
            if let host { add { $0.subject = .target(target, host: Array("a.".utf8) + host) } }
        }
        return found
    }

    /// Requests with a longer path or another end of it, with a query, for other hosts, and with what `all` changes.
    static func near(_ description: RequestDescription, hosts: some Sequence<[UInt8]>) -> [RequestDescription] {
        var found: [RequestDescription] = []
        func add(_ change: (inout RuleRequest) -> Void) { found.append(description.changed(change)) }
        let (front, rest) = split(description.request.bytes, at: "?")
        func addPath(_ path: [UInt8]) { add { $0.bytes = path + rest } }
        for text in ["a", "/", "/a"] { addPath(front + Array(text.utf8)) }
        if !description.request.isForURL {
            for host in hosts where description.request.host != host { add { $0.host = host } }
        }
        found += all(of: description)
        // A class may have few members.
        for byte in "abcdefghijklmnopqrstuvwxyz0123456789".utf8 {
            addPath((front.last == UInt8(ascii: "/") ? front : front.dropLast()) + [byte])
        }
        return found
    }

    /// The request with the letters of its path in the other case; none where it has no letter there.
    static func inOtherCase(_ description: RequestDescription) -> [RequestDescription] {
        let url = description.request.bytes
        let parts = description.request.isForURL ? RouteSubject(splitting: url.span) : nil
        let start = Int(parts?.port?.end ?? parts?.host?.end ?? 0)
        let other: [UInt8] = url[..<start] + url[start...].map { $0.isASCIILetter ? $0 ^ 0x20 : $0 }
        return other == url ? [] : [description.changed { $0.bytes = other }]
    }

    private static func withArgument(_ text: [UInt8]) -> [UInt8] {
        text + Array((text.contains(UInt8(ascii: "?")) ? "&a=b" : "?a=b").utf8)
    }

    private static func split(_ text: [UInt8], at mark: Character) -> (front: [UInt8], rest: [UInt8]) {
        let index = text.firstIndex { $0 == mark.asciiValue } ?? text.endIndex
        return (Array(text[..<index]), Array(text[index...]))
    }
}
