import ShuntCore

/// The request that a client makes after a decision, as a browser would.
package enum RequestAfter {
    /// The request for the URL that a decision leads to; nil where it leads to none.
    ///
    /// The fragment stays after it, and after a 301, 302 or 303 a POST becomes a GET. Where it arrives is not known.
    package static func of(_ decision: Decision, about request: RuleRequest) -> RuleRequest? {
        guard let url = decision.urlBytes, decision.kind != .respond else { return nil }
        let fragment = url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        let target = Array(url[..<fragment])
        var next = request
        next.listen = nil
        next.headers.removeAll { $0.nameBytes.map(\.asciiLowercased).elementsEqual("host".utf8) }
        if target.starts(with: "//".utf8) {
            next.subject = .url(scheme(of: request) + [UInt8(ascii: ":")] + target)
        } else if target.first == UInt8(ascii: "/") {
            // A redirect without a host stays at the host that was asked.
            switch request.subject {
            case .target(_, let host):
                next.subject = .target(target, host: host)
                next.headers = request.headers
                next.listen = request.listen
            case .url(let url): next.subject = .url(origin(of: url) + target)
            }
        } else {
            next.subject = .url(target)
        }
        let status = decision.status ?? 0
        let isHead = request.methodBytes.elementsEqual("HEAD".utf8)
        if decision.kind == .redirect, (301...303).contains(status), !isHead {
            next.methodBytes = RuleRequest.usualMethod
        }
        return next
    }

    private static func scheme(of request: RuleRequest) -> [UInt8] {
        guard case .url(let url) = request.subject else { return Array("http".utf8) }
        return Array(url.prefix { $0 != UInt8(ascii: ":") })
    }

    /// The scheme and the host of a URL.
    private static func origin(of url: [UInt8]) -> [UInt8] {
        var slashes = 0
        let end = url.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3 || (slashes == 2 && (byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")))
        }
        return Array(url[..<(end ?? url.endIndex)])
    }
}
