import Shunt

/// Requests that are like another one but for one thing that rules often look at: method, address, query, host, letters.
enum RequestVariations {
    static func all(of description: RequestDescription) -> [RequestDescription] {
        var found: [RequestDescription] = []
        func add(_ change: (inout RuleRequest) -> Void) {
            var other = description
            change(&other.request)
            found.append(other)
        }
        for method in ["POST", "DELETE"] { add { $0.method = Array(method.utf8) } }
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

    /// Requests with a longer path, with a query, for other hosts, and with what `all` changes.
    static func near(_ description: RequestDescription, hosts: some Sequence<[UInt8]>) -> [RequestDescription] {
        var found: [RequestDescription] = []
        func add(_ subject: RuleRequest.Subject) {
            var other = description
            other.request.subject = subject
            found.append(other)
        }
        for text in ["a", "/", "/a"] {
            switch description.request.subject {
            case .url(let url):
                let (front, rest) = split(url, at: "?")
                add(.url(front + Array(text.utf8) + rest))
            case .target(let target, let host):
                let (front, rest) = split(target, at: "?")
                add(.target(front + Array(text.utf8) + rest, host: host))
            }
        }
        for host in hosts {
            guard case .target(let target, let own) = description.request.subject, own != host else { continue }
            add(.target(target, host: host))
        }
        return found + all(of: description)
    }

    /// The request with the letters of its path in the other case; none where it has no letter there.
    static func inOtherCase(_ description: RequestDescription) -> [RequestDescription] {
        func changed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
            bytes.map { $0.isASCIILetter ? $0 ^ 0x20 : $0 }
        }
        var other = description
        switch description.request.subject {
        case .url(let url):
            let parts = RouteSubject(splitting: url.span)
            let start = Int(parts.port?.end ?? parts.host?.end ?? 0)
            other.request.subject = .url(url[..<start] + changed(url[start...]))
        case .target(let target, let host): other.request.subject = .target(changed(target), host: host)
        }
        return other.request.subject == description.request.subject ? [] : [other]
    }

    private static func withArgument(_ text: [UInt8]) -> [UInt8] {
        text + Array((text.contains(UInt8(ascii: "?")) ? "&a=b" : "?a=b").utf8)
    }

    private static func split(_ text: [UInt8], at mark: Character) -> (front: [UInt8], rest: [UInt8]) {
        let index = text.firstIndex { $0 == mark.asciiValue } ?? text.endIndex
        return (Array(text[..<index]), Array(text[index...]))
    }
}
