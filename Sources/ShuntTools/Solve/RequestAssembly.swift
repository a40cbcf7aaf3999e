import Shunt
import ShuntPatterns

/// Puts a request together whose values pass the tests of a draft.
struct RequestAssembly {
    let checker: ValueChecker
    let asOf: Timestamp
    private let search: ValueSearch
    private var model: RuleModel { checker.model }

    init(_ checker: ValueChecker, asOf: Timestamp) {
        self.checker = checker
        self.asOf = asOf
        search = ValueSearch(checker: checker)
    }

    /// The request, or why there is none.
    func request(for draft: RequestDraft) -> Result<RuleRequest, UnprovedReason> {
        var request: RuleRequest
        if let server = draft.server {
            guard let (target, host, listen) = target(draft, server) else { return .failure(.notFound(tried: 0)) }
            request = RuleRequest(target: target, host: host)
            request.listen = listen
        } else {
            guard let url = url(draft) else { return .failure(.notFound(tried: 0)) }
            request = RuleRequest(url: url)
        }
        if let reason = fill(&request, from: draft) { return .failure(reason) }
        return .success(request)
    }

    // MARK: Subjects

    private func url(_ draft: RequestDraft) -> [UInt8]? {
        var tests = draft.tests(of: .url)
        for (name, value) in arguments(draft) ?? [] {
            let pattern = "(?:^|&)" + Self.quoted(name + Array("=".utf8) + value) + "(?:&|\\z)"
            guard let values = checker.automaton(pattern),
                let urls = try? URLPart.arguments.urls(having: .automaton(values), checker)
                    .automaton(limits: checker.limits.proof)
            else { return nil }
            tests.append(ValueTest(.isIn(urls)))
        }
        var skipped = draft.skipped
        for pattern in URLDomain.patterns {
            guard let domain = checker.automaton(pattern) else { continue }
            let found = search.values(tests, in: domain, count: skipped + 1)
            if found.count > skipped { return found[skipped] }
            skipped -= found.count
        }
        return nil
    }

    private static func quoted(_ text: [UInt8]) -> String {
        var pattern: [UInt8] = []
        for byte in text {
            if byte.isASCIILetter || byte.isASCIIDigit {
                pattern.append(byte)
            } else {
                pattern += Array("\\x".utf8) + [(byte >> 4).lowerHexadecimalDigit, (byte & 15).lowerHexadecimalDigit]
            }
        }
        return String(decoding: pattern, as: UTF8.self)
    }

    private func target(
        _ draft: RequestDraft,
        _ server: RuleModel.Server
    ) -> (target: [UInt8], host: [UInt8], listen: RuleRequest.Endpoint?)? {
        let isSent = !draft.tests(of: .target).isEmpty
        guard let target = isSent ? sentTarget(draft) : encodedTarget(draft, server) else { return nil }

        let isHost = draft.tests(of: .host)
        var hosts = [Array("localhost".utf8)]
        if !isHost.isEmpty {
            // A host of labels has no dot at its ends, as the dot at the end is dropped, and one at the start refused.
            hosts = search.values(isHost, in: checker.automaton("^[a-z0-9_-]+(?:\\.[a-z0-9_-]+)*\\z"), count: 4)
            if hosts.isEmpty { hosts = search.values(isHost, in: checker.automaton(of: .host), count: 4) }
            hosts.removeAll { $0.first == UInt8(ascii: ".") }
        }
        let isSecure = draft.tests(of: .isSecure).first.map { !$0.isNegated }
        for host in hosts {
            guard let listen = listen(for: server, host: host, isSecure: isSecure, draft.tests(of: .port)) else {
                continue
            }
            return (target, host, listen == model.listens.first ? nil : endpoint(of: listen))
        }
        return nil
    }

