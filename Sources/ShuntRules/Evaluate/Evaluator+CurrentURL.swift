import ShuntCore
import ShuntRouting

/// The URL of a request that goes on to whatever serves it.
extension Evaluator {
    /// Whether a rule has changed the path or the arguments.
    private var isChanged: Bool { uri != receivedURI || arguments != receivedArguments }

    /// Ends with the request handed on as it stands.
    ///
    /// The route of a request that no rule changed is looked up in its own target; the whole URL is put together when
    /// somebody asks for it, which for most requests nobody does.
    func forwardCurrent() {
        // There is room enough for what is put together later, whatever the request.
        let hasRoom = arena.count <= EvaluationLimits.valueBytes / 2
        guard url.isEmpty, !isChanged, hasRoom, recorder == nil, !requestURI.isEmpty,
            arena[requestURI.start] == UInt8(ascii: "/"), !authority.isEmpty
        else {
            return forward(to: currentURL())
        }
        var scheme = Self.https
        if !isSecure { scheme.end -= 1 }
        readSubject(scheme: scheme, authority: authority, path: requestURI.start)
        outcome.urlIsPending = true
        forward(to: .empty)
    }

    /// The URL of the decision; nil where it has none.
    func resultURL(_ outcome: Outcome) -> ByteRange? {
        guard outcome.hasURL else { return nil }
        guard outcome.urlIsPending else { return outcome.url }
        // The parts of the route's values stay where they were found.
        let subject = routeSubject
        defer { routeSubject = subject }
        if self.outcome.urlIsPending {
            self.outcome.url = currentURL()
            self.outcome.urlIsPending = false
        }
        return self.outcome.url
    }

    /// Makes room in the arena for a URL that is put together when somebody asks for it, so that it moves nothing.
    func makeRoomForURL() {
        guard outcome.urlIsPending else { return }
        arena.makeRoom("https://".utf8.count + authority.count + requestURI.count)
    }

    /// The URL that the request stands for: as it came in, unless a rule has changed the path or the arguments.
    func currentURL() -> ByteRange {
        if !isChanged, !url.isEmpty {
            routeSubject = RouteSubject(parts)
            return url
        }
        let mark = arena.mark
        arena.append(isSecure ? "https://" : "http://")
        let scheme = ByteRange(mark, mark + (isSecure ? 5 : 4))
        let authorityStart = arena.mark
        if authority.isEmpty {
            arena.append(localAddress)
        } else {
            arena.append(copyOf: authority)
        }
        let name = arena.range(from: authorityStart)
        let pathStart = arena.mark
        if isChanged {
            PercentCoding.appendEscapedURI(uri, to: arena)
            var subject = subject(scheme: scheme, authority: name)
            subject.path = arena.range(from: pathStart)
            if !arguments.isEmpty {
                arena.append(UInt8(ascii: "?"))
                let start = arena.mark
                arena.append(copyOf: arguments)
                subject.query = arena.range(from: start)
            }
            routeSubject = subject
        } else {
            arena.append(copyOf: requestURI)
            // Without a slash, as in `*`, the path has become a part of the authority.
            if !requestURI.isEmpty, arena[requestURI.start] == UInt8(ascii: "/") {
                readSubject(scheme: scheme, authority: name, path: Int32(truncatingIfNeeded: pathStart))
            }
        }
        return arena.range(from: mark)
    }

    /// Notes where the parts are of a URL whose path, query and fragment are the target of the request, copied to `path`
    /// or where it came in.
    private func readSubject(scheme: ByteRange, authority: ByteRange, path: Int32) {
        // A URL that did not fit has no parts.
        guard !arena.overflowed else { return }
        var subject = subject(scheme: scheme, authority: authority)
        let end = path + Int32(requestURI.count)
        // Where nothing had to be normalised, the end of the path is known.
        let known = receivedURI.start == requestURI.start ? receivedURI.count : 0
        arena.withBytes(ByteRange(start: 0, end: end)) {
            subject.readPath(of: $0, from: Int(path), pathLength: known)
        }
        routeSubject = subject
    }

    private func subject(scheme: ByteRange, authority name: ByteRange) -> RouteSubject {
        var subject = RouteSubject(path: .empty)
        subject.scheme = scheme
        if host == authority, !host.isEmpty {
            subject.host = name
        } else {
            (subject.host, subject.port) = HostName.split(name, in: arena)
        }
        return subject
    }
}
