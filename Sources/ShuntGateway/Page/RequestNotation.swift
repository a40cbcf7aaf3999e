#if Gateway
import Shunt

/// A request as someone may ask it again: as the query of `/explain`, and as a command.
enum RequestNotation {
    /// The query of `/explain` that asks about a request, which is the fragment of the page's view as well.
    static func query(_ request: RuleRequest) -> String {
        var pairs: [(name: String, value: [UInt8])] = []
        switch request.subject {
        case .url(let url): pairs.append(("url", url))
        case .target(let target, let host):
            pairs.append(("url", Array("http://".utf8) + (host ?? Array("localhost".utf8)) + target))
        }
        if request.methodBytes != RuleRequest.usualMethod { pairs.append(("method", request.methodBytes)) }
        if request.remoteAddress != RuleRequest.usualAddress {
            pairs.append(("remote", Array(request.remoteAddress.utf8)))
        }
        for header in request.headers {
            pairs.append(("header", header.nameBytes + Array(": ".utf8) + header.valueBytes))
        }
        for (name, value) in request.inputs.bytes.sorted(by: { $0.key < $1.key }) {
            pairs.append(("input.\(name)", value))
        }
        return pairs.map { "\(escaped(Array($0.name.utf8)))=\(escaped($0.value))" }.joined(separator: "&")
    }

    /// The command that sends a request, or asks the admin listener, whose host and port are given as its client knows them, about a URL
    /// that no HTTP client knows.
    static func curl(_ request: RuleRequest, asking listener: String) -> String {
        var words = ["curl", "-i"]
        guard case .url(let url) = request.subject, isHTTP(url) else {
            return (words + [quoted(Array("http://\(listener)/explain?\(query(request))".utf8))]).joined(separator: " ")
        }
        if request.methodBytes != RuleRequest.usualMethod { words += ["-X", quoted(request.methodBytes)] }
        for header in request.headers {
            words += ["-H", quoted(header.nameBytes + Array(": ".utf8) + header.valueBytes)]
        }
        return (words + [quoted(url)]).joined(separator: " ")
    }

    private static func isHTTP(_ url: [UInt8]) -> Bool {
        let scheme = url.prefix { $0 != UInt8(ascii: ":") }.map(\.asciiLowercased)
        return scheme == Array("http".utf8) || scheme == Array("https".utf8)
    }

    /// A word of a shell: between single quotes everything but these stands for itself.
    private static func quoted(_ bytes: [UInt8]) -> String {
        "'" + String(decoding: bytes, as: UTF8.self).replacing("'", with: "'\\''") + "'"
    }

    /// Every byte but the unreserved ones of RFC 3986 as `%XX`.
    private static func escaped(_ bytes: [UInt8]) -> String {
        let encoded = URLComponentCoding.encode(bytes.span, keeping: URLComponentCoding.unreservedBytes)
        return String(decoding: encoded, as: UTF8.self)
    }
}
#endif