    /// A target whose own text, `$request_uri`, passes its tests.
    ///
    /// The tests of its path hold for the path as it is sent: the engine confirms what is found.
    private func sentTarget(_ draft: RequestDraft) -> [UInt8]? {
        guard let domain = checker.automaton("^/[\\x21-\\x22\\x24-\\x7e]*\\z"), let start = checker.automaton("^\\z")
        else { return nil }
        var tests = draft.tests(of: .target)
        let path = PartOfSubject(before: start, terminators: ByteSet(ascii: "?#"))
        for test in draft.tests(of: .path) {
            guard let language = try? checker.language(of: test),
                let values = try? language.automaton(limits: checker.limits.proof),
                let targets = try? path.subjects(having: values, limits: checker.limits.proof)
            else { continue }
            tests.append(ValueTest(.isIn(targets)))
        }
        return search.values(tests, in: domain, count: draft.skipped + 1).dropFirst(draft.skipped).first
    }

    /// A target for a path and arguments that pass their tests.
    private func encodedTarget(_ draft: RequestDraft, _ server: RuleModel.Server) -> [UInt8]? {
        let domain = checker.automaton(of: .path(mergesSlashes: server.settings.mergesSlashes))
        let tests = draft.tests(of: .path)
        // Paths with control bytes are shown only if there are no others.
        let plain = tests + Self.withoutControls(checker)
        var paths = search.values(plain, in: domain, count: draft.skipped + 1)
        if paths.isEmpty { paths = search.values(tests, in: domain, count: draft.skipped + 1) }
        guard paths.count > draft.skipped else { return nil }
        guard let query = query(draft) else { return nil }
        return Self.encoded(paths[draft.skipped]) + (query.isEmpty ? [] : [UInt8(ascii: "?")] + query)
    }

    static func withoutControls(_ checker: ValueChecker) -> [ValueTest] {
        checker.automaton("[\\x00-\\x1f\\x7f]").map { [ValueTest(.isIn($0), negated: true)] } ?? []
    }

    /// The listen that leads a host to a server; the first that does.
    private func listen(
        for server: RuleModel.Server,
        host: [UInt8],
        isSecure: Bool?,
        _ ports: [ValueTest]
    ) -> RuleModel.Listen? {
        model.listens.first { listen in
            if let isSecure, listen.isSecure != isSecure { return false }
            return checker.passes(Array("\(listen.port)".utf8), ports) && selected(listen, host) == server
        }
    }

    /// The server that an address chooses for a host.
    private func selected(_ listen: RuleModel.Listen, _ host: [UInt8]) -> RuleModel.Server {
        if listen.hasOneServer { return listen.defaultServer }
        return listen.server(named: host)
            ?? listen.expressions.first { checker.matches($0.expression, host) }?.server ?? listen.defaultServer
    }

    private func endpoint(of listen: RuleModel.Listen) -> RuleRequest.Endpoint {
        let address =
            switch listen.host {
            case .anyV4: "*"
            case .anyV6: "::"
            case .address(let address): address.description
            case .name(let name): String(decoding: name, as: UTF8.self)
            case .path(let path): "unix:" + String(decoding: path, as: UTF8.self)
            }
        return RuleRequest.Endpoint(address: address, port: listen.port)
    }

    /// A path as a client sends it.
    static func encoded(_ path: [UInt8]) -> [UInt8] { URLComponentCoding.encode(path.span, for: .path) }

    /// The arguments of the query that have to have a value.
    private func arguments(_ draft: RequestDraft) -> [(name: [UInt8], value: [UInt8])]? {
        var found: [(name: [UInt8], value: [UInt8])] = []
        for source in sources(draft) {
            guard case .argument(let name) = source else { continue }
            let tests = draft.tests(of: source)
            if checker.passes([], tests) { continue }
            let domain = checker.automaton("^[^&#\\x00-\\x20\\x7f-\\xff]*\\z")
            guard let value = search.values(tests, in: domain).first else { return nil }
            found.append((name, value))
        }
        return found
    }

