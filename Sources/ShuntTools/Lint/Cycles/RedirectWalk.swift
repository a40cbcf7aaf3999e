import Shunt

/// The place that a client reaches if it follows the answers of the rules, as a browser does.
struct RedirectWalk {
    enum End {
        /// Nothing more is redirected, or the next URL is not for these rules.
        case arrived
        /// The answer is the requested URL.
        case itself
        /// The URL was asked for before.
        case circle
        /// The same rule again and again, with longer URLs.
        case growing
    }

    private(set) var hops: [LintWitness]
    private(set) var end = End.arrived
    private let subject: LintSubject
    /// The redirects that browsers follow before they show an error.
    static let mostHops = 20
    /// True if there are more redirects than a browser follows.
    private(set) var isCut = false

    /// Follows the decision about a request.
    init(_ first: LintWitness, _ subject: LintSubject) {
        self.subject = subject
        hops = [first]
        var seen: [[UInt8]] = [subject.url(of: first.request.request)]
        while let last = hops.last, let next = subject.next(after: last) {
            guard let known = seen.last else { return }
            guard hops.count <= Self.mostHops else {
                isCut = true
                return
            }
            // A form that was sent leads back to itself, and to the page that GET has there; so does a page that sets a cookie.
            let (old, new) = (last.request.request, next.0.request)
            if seen.contains(next.url), old.methodBytes != new.methodBytes || old.headers != new.headers,
                subject.next(after: subject.quickDecision(next.0)) == nil
            {
                return
            }
            if next.url == known {
                end = .itself
                return
            }
            if seen.contains(next.url) {
                hops.append(subject.quickDecision(next.0))
                end = .circle
                return
            }
            var witness = subject.quickDecision(next.0)
            guard subject.isOwn(witness, after: last) else { return }
            if subject.next(after: witness) == nil, let found = subject.index(next.0, after: last) { witness = found }
            guard subject.next(after: witness) != nil else { return }
            hops.append(witness)
            seen.append(next.url)
            if isGrowing {
                end = .growing
                return
            }
        }
    }

    var isArrived: Bool { if case .arrived = end { true } else { false } }

