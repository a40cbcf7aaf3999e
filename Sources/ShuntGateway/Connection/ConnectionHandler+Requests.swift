#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntTools

/// Deciding about a request.
extension ConnectionHandler {
    /// Takes the head of a request, decides, and answers or forwards.
    ///
    /// - Parameters:
    ///   - head: The head of the request.
    ///   - isLast: True if it was on its way when a shutdown began.
    func begin(_ head: consuming RequestHead, isLast: Bool) {
        guard context != nil else { return }
        requestCount += 1
        let now = NIODeadline.now()
        exchange = Exchange(account(of: head, at: now))
        exchange?.account.isPipelined = isNextAhead
        timer.allow(clientTimeout, since: now, for: self)
        if isLast { handle(.quiescing) }
        if core.options.decisionService?.question == .extProc { awaitQuestion() } else { judge() }
    }

    /// The longest time that a client may take for its part.
    var clientTimeout: TimeAmount { .seconds(Int64(core.options.clientTimeout)) }

    /// Begins the account of a request.
    func account(of head: consuming RequestHead, at now: NIODeadline) -> ExchangeAccount {
        ExchangeAccount(head, time: .now(), start: now, number: requestCount, sentBefore: output.total)
    }

    /// Decides about a request, and answers or forwards it.
    func judge() {
        guard let head = exchange?.account.head else { return }
        do throws(IncomingRequest.Refusal) {
            var action = RequestAction.close
            try withRules { (snapshot) throws(IncomingRequest.Refusal) in
                guard isListened(by: snapshot) else { return }
                if let asked = try asked(head) {
                    exchange?.account.question = asked
                    action = try decide(asked.head, client: asked.connection, snapshot: snapshot)
                } else {
                    action = try decide(head, client: connection, snapshot: snapshot)
                }
            }
            take(action)
        } catch {
            metrics.malformedRequests.add()
            // No one knows what follows a request that is not understood.
            if exchange?.envoy == nil { exchange?.isKeptAlive = false }
            if let service = core.options.decisionService, service.form == .observe {
                exchange?.account.refusal = error.reason
                return take(.observed(service))
            }
            take(.refuse(error))
        }
    }

    /// Hands the rules to `body`: those that decided about the request before, or the newest.
    func withRules<Failure: Error>(_ body: (RuleSnapshot) throws(Failure) -> Void) throws(Failure) {
        if let basis { try rules.withRules(of: basis, body) } else { try rules.withRules(body) }
    }

    /// Decides about a request again, after an upstream has answered.
    func decideAgain(after given: UpstreamAnswer) {
        var given = given
        given.variables = exchange?.account.values(at: .now(), ofQuestion: given.use == .consent) ?? [:]
        exchange?.account.decidesAgain(after: given.use)
        if let exchange, exchange.isRequestWhole, case .success(.unknown) = exchange.account.head.body {
            given.requestLength = exchange.account.requestBytes
        }
        answers.append(given)
        judge()
    }

    /// Returns the question of a decision service; nil if the request itself is meant.
    private func asked(_ head: RequestHead) throws(IncomingRequest.Refusal) -> DecisionQuestion? {
        guard let service = core.options.decisionService else { return nil }
        if exchange?.envoy != nil { return try exchange?.envoy?.asked(from: connection) }
        return try DecisionQuestion(head, from: connection, service.question)
    }

    /// Takes a request apart, and decides about it.
    private func decide(
        _ head: borrowing RequestHead,
        client: borrowing ClientConnection,
        snapshot: RuleSnapshot
    ) throws(IncomingRequest.Refusal) -> RequestAction {
        let incoming = try IncomingRequest.read(head, names: rules.names, hosts: rules.hosts, at: client, core: core)
        let time = exchange?.account.time ?? .now()
        return decide(
            incoming,
            question: question(incoming, head: head, connection: client, time: time),
            snapshot: snapshot
        )
    }

    /// Decides about a request within the rules in use, for the first time or after a delay.
    private func decide(_ incoming: IncomingRequest, question: RuleRequest, snapshot: RuleSnapshot) -> RequestAction {
        let seconds = exchange?.account.time.seconds ?? 0
        let action = rules.withDecision(for: question, by: snapshot, in: servingContext(), at: seconds) { decision in
            self.action(incoming, question: question, decision: decision, snapshot: snapshot)
        }
        return action ?? delay(incoming, question: question, snapshot: snapshot)
            ?? decideLater(incoming, question: question, snapshot: snapshot)
    }

