/// A host name of a rule: exact, or with a wildcard as its first or last label.
///
/// The forms are those of http://nginx.org/en/docs/http/server_names.html; names are compared in lower case.
package struct HostNamePattern: Sendable, Hashable {
    package enum Kind: UInt8, Sendable {
        /// `a.example.com`.
        case exact
        /// `*.example.com`: one or more labels before it.
        case subdomains
        /// `.example.com`: the name itself and everything below it.
        case domain
        /// `www.*`: one or more labels after it.
        case prefix
    }

    package var kind: Kind
    /// The literal part in lower case, without the wildcard and the dot next to it.
    package var literal: [UInt8]

    /// Takes `text` apart; nil when a wildcard is where none may, or a label is empty.
    package init?(_ text: [UInt8]) {
        let lowered = text.map { $0 >= 0x41 && $0 <= 0x5a ? $0 | 0x20 : $0 }
        let dot = UInt8(ascii: ".")
        let star = UInt8(ascii: "*")
        var body = lowered[...]
        if body.count > 2, body.first == star, body[body.startIndex + 1] == dot {
            kind = .subdomains
            body = body.dropFirst(2)
        } else if body.count > 1, body.first == dot {
            kind = .domain
            body = body.dropFirst()
        } else if body.count > 2, body.last == star, body[body.endIndex - 2] == dot {
            kind = .prefix
            body = body.dropLast(2)
        } else {
            kind = .exact
        }
        guard !body.isEmpty, !body.contains(star) else { return nil }
        var previous = dot
        for byte in body {
            if byte == dot, previous == dot { return nil }
            previous = byte
        }
        literal = Array(body)
    }

    /// The name as a rule file has it.
    package var text: [UInt8] {
        switch kind {
        case .exact: literal
        case .subdomains: [UInt8(ascii: "*"), UInt8(ascii: ".")] + literal
        case .domain: [UInt8(ascii: ".")] + literal
        case .prefix: literal + [UInt8(ascii: "."), UInt8(ascii: "*")]
        }
    }

    /// Returns true if `host`, in lower case and without a port, is one of the names meant.
    ///
    /// As in nginx a wildcard also stands for nothing next to a dot: `www.*` takes `www.`.
    package func matches(_ host: Span<UInt8>) -> Bool {
        let count = literal.count
        switch kind {
        case .exact:
            return host.count == count && equals(host, from: 0)
        case .subdomains:
            return host.count > count && host[host.count - count - 1] == UInt8(ascii: ".")
                && equals(host, from: host.count - count)
        case .domain:
            if host.count == count { return equals(host, from: 0) }
            return host.count > count && host[host.count - count - 1] == UInt8(ascii: ".")
                && equals(host, from: host.count - count)
        case .prefix:
            return host.count > count && host[count] == UInt8(ascii: ".") && equals(host, from: 0)
        }
    }

    private func equals(_ host: Span<UInt8>, from start: Int) -> Bool {
        for index in literal.indices where host[start + index] != literal[index] { return false }
        return true
    }
}

extension HostNamePattern {
    /// The advice for a wrong wildcard.
    package static let advice = "a wildcard is the whole first or last label: *.example.com or www.*"
}