    private func query(_ draft: RequestDraft) -> [UInt8]? {
        guard let arguments = arguments(draft) else { return nil }
        let pairs = arguments.map { $0.name + [UInt8(ascii: "=")] + $0.value }
        var query = Array(pairs.joined(separator: [UInt8(ascii: "&")]))
        let tests = draft.tests(of: .arguments)
        if !checker.passes(query, tests) {
            let domain = checker.automaton("^[^#\\x00-\\x20\\x7f-\\xff]*\\z")
            guard let found = search.values(tests, in: domain).first else { return nil }
            query = found + (query.isEmpty || found.isEmpty ? [] : [UInt8(ascii: "&")]) + query
        }
        return query
    }

    // MARK: Everything else

    /// The sources of a draft's tests, each once.
    private func sources(_ draft: RequestDraft) -> [RequestSource] {
        var seen = Set<RequestSource>()
        return draft.tests.map(\.source).filter { seen.insert($0).inserted }
    }

    /// Sets what is neither URL nor target; returns the reason if that cannot be done.
    private func fill(_ request: inout RuleRequest, from draft: RequestDraft) -> UnprovedReason? {
        var cookies: [[UInt8]] = []
        var times: [(variable: BuiltinVariable, test: ValueTest)] = []
        for source in sources(draft) {
            let tests = draft.tests(of: source)
            switch source {
            case .url, .target, .path, .arguments, .argument, .host, .isSecure, .port: continue
            case .method:
                if checker.passes(request.methodBytes, tests) { continue }
                let usual = ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"].map { Array($0.utf8) }
                guard
                    let method = usual.first(where: { checker.passes($0, tests) })
                        ?? search.values(tests, in: checker.automaton("^[A-Z]+\\z")).first
                else { return .notFound(tried: 0) }
                request.methodBytes = method
            case .address:
                if checker.passes(Array(request.remoteAddress.utf8), tests) { continue }
                let found =
                    search.values(tests, in: checker.addressesOfHosts).first
                    ?? search.values(tests, count: 16).first { InternetAddress($0.asText) != nil }
                guard let found else { return .notFound(tried: 0) }
                request.remoteAddress = found.asText
            case .header(let name):
                if checker.passes([], tests) { continue }
                let domain = checker.automaton("^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?\\z")
                guard let value = search.values(tests, in: domain).first else { return .notFound(tried: 0) }
                request.headers.append(RuleRequest.Header(name: Self.headerName(name), value: value))
            case .cookie(let name):
                if checker.passes([], tests) { continue }
                let domain = checker.automaton("^[\\x21-\\x3a\\x3c-\\x7e]+\\z")
                guard let value = search.values(tests, in: domain).first else { return .notFound(tried: 0) }
                cookies.append(name + [UInt8(ascii: "=")] + value)
            case .input(let name):
                if checker.passes(defaultValue(of: name), tests) { continue }
                guard let value = search.values(tests).first else { return .notFound(tried: 0) }
                request.inputs[name] = value
            case .time(let variable): for test in tests { times.append((variable, test)) }
            }
        }
        if !cookies.isEmpty {
            request.headers.append(
                RuleRequest.Header(name: Array("Cookie".utf8), value: Array(cookies.joined(separator: "; ".utf8)))
            )
        }
        guard !times.isEmpty else { return nil }
        switch TimeSearch(checker: checker, asOf: asOf).search(times) {
        case .moment(let moment): request.time = moment
        case .past(let moment): return .past(moment)
        case .none: return .notFound(tried: 0)
        }
        return nil
    }

    /// Returns the value of an input that no caller supplies.
    private func defaultValue(of name: String) -> [UInt8] {
        model.inputs.first { $0.name == name }?.defaultValue?.constant ?? []
    }

    /// The name of a header as people write it: `user_agent` is `User-Agent`.
    static func headerName(_ name: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in name {
            let isFirst = result.isEmpty || result.last == UInt8(ascii: "-")
            let byte = byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte
            result.append(isFirst && byte.isASCIILetter ? byte & 0xdf : byte)
        }
        return result
    }
}

extension [UInt8] {
    /// The bytes as text.
    var asText: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
    /// The byte as `%XX`.
    var percentEncoded: [UInt8] {
        [UInt8(ascii: "%"), (self >> 4).upperHexadecimalDigit, (self & 15).upperHexadecimalDigit]
    }
}