    /// Has a request wait that a limit delays, after which it is decided about again; nil for one that none delays.
    private func delay(_ incoming: IncomingRequest, question: RuleRequest, snapshot: RuleSnapshot) -> RequestAction? {
        guard let milliseconds = exchange?.visit?.takeDelay() else { return nil }
        guard let loop = timerLoop else { return .close }
        let number = requestCount
        let goOn = NIOLoopBound(
            { [weak self] in self?.decideAfterDelay(number, incoming: incoming, question: question, snapshot: snapshot)
            },
            eventLoop: loop
        )
        undecided = .delayed(loop.scheduleTask(in: .milliseconds(Int64(milliseconds))) { goOn.value() })
        return .delayed
    }

    /// Decides about a request whose delay is over.
    private func decideAfterDelay(
        _ number: Int,
        incoming: IncomingRequest,
        question: RuleRequest,
        snapshot: RuleSnapshot
    ) {
        guard let context, requestCount == number, undecided != nil else { return }
        undecided = nil
        basis = DecisionBasis(snapshot)
        handle(.decided)
        rules.adopt(snapshot.ruleSet)
        take(decide(incoming, question: question, snapshot: snapshot))
        // Its body, and what came after it.
        goOn(context)
    }

    /// Returns the action for a request that was decided; the answer of a rule is written.
    private func action(
        _ incoming: IncomingRequest,
        question: RuleRequest,
        decision: borrowing DecisionView,
        snapshot: RuleSnapshot
    ) -> RequestAction {
        note(incoming, question: question, decision: decision, version: snapshot.version)
        do throws(IncomingRequest.Refusal) {
            if let service = core.options.decisionService {
                let asked = exchange?.envoy?.request
                let version = snapshot.version
                return try DecisionServiceAnswer.action(
                    incoming,
                    decision: decision,
                    version: version,
                    service: service,
                    asked: asked,
                    options: core.options
                )
            }
            if connection.isPlain, let refusal = plainRefusal(decision) { return .refuse(refusal) }
            guard decision.kind == .forward else { return write(decision) }
            if core.options.upstream == nil, let file = decision.file {
                return action(incoming.fields, file: file, decision: decision)
            }
            let length = try bodyLength(incoming, decision)
            guard
                let request = try UpstreamRequest(
                    incoming,
                    method: exchange?.account.head.method ?? .GET,
                    decision: decision,
                    length: length,
                    groups: rules.groups,
                    hosts: rules.hosts,
                    rules: snapshot.ruleSet,
                    rewriter: rules.rewriter,
                    client: connection,
                    core: core
                )
            else {
                guard !decision.isQuestion else {
                    throw IncomingRequest.Refusal("no rule answers an auth_request", status: .internalServerError)
                }
                return RequestAction.unforwarded(decision)
            }
            return .forward(request, length)
        } catch {
            return .refuse(error)
        }
    }

    /// The length of the part of the client's body that an upstream gets.
    ///
    /// - Throws: If it had to be sent a second time and is too long to be kept.
    private func bodyLength(
        _ incoming: borrowing IncomingRequest,
        _ decision: borrowing DecisionView
    ) throws(IncomingRequest.Refusal) -> IncomingRequest.BodyLength {
        if decision.isQuestion || decision.isBodyRefused || exchange?.isBodyRefused == true { return .none }
        guard incoming.body != .none, exchange?.returned?.isKept == false else { return incoming.body }
        // What another path answers by GET needs no body.
        if decision.changedMethod != nil { return .none }
        throw IncomingRequest.Refusal("the body of the request is too long to be sent again", status: .badGateway)
    }

    /// Has another thread decide about a request, which others must not wait for.
    private func decideLater(
        _ incoming: IncomingRequest,
        question: RuleRequest,
        snapshot: RuleSnapshot
    ) -> RequestAction {
        guard let loop = timerLoop else { return .close }
        let number = requestCount
        let goOn = NIOLoopBound({ [weak self] in self?.take($0, for: number, incoming) }, eventLoop: loop)
        let request = SlowDecisions.Request(question, rules: snapshot, in: servingContext()) { held in
            loop.execute { goOn.value(held) }
        }
        guard core.slowDecisions.decide(request) else {
            if let service = core.options.decisionService, service.form == .observe { return .observed(service) }
            let reason = "too many requests take long to decide"
            return .refuse(IncomingRequest.Refusal(reason, status: .serviceUnavailable))
        }
        metrics.slowDecisions.add()
        undecided = .elsewhere(request)
        return .later
    }

    /// Continues with a request that another thread has decided about.
    private func take(_ held: HeldDecision, for number: Int, _ incoming: IncomingRequest) {
        guard let context, requestCount == number, case .elsewhere(let request) = undecided else { return }
        undecided = nil
        basis = DecisionBasis(request.rules)
        handle(.decided)
        if let delayed = delay(incoming, question: request.question, snapshot: request.rules) { return take(delayed) }
        let seconds = exchange?.account.time.seconds ?? 0
        let action = rules.withDecision(held, by: request.rules, at: seconds) { decision in
            self.action(incoming, question: request.question, decision: decision, snapshot: request.rules)
        }
        take(action)
        // Its body, and what came after it.
        goOn(context)
    }

