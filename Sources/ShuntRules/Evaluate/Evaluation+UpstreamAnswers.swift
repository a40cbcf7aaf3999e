import ShuntCore

/// Deciding again, after an upstream has answered.
extension Evaluation {
    /// Decides about a request of the gateway, which passes questions and requests on, and leaves the outcome in `outcome`.
    ///
    /// A request that is decided about again has the time of the first decision.
    package mutating func evaluate(_ request: borrowing RuleRequest, in context: ServingContext) {
        mayAsk = true
        (refused, unmet) = (context.refused, context.unmet)
        isAlone = context.isAlone && program.tables.routes == nil
        isLong = context.isLong
        if let gate = context.gate {
            gate.begin()
            self.request.gate = gate
        }
        if !context.answers.isEmpty { earlier = UpstreamAnswers(context.answers) }
        if refused == 0 { evaluate(request) } else { evaluateRefused(request) }
        // As in nginx the Location of an answer that a page takes over stays with that of a file or an upstream.
        if answer.outcome.action == .forward, answer.hasLocation, !server.isQuestion,
            let location = try? absoluteLocation()
        {
            try? keep(Self.locationName, location)
        }
        if !context.answers.isEmpty {
            earlier = UpstreamAnswers()
            if answer.outcome.action != .forward {
                // A page has no ranges: of several headers nginx removes the last one. What `return` answers itself is
                // not a page.
                let outcome = answer.outcome
                let isAnswer = outcome.action == .respond && outcome.status < 400 && !outcome.hasURL
                let ranges = keptHeaders.lastIndex {
                    $0.name.lazy.map(\.asciiLowercased).elementsEqual("accept-ranges".utf8)
                }
                let kept = keptHeaders.enumerated()
                    .filter { index, header in
                        let name = header.name.map(\.asciiLowercased)
                        if answer.expiry != nil, Self.freshness.contains(name) { return false }
                        return outcome.hasBody || isAnswer || index != ranges
                    }
                answer.headers.insert(contentsOf: kept.map(\.element), at: 0)
            }
        }
        if context.gate != nil { self.request.gate = nil }
        mayAsk = false
        (refused, unmet) = (0, 0)
        (isAlone, isLong) = (false, false)
    }

    /// Continues where upstreams have answered that the rules passed the request to.
    @inline(never)
    mutating func goOn() throws(EvaluationFailure) {
        while answer.outcome.action == .forward, !server.isQuestion, let given = earlier.next() {
            // The rules are those of the first decision; should they reach another place, nothing may pass by it.
            guard !given.isToQuestion else { throw failure(.unknownUpstreamAnswer) }
            try run(after: given)
        }
    }

    /// Runs the phases after an answer that is not passed on.
    private mutating func run(after given: UpstreamAnswer) throws(EvaluationFailure) {
        let next: Step
        do throws(EvaluationFailure) { next = try step(after: given) } catch { next = try step(after: error) }
        try run(from: next)
    }

    /// The place where the phases continue after an answer that is not passed on.
    private mutating func step(after given: UpstreamAnswer) throws(EvaluationFailure) -> Step {
        answer.outcome = Outcome()
        answer.removeHeaders()
        guard case .redirect(let target) = given.use else {
            try keepHeader(of: given)
            return .status(Int32(clamping: given.status))
        }
        beginKeeping()
        for header in given.headers {
            let name = header.nameBytes.map(\.asciiLowercased)
            if name == Self.contentTypeName { answer.keptType = try append(header.valueBytes) }
            guard UpstreamAnswer.kept.contains(name) else { continue }
            try keep(header.nameBytes, try append(header.valueBytes))
        }
        return try redirect(to: try append(target))
    }

    /// The headers of earlier answers that this one has, too.
    var keptHeaders: [RuleAnswer.Header] { server.keepsHeaders ? answer.kept : [] }

    private mutating func beginKeeping() {
        guard !server.keepsHeaders else { return }
        server.keepsHeaders = true
        answer.kept = []
        answer.keptType = nil
    }

    private mutating func keep(_ name: [UInt8], _ value: ByteRange) throws(EvaluationFailure) {
        beginKeeping()
        answer.kept.append((name, try safeHeaderValue(value)))
    }

    /// The headers in whose place an `expires` is.
    private static let freshness = ["cache-control", "expires"].map { Array($0.utf8) }
    private static let noTime = Array("0.000".utf8)
    private static let locationName = Array("Location".utf8)
    private static let contentTypeName = Array("content-type".utf8)
    private static let challengeHeader = Array("WWW-Authenticate".utf8)
    private static let challengeName = Array("www-authenticate".utf8)

    /// Adds the header that asks for a password, or has the size of a file, where an answer is about that.
    private mutating func keepHeader(of given: UpstreamAnswer) throws(EvaluationFailure) {
        if given.status == 401, let challenge = given.first(Self.challengeName) {
            try keep(Self.challengeHeader, try append(challenge))
        }
        if given.status == 416, let range = given.headers.first, !given.isOfUpstream {
            try keep(range.nameBytes, try append(range.valueBytes))
        }
    }

    /// Goes to the path of an X-Accel-Redirect, or to a named location.
    private mutating func redirect(to target: ByteRange) throws(EvaluationFailure) -> Step {
        if !target.isEmpty, arena[target.start] == UInt8(ascii: "@") { return try goTo(named: target) }
        let (written, arguments) = split(target)
        guard !written.isEmpty else { return .status(404) }
        let path = try unescaped(written)
        guard arena[path.start] == UInt8(ascii: "/") else {
            useServerSettings()
            return .status(404)
        }
        guard !climbs(path) else { return .status(404) }
        if server.methodKind != .head {
            server.method = EvaluationMemory.get
            server.methodKind = .get
        }
        return try redirectInternally(to: path, arguments: arguments)
    }