    private var isGrowing: Bool {
        guard hops.count >= 5 else { return false }
        let last = hops.suffix(5)
        let rules = Set(last.map(\.decision.position))
        let lengths = last.map { $0.decision.urlBytes?.count ?? 0 }
        return rules.count == 1 && zip(lengths, lengths.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// The hops, each with the rule that makes it.
    var remarks: [String] {
        hops.map { hop in
            let rule = hop.decision.rule.map { " (\($0))" } ?? ""
            return "confirmed: \(hop.text)\(rule)"
        }
    }
}

extension LintSubject {
    /// The whole URL that a request is for.
    func url(of request: RuleRequest) -> [UInt8] {
        switch request.subject {
        case .url(let url): return url
        case .target(let target, let host):
            let port = request.listen?.port ?? model.listens.first?.port ?? 80
            let isSecure = model.listens.contains { $0.port == port && $0.isSecure }
            let shownPort = port == (isSecure ? 443 : 80) ? "" : ":\(port)"
            return Array((isSecure ? "https://" : "http://").utf8) + (host ?? []) + Array(shownPort.utf8) + target
        }
    }

    /// The request that a browser makes after a decision; nil if it makes none.
    func next(after witness: LintWitness) -> (RequestDescription, url: [UInt8])? {
        guard var url = witness.decision.urlBytes else { return nil }
        switch witness.decision.kind {
        case .redirect, .degrade: break
        case .forward:
            // An app that opens a native URL which rules made of another one has them asked again.
            let asked = self.url(of: witness.request.request)
            guard url != asked, let scheme = HostOfURL(url)?.scheme, !scheme.starts(with: "http".utf8) else {
                return nil
            }
        default: return nil
        }
        if let mark = url.firstIndex(of: UInt8(ascii: "#")) { url.removeSubrange(mark...) }
        let before = self.url(of: witness.request.request)
        if url.first == UInt8(ascii: "/") {
            let isWhole = url.dropFirst().first == UInt8(ascii: "/")
            let marks = before.indices.filter { before[$0] == UInt8(ascii: "/") }
            guard marks.count > 1 else { return nil }
            let end = isWhole ? marks[0] : marks.count > 2 ? marks[2] : before.count
            url = before[..<end] + url
        }
        guard let parts = HostOfURL(url), !parts.scheme.isEmpty else { return nil }
        // A browser leaves out the usual port (RFC 9110, section 4.2.3).
        if let port = parts.port, port == (parts.scheme == Array("https".utf8) ? 443 : 80) {
            let end = url.count - parts.rest.count
            if let colon = url[..<end].lastIndex(of: UInt8(ascii: ":")) { url.removeSubrange(colon..<end) }
        }
        var next = RuleRequest(url: url)
        // Other redirects are followed by GET.
        if [307, 308].contains(witness.decision.status) { next.methodBytes = witness.request.request.methodBytes }
        next.headers = headers(witness.request.request.headers, forwarding: parts)
        if case .redirect(let redirect) = witness.decision.action { next.keepCookies(of: redirect.headers) }
        next.inputs = witness.request.request.inputs
        next.remoteAddress = witness.request.request.remoteAddress
        next.time = witness.request.request.time
        return (RequestDescription(next, files: witness.request.files), url)
    }

    /// Returns the decision about a folder whose index is the file that sent a client there; nil where it is not.
    fileprivate func index(_ description: RequestDescription, after last: LintWitness) -> LintWitness? {
        guard tree.named["index"] != nil || tree.named["root"] != nil,
            let folder = HostOfURL(url(of: description.request)), let file = HostOfURL(url(of: last.request.request)),
            folder.host == file.host, folder.rest.last == UInt8(ascii: "/"), file.rest.starts(with: folder.rest)
        else { return nil }
        let name = file.rest.dropFirst(folder.rest.count)
        guard !name.isEmpty, !name.contains(UInt8(ascii: "/")) else { return nil }
        let path = "/\(String(decoding: name, as: UTF8.self))"
        return
            solver.withFiles(description.request, areDirectories: false) { found in
                found.files.last?.hasSuffix(path) == true && next(after: decide(found)) != nil
            }
            .map(decide)
    }

    /// A redirect in a circle that begins at a rule with a request like another one; nil if none is found.
    func circle(near description: RequestDescription, of step: RuleModel.Step) -> RedirectWalk? {
        guard case .target(let target, let host) = description.request.subject else { return nil }
        var others: [(target: [UInt8], host: [UInt8]?)] = []
        if !target.contains(UInt8(ascii: "?")) { others.append((target + Array("?x=1".utf8), host)) }
        // As a value 0 is false.
        let (zero, one) = (UInt8(ascii: "0"), UInt8(ascii: "1"))
        if target.contains(zero) { others.append((target.map { $0 == zero ? one : $0 }, host)) }
        let words = step.sequence?.server.map { names(of: $0) } ?? []
        for name in words.lazy.map(\.text).filter({ $0.contains(".") && !$0.hasPrefix("~") }).prefix(4) {
            for label in name.hasPrefix("*.") ? ["www.", "b."] : name.hasPrefix(".") ? ["www.", ""] : [""] {
                others.append((target, Array((label + name.drop { "*.".contains($0) }).utf8)))
            }
        }
        for (target, host) in others {
            let first = quickDecision(description.changed { $0.subject = .target(target, host: host) })
            guard first.decision.position == step.position else { continue }
            let walk = RedirectWalk(first, self)
            if !walk.isArrived { return walk }
        }
        return nil
    }

    /// Returns true if these rules decide about a URL: a server names its host and listens on its port, if servers
    /// decide about it.
    fileprivate func isOwn(_ witness: LintWitness, after last: LintWitness) -> Bool {
        guard witness.decision.server != nil, !model.listens.isEmpty else { return true }
        guard let parts = HostOfURL(url(of: witness.request.request)) else { return false }
        let isSecure = parts.scheme == Array("https".utf8)
        let port = parts.port ?? (isSecure ? 443 : 80)
        if tree.named["listen"] != nil, !model.listens.contains(where: { $0.port == port }) { return false }
        if let before = HostOfURL(url(of: last.request.request)), before.host == parts.host { return true }
        return model.listens.contains { listen in
            listen.server(named: parts.host) != nil
                || listen.expressions.contains { checker.matches($0.expression, parts.host) }
                || listen.defaultServer.name.isEmpty
        }
    }

    /// The headers of a request for a URL through a proxy that names what it was asked for, as far as the rules read that.
    func headers(_ headers: [RuleRequest.Header], forwarding url: HostOfURL) -> [RuleRequest.Header] {
        let isSecure = url.scheme == Array("https".utf8)
        let values = [
            "proto": url.scheme, "scheme": url.scheme, "ssl": Array((isSecure ? "on" : "off").utf8), "host": url.host,
            "port": Array("\(url.port ?? (isSecure ? 443 : 80))".utf8),
        ]
        let read = forwardedNames.compactMap { name in
            values[name].map { RuleRequest.Header(name: Array("x-forwarded-\(name)".utf8), value: $0) }
        }
        return headers.filter { header in !read.contains { $0.nameBytes == header.nameBytes.map(\.asciiLowercased) } }
            + read
    }
}

/// The scheme, the host and the port of a URL, as they are written.
struct HostOfURL {
    var scheme: [UInt8]
    var host: [UInt8]
    var port: Int?
    /// The text after the authority.
    var rest: [UInt8]

    /// Nil for what has no scheme.
    init?(_ url: [UInt8]) {
        guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        scheme = url[..<colon].map(\.asciiLowercased)
        var behind = url[(colon + 1)...]
        // Browsers take a backslash for a slash, and any number of them for two.
        while let first = behind.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "\\") {
            behind = behind.dropFirst()
        }
        let end = behind.firstIndex { "/\\?#".utf8.contains($0) } ?? behind.endIndex
        var authority = behind[..<end]
        rest = Array(behind[end...])
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        if let colon = authority.lastIndex(of: UInt8(ascii: ":")), !authority.contains(UInt8(ascii: "]")) {
            port = Int(String(decoding: authority[(colon + 1)...], as: UTF8.self))
            authority = authority[..<colon]
        }
        host = authority.map(\.asciiLowercased)
    }
}
