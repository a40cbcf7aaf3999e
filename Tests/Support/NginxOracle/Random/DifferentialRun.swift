/// The engine that is compared with nginx.
package protocol ComparedEngine {
    /// Loads rules; an error means that they are refused.
    init(_ rules: RuleText, files: [SupportFile], ports: [UInt16]) throws
    /// Returns the outcome of a request. `isForward` is true if nginx forwards it.
    func outcome(_ request: OracleRequest, whereForward isForward: Bool) -> RequestOutcome
}

/// A rule set and a request about which nginx and the engine differ.
package struct Mismatch: Sendable {
    package var seed: UInt64
    package var rules: RandomRules
    /// nil when they differ about the rules themselves.
    package var request: OracleRequest?
    package var difference: String
    /// The behaviour of nginx.
    package var expectation: Expectation?

    /// The mismatch as a case of a case file, ready to be kept as one.
    package var report: String {
        var text = "# seed \(seed): \(difference)\n=== seed \(seed)\n" + RuleNode.render(rules.nodes)
        for file in rules.files {
            let content = file.kind == .folder ? "" : " \"\(ByteText.show(file.content))\""
            text += "\(file.kind.rawValue) \(file.path)\(content)\n"
        }
        text += "---\n"
        guard let request else { return text }
        let method = ByteText.show(request.method)
        let version = request.version == Array("HTTP/1.1".utf8) ? "" : " \(ByteText.show(request.version))"
        text += "\(method) \(ByteText.show(request.target))\(version)\n"
        if let listen = request.listen { text += "    @\(listen)\n" }
        if request.headers.isEmpty { text += "    -Host\n" }
        for header in request.headers where header != HeaderLine("Host", "localhost") {
            text += "    \(ByteText.show(header.name)): \(ByteText.show(header.value))\n"
        }
        return text + (expectation.map { "\($0)\n" } ?? "")
    }
}

/// Compares an engine with nginx on random rule sets and requests.
package struct DifferentialRun<Engine: ComparedEngine> {
    let oracle: NginxOracle
    /// The number of rule sets that share one nginx, and of requests to each.
    package var setsPerBatch = 50
    package var requestsPerSet = 100

    package init(oracle: NginxOracle, engine: Engine.Type = Engine.self) {
        self.oracle = oracle
    }

    /// The number of pairs of a rule set and a request in a batch.
    package var pairsPerBatch: Int { setsPerBatch * requestsPerSet }

    /// The results of a batch.
    package struct Batch: Sendable {
        package var mismatches: [Mismatch]
        /// The reason why nginx refused rule sets; the engine did, too, or there is a mismatch.
        package var refusals: [String]
        /// On which rule sets nginx crashed or hung.
        package var failures: [String]
    }

    /// Runs one batch; its rule sets have the seeds from `seed` on.
    package func batch(seed: UInt64) throws -> Batch {
        let rules = (0..<setsPerBatch).map { RuleGenerator.make(seed: seed &+ UInt64($0), index: $0) }
        let questions = rules.enumerated()
            .map { index, rules in
                var generator = RequestGenerator(seed: seed &+ UInt64(index), rules: rules)
                let requests = (0..<requestsPerSet).map { _ in generator.make() }
                return OracleQuestion(rules: rules.text, requests: requests, files: rules.files)
            }
        var oracle = oracle
        oracle.groupSize = setsPerBatch
        let replies = try oracle.ask(questions)
        let refusals = replies.compactMap { reply in
            if case .refused(let refusal) = reply { refusal.message } else { nil }
        }
        let failures = replies.enumerated()
            .compactMap { index, reply in
                if case .failed(let message) = reply { "seed \(seed &+ UInt64(index)): \(message)" } else { nil }
            }
        let mismatches = questions.indices.flatMap { index in
            Self.mismatches(
                questions[index],
                replies[index],
                rules: rules[index],
                seed: seed &+ UInt64(index)
            )
        }
        return Batch(mismatches: mismatches, refusals: refusals, failures: failures)
    }

    /// The place where the engine differs from what nginx replied.
    static func mismatches(
        _ question: OracleQuestion,
        _ reply: OracleReply,
        rules: RandomRules,
        seed: UInt64
    ) -> [Mismatch] {
        switch reply {
        case .failed: return []
        case .refused(let refusal):
            let engine = try? Engine(question.rules, files: question.files, ports: [40_001])
            if engine == nil { return [] }
            let difference = "nginx refuses the rules: \(refusal.message)"
            return [Mismatch(seed: seed, rules: rules, request: nil, difference: difference)]
        case .answers(let answers, let ports):
            do {
                let engine = try Engine(question.rules, files: question.files, ports: ports)
                return zip(question.requests, answers)
                    .compactMap { request, answer in
                        guard
                            let (difference, expectation) = compare(
                                request,
                                answer,
                                ports: ports,
                                hasFiles: !question.files.isEmpty,
                                engine: engine
                            )
                        else {
                            return nil
                        }
                        return Mismatch(
                            seed: seed,
                            rules: rules,
                            request: request,
                            difference: difference,
                            expectation: expectation
                        )
                    }
            } catch {
                let difference = "nginx accepts the rules, but: \(error)"
                return [Mismatch(seed: seed, rules: rules, request: nil, difference: difference)]
            }
        }
    }

    /// The differences of the engine from nginx's reply, a line for each request.
    package static func differences(_ question: OracleQuestion, _ reply: OracleReply) -> [String] {
        mismatches(question, reply, rules: RandomRules(nodes: []), seed: 0)
            .map { mismatch in
                guard let request = mismatch.request else { return mismatch.difference }
                let host = request.headers.first.map { ByteText.show($0.value) } ?? ""
                return "\(ByteText.show(request.target)) of \(host) at \(request.listen ?? ""): \(mismatch.difference)"
            }
    }

    private static func compare(
        _ request: OracleRequest,
        _ answer: OracleAnswer,
        ports: [UInt16],
        hasFiles: Bool,
        engine: Engine
    ) -> (String, Expectation)? {
        // The empty document root is a folder, and nginx redirects to it; for Shunt there is none.
        if answer.uri.isEmpty || answer.uri.suffix(2) == Array("/.".utf8)[...]
            || answer.uri.suffix(3) == Array("/..".utf8)[...]
        {
            return nil
        }
        let wanted = answer.outcome.hidingPorts(ports).encodingControlBytes.trimmingLocation
        var isForward = false
        if case .forward = wanted.kind { isForward = true }
        var got = engine.outcome(request, whereForward: isForward).hidingPorts(ports).trimmingLocation
        got = got.leavingOutHost(of: wanted)
        var expectation = Expectation(kind: wanted.kind)
        switch wanted.destination {
        // A line break in the address ends the line of the log that it is in.
        case .upstream(let address): if !address.isEmpty { expectation.destination = wanted.destination }
        case .file, .missing, nil: break
        }
        switch (wanted.kind, got.kind) {
        // The body distinguishes a file that answers for an error and a page of nginx itself; a HEAD has none.
        case (.response, .forward) where request.method == Array("HEAD".utf8) && hasFiles: return nil
        case (.closed, .closed): got.kind = wanted.kind
        // Headers are added to a response that is still unknown.
        case (.forward, .forward): break
        // A failure is not a response of the rules, and has none of their headers.
        case (.response(status: 400, location: nil, body: nil), _),
            (.response(status: 500, location: nil, body: nil), _):
            break
        default:
            if request.mayBreakFraming {
                // A line break in a header of nginx's ends it: what is left of it has no meaning.
                if case .response(_, .some, _) = wanted.kind { return nil }
                break
            }
            var asked = RandomRules.addedHeaders.map { Array($0.utf8) }
            // The type of a built-in page is not a decision. A name that begins with two dots has an extension in nginx
            // or has none, depending on how the path came about.
            if case .response(_, nil, .some) = wanted.kind, !answer.uri.contains(sequence: Array("/..".utf8)) {
                asked.append(Array("Content-Type".utf8))
            }
            let recorded = CaseRecorder.expectation(wanted, asked: asked)
            expectation.headers = recorded.headers
            expectation.absentHeaders = recorded.absentHeaders
        }
        return expectation.difference(from: got).map { ($0, expectation) }
    }
}