    /// The path with its escapes resolved; one that is incomplete stays.
    private func unescaped(_ path: ByteRange) throws(EvaluationFailure) -> ByteRange {
        let mark = arena.mark
        var offset = path.start
        while offset < path.end {
            let unit = NormalForm.Unit(at: offset, before: path.end, in: arena)
            arena.append(unit.byte)
            offset += unit.length
        }
        return try made(from: mark)
    }

    /// Returns true if a path has a part `..`, or a byte 0: it must not lead out of the files it is meant for.
    private func climbs(_ path: ByteRange) -> Bool {
        let bytes = arena.array(path)
        return bytes.contains(0) || bytes.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
    }

    // MARK: auth_request

    /// Asks what an `auth_request` names; nil where the answer is to come first, and the outcome is the question.
    ///
    /// A second request, as nginx's subrequest is: with the headers and variables of the first, by GET and without a body.
    ///
    /// Source: http://nginx.org/en/docs/http/ngx_http_auth_request_module.html
    mutating func askConsent(_ settings: Settings) throws(EvaluationFailure) -> Step? {
        let rule = program.tables.consents[settings.consent]
        guard !rule.target.isEmpty else { return nil }
        recorder?.record(note: "auth_request", at: rule.position, in: self)
        guard mayAsk else { return nil }
        let (outer, outerAnswer, outerPosition, before) = (server, answer, changePosition, earlier.current)
        let captures = (values.captures, values.captureCount)
        values.captureCount = 0
        (server.isQuestion, server.keepsHeaders, server.askingMethod) = (true, false, server.method)
        earlier.current = []
        position = rule.position
        guard let (status, challenge) = try consent(rule) else {
            return .done
        }
        if !settings.consentVariables.isNone {
            for assignment in program.tables.consentVariables[settings.consentVariables] {
                values.set(assignment.variable, to: try evaluate(template: assignment.value))
            }
        }
        (server, answer, changePosition) = (outer, outerAnswer, outerPosition)
        (values.captures, values.captureCount) = captures
        earlier.current = before
        position = rule.position
        switch status {
        case _ where Self.admits(status): return nil
        case 401:
            if let challenge {
                try keep(Self.challengeHeader, challenge)
            }
            return .status(401)
        case 403: return .status(403)
        default: return .status(500)
        }
    }

    /// The status of the answer to a question, and its challenge; nil if an upstream is to answer first.
    ///
    /// Unlike in nginx, where an upstream fails no page admits in its place, and only the answer of another upstream does, if the page
    /// lets it.
    private mutating func consent(_ rule: ConsentRule) throws(EvaluationFailure) -> (Int32, ByteRange?)? {
        answer.begin()
        server.method = EvaluationMemory.get
        server.methodKind = .get
        server.changesLeft = Int32(EvaluationLimits.changes) + 2
        server.contentHandler = .none
        var hasFailed = false
        do throws(EvaluationFailure) {
            try run(from: try redirectInternally(to: try append(constant: rule.target), arguments: .empty))
            while answer.outcome.action == .forward {
                guard let given = earlier.next() else { return nil }
                guard given.isToQuestion else { throw failure(.unknownUpstreamAnswer) }
                if given.use == .consent {
                    let isOwn = answer.errorStatus == 0 || hasFailed && Self.admits(answer.errorStatus)
                    let status = isOwn ? Int32(clamping: given.status) : answer.errorStatus
                    // A file is not the answer of a service.
                    let isNoConsent = hasFailed && !given.isOfUpstream && Self.admits(status)
                    return (isNoConsent ? 500 : status, try challenge(given.first(Self.challengeName)))
                }
                if given.isOfUpstream, given.use == .error, given.status >= 500 { hasFailed = true }
                try run(after: given)
            }
            let isNoConsent = hasFailed && Self.admits(answer.outcome.status)
            return (isNoConsent ? 500 : answer.outcome.status, try challenge(nil))
        } catch {
            // With more work another evaluation may find an answer.
            if error.reason.isLimitOfWork { throw error }
            return (500, nil)
        }
    }

    private static func admits(_ status: Int32) -> Bool { (200..<300).contains(status) }

    /// The challenge of the answer to a question: that of an error on the way to it, or its own.
    private func challenge(_ own: [UInt8]?) throws(EvaluationFailure) -> ByteRange? {
        if let earlier = keptHeaders.last(where: { $0.name == Self.challengeHeader }) { return earlier.value }
        guard let own else { return nil }
        return try append(own)
    }

    /// The value of a variable of the families `upstream_http_` and `upstream_cookie_` in the last answer, or of one such as
    /// `$upstream_addr` at it; empty where none came.
    mutating func upstreamValue(_ variable: VariableIndex) throws(EvaluationFailure) -> ByteRange {
        answer.readsAnswer = true
        guard program.tables.variables[variable].source == .upstreamHeader else {
            let name = program.tables.variables[variable].name
            guard let last = earlier.passed?.answer ?? earlier.current.last else {
                // A decision takes no time that shows.
                return mayAsk && name == ExternalVariables.requestTime ? try append(Self.noTime) : .empty
            }
            return try append(last.variables[name] ?? [])
        }
        guard let current = earlier.current.last else { return .empty }
        let parameter = Array(program.tables.constants[program.tables.variables[variable].parameter.indices])
        if program.tables.variables[variable].name.hasPrefix("upstream_cookie_") {
            return try append(current.cookie(parameter) ?? [])
        }
        let found = current.headers.first { Self.isNamed($0.nameBytes, parameter) }
        return try found.map { header throws(EvaluationFailure) in try append(header.valueBytes) } ?? .empty
    }
}