    /// Notes what was decided, for the log and the metrics, and for the answer of an upstream.
    private func note(
        _ incoming: IncomingRequest,
        question: RuleRequest,
        decision: borrowing DecisionView,
        version: Int
    ) {
        exchange?.account.rulesVersion = version
        let refusesBody = decision.isBodyRefused && !decision.isBodyDropped && incoming.body != .none
        // As in nginx the client is not asked for a body that is refused.
        if refusesBody { _ = exchange?.takeContinue() }
        var ends = refusesBody || connection.isPlain || exchange?.account.head.method == .TRACE
        if !decision.isQuestion {
            exchange?.keepAlive = decision.keepAlive
            if decision.keepAlive == 0 || requestCount >= decision.keepAliveRequests { ends = true }
            metrics.count(decision.kind)
        }
        if ends { exchange?.isKeptAlive = false }
        // A body that a proxy announces with its question may never come, and what comes next could be taken for it.
        if core.options.decisionService != nil, exchange?.envoy == nil, incoming.body != .none {
            exchange?.isKeptAlive = false
        }
        exchange?.additions = decision.kind == .forward ? RuleAdditions(decision) : RuleAdditions()
        if decision.kind == .forward, let route = decision.route { core.routeHits.count(route, shard: rules.shard) }
        noteLogs(decision, at: incoming.listen)
        let isShown = core.live.takesNext(shard: rules.shard)
        guard exchange?.account.isLogged == true || isShown else { return }
        exchange?.account.isShown = isShown
        exchange?.account.host = incoming.host
        exchange?.account.decision = ExchangeAccount.Decided(decision)
        guard let recording = core.recording else { return }
        var writer = JSONWriter()
        recording.write(question, rules.reads, to: &writer)
        exchange?.account.reads = writer.bytes
    }

    /// Does with a request what was decided.
    func take(_ action: RequestAction) {
        switch action {
        case .close: handle(.unanswered)
        case .answered(let bytes): handle(.written(bytes: bytes))
        // Envoy takes another status than 200 for a failure, and may let the request through.
        case .refuse(let refusal) where exchange?.envoy != nil:
            var headers = HTTPHeaders()
            let body = Self.plainBody(refusal.status, reason: refusal.reason, &headers)
            tell(ExtProcAnswer.immediate(refusal.status, fields: headers, body: body))
        case .refuse(let refusal): answer(refusal)
        case .answer(let status, let headers, let body) where exchange?.envoy != nil:
            tell(ExtProcAnswer.immediate(status, fields: headers, body: body))
        case .answer(let status, let headers, let body): answer(status, headers: headers, body: body)
        case .tell(let text): tell(text)
        case .forward(let request, let length): forward(request, length)
        case .file(let file): answer(with: file)
        case .later: handle(.awaitsDecision)
        case .delayed: handle(.delayed)
        }
    }

    /// The request as the rules see it.
    func question(
        _ incoming: borrowing IncomingRequest,
        head: borrowing RequestHead,
        connection: borrowing ClientConnection,
        time: Timestamp
    ) -> RuleRequest {
        var headers: [RuleRequest.Header] = []
        let read = rules.readHeaders
        if !read.isNone {
            let fields = incoming.fields
            let bytes = fields.bytes.readableBytesUInt8Span
            for field in fields.list {
                let name = bytes.extracting(field.name)
                guard read.has(name) else { continue }
                headers.append(rules.headers.header(name, bytes.extracting(field.value)))
            }
        }
        var inputs = RequestInputs()
        for input in core.options.inputHeaders {
            if let value = head.first(input.header.lowercased()) { inputs[input.variable] = Array(value.utf8) }
        }
        for (name, value) in connection.sessionInputs { inputs[name] = value }
        if let preface = connection.preface {
            for (name, end) in [("proxy_protocol", preface.client), ("proxy_protocol_server", preface.server)] {
                // Whatever an input header has: this is who connected.
                inputs[name + "_addr"] = end.map { Array($0.address.utf8) }
                inputs[name + "_port"] = end.map { Array("\($0.port)".utf8) }
            }
        }
        return RuleRequest(
            bytes: head.target,
            host: incoming.hostValue,
            isForURL: false,
            method: head.method == .GET ? RuleRequest.usualMethod : Array(head.method.rawValue.utf8),
            headers: headers,
            inputs: inputs,
            remoteAddress: connection.address,
            remotePort: connection.port,
            listen: incoming.listen,
            version: head.isOldVersion ? "1.0" : "1.1",
            time: time
        )
    }
}
#endif