extension RequestOutcome {
    /// The outcome with the control bytes of its Location and headers encoded: nginx sends them, Shunt never does.
    fileprivate var encodingControlBytes: RequestOutcome {
        var outcome = self
        if case .response(let status, let location?, let body) = kind {
            outcome.kind = .response(status: status, location: Self.encoded(location), body: body)
        }
        outcome.headers = headers.map { HeaderLine(name: $0.name, value: Self.encoded($0.value)) }
        return outcome
    }

    /// The outcome without spaces around its Location, which no reader of a header sees.
    fileprivate var trimmingLocation: RequestOutcome {
        guard case .response(let status, let location?, let body) = kind else { return self }
        var trimmed = location[...]
        while trimmed.first == 0x20 { trimmed.removeFirst() }
        while trimmed.last == 0x20 { trimmed.removeLast() }
        var outcome = self
        outcome.kind = .response(status: status, location: Array(trimmed), body: body)
        return outcome
    }

    /// The outcome without the host in its Location where nginx sends the rest alone, and browsers take that for another host:
    /// Shunt never does.
    fileprivate func leavingOutHost(of wanted: RequestOutcome) -> RequestOutcome {
        guard case .response(_, let rest?, _) = wanted.kind, case .response(let status, let location?, let body) = kind,
            rest.starts(with: "//".utf8) || rest.starts(with: "/\\".utf8),
            let scheme = ["http://", "https://"].first(where: { location.starts(with: $0.utf8) }),
            location.dropFirst(scheme.utf8.count).drop(while: { $0 != UInt8(ascii: "/") }) == rest[...]
        else { return self }
        var outcome = self
        outcome.kind = .response(status: status, location: rest, body: body)
        return outcome
    }

    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            guard byte < 0x20 || byte == 0x7f else { return [byte] }
            let digits = String(byte, radix: 16, uppercase: true)
            return Array("%\(digits.count == 1 ? "0" : "")\(digits)".utf8)
        }
    }
}

extension RandomRules {
    /// The names that generated `add_header`s use.
    static let addedHeaders = ["X-Level", "X-If"]
}
