#if Gateway
import NIOCore
import NIOHTTP1
import Shunt
import ShuntAnalysis
import ShuntCore

/// Deciding about a request.
extension ConnectionHandler {
    /// Takes the head of a request, decides, and answers or forwards.
    func begin(_ head: consuming RequestHead) {
        guard let context else { return }
        requestCount += 1
        let now = NIODeadline.now()
        let exchange = Exchange(
            head,
            ExchangeRecord(time: .now(), start: now, rulesVersion: 0),
            bodyLimit: core.options.decisionService == nil ? core.options.maximumBodyBytes : 0
        )
        self.exchange = exchange
        timer.allow(clientTimeout, since: now, for: self)
        if core.options.decisionService?.question == .extProc { return awaitQuestion(exchange, context) }
        judge(exchange, context)
    }

    /// Decides about a request, and answers or forwards it.
    func judge(_ exchange: Exchange, _ context: ChannelHandlerContext) {
        do throws(IncomingRequest.Refusal) {
            var course = RequestCourse.close
            try rules.withRules { (snapshot, names) throws(IncomingRequest.Refusal) in
                if let asked = try asked(exchange) {
                    exchange.take(asked)
                    course = try decide(exchange, asked.head, asked.connection, names, snapshot, context)
                } else {
                    course = try decide(exchange, exchange.head, connection, names, snapshot, context)
                }
            }
            take(course, context)
        } catch {
            metrics.malformedRequests.add()
            // No one knows what follows a request that is not understood.
            if exchange.envoy == nil { exchange.isKeptAlive = false }
            if let service = core.options.decisionService, service.form == .observe {
                exchange.record.refusal = error.reason
                return take(.observed(service), context)
            }
            take(.refuse(error), context)
        }
    }

    /// Returns the question of a decision service; nil if the request itself is meant.
    private func asked(_ exchange: Exchange) throws(IncomingRequest.Refusal) -> DecisionQuestion? {
        guard let service = core.options.decisionService else { return nil }
        if let envoy = exchange.envoy { return try envoy.asked(from: connection) }
        return try DecisionQuestion(exchange.head, from: connection, service.question)
    }

    /// Takes a request apart, and decides about it.
    private func decide(
        _ exchange: Exchange,
        _ head: borrowing RequestHead,
        _ client: borrowing ClientConnection,
        _ names: HeaderNames,
        _ snapshot: RuleSnapshot,
        _ context: ChannelHandlerContext
    ) throws(IncomingRequest.Refusal) -> RequestCourse {
        let incoming = try IncomingRequest.read(head, names: names, hosts: rules.hosts, at: client, core: core)
        let time = exchange.record.time
        let question = question(incoming, head, client, time: time)
        let course = rules.withDecision(for: question, by: snapshot, at: time.seconds) { decision in
            self.course(incoming, question, decision, snapshot, exchange)
        }
        return course ?? decideLater(incoming, question, snapshot, exchange, context)
    }

    /// Returns the course of a request that was decided; the answer of a rule is written.
    private func course(
        _ incoming: IncomingRequest,
        _ question: RuleRequest,
        _ decision: borrowing DecisionView,
        _ snapshot: RuleSnapshot,
        _ exchange: Exchange
    ) -> RequestCourse {
        note(incoming, question, decision, snapshot.version, exchange)
        if decision.kind != .forward, core.options.decisionService == nil { return write(decision) }
        return RequestCourse(
            incoming,
            exchange.head.method,
            decision,
            groups: rules.groups,
            hosts: rules.hosts,
            rules: snapshot,
            rewriter: rules.rewriter,
            client: connection,
            asked: exchange.envoy?.request,
            core: core
        )
    }

    /// Has another thread decide about a request, which others must not wait for.
    private func decideLater(
        _ incoming: IncomingRequest,
        _ question: RuleRequest,
        _ snapshot: RuleSnapshot,
        _ exchange: Exchange,
        _ context: ChannelHandlerContext
    ) -> RequestCourse {
        let loop = context.eventLoop
        let goOn = NIOLoopBound({ [weak self] in self?.take($0, for: exchange, incoming) }, eventLoop: loop)
        let request = SlowDecisions.Request(question, rules: snapshot) { held in
            loop.execute { goOn.value(held) }
        }
        guard core.slowDecisions.decide(request) else {
            if let service = core.options.decisionService, service.form == .observe { return .observed(service) }
            let reason = "too many requests take long to decide"
            return .refuse(IncomingRequest.Refusal(reason, status: .serviceUnavailable))
        }
        metrics.slowDecisions.add()
        exchange.undecided = request
        // It is not the client that takes its time.
        timer.stop()
        return .later
    }

    /// Goes on with a request that another thread has decided about.
    private func take(_ held: HeldDecision, for exchange: Exchange, _ incoming: IncomingRequest) {
        guard let context, self.exchange === exchange, let request = exchange.undecided else { return }
        exchange.undecided = nil
        timer.allow(clientTimeout, for: self)
        let seconds = exchange.record.time.seconds
        let course = rules.withDecision(held, by: request.rules, at: seconds) { decision in
            self.course(incoming, request.question, decision, request.rules, exchange)
        }
        take(course, context)
        // Its body, and what came after it.
        takeParts(context)
        readIfWanted(context)
    }

    /// Notes what was decided, for the log and the metrics, and for the answer of an upstream.
    private func note(
        _ incoming: IncomingRequest,
        _ question: RuleRequest,
        _ decision: borrowing DecisionView,
        _ version: Int,
        _ exchange: Exchange
    ) {
        exchange.record.rulesVersion = version
        exchange.isDecided = true
        exchange.keepAlive = decision.keepAlive
        if exchange.keepAlive == 0 { exchange.isKeptAlive = false }
        metrics.count(decision.kind)
        // A body that a proxy announces with its question may never come, and what comes next could be taken for it.
        if core.options.decisionService != nil, exchange.envoy == nil, incoming.body != .none {
            exchange.isKeptAlive = false
        }
        if decision.kind == .forward {
            exchange.additions = RuleAdditions(decision)
            if let route = decision.route { core.routeHits.count(route, shard: rules.shard) }
        }
        if core.log != nil || !rules.logs.isEmpty { exchange.account = account(for: decision, incoming) }
        let isShown = core.live.takesNext(shard: rules.shard)
        guard isLogged(exchange) || isShown else { return }
        exchange.record.isShown = isShown
        exchange.record.host = incoming.host
        exchange.record.decision = ExchangeRecord.Decided(decision)
        guard let recording = core.recording else { return }
        var writer = JSONWriter()
        recording.write(question, rules.reads, to: &writer)
        exchange.record.reads = writer.bytes
    }

    /// Returns the values that logs need besides the record of a request.
    private func account(for decision: borrowing DecisionView, _ incoming: IncomingRequest) -> RequestAccount {
        let account = RequestAccount(
            output,
            number: requestCount,
            needsHeaders: core.log != nil && core.options.accessLogFormat.needsHeaders
        )
        guard let list = decision.accessLogs else {
            account.logs = rules.adoptedDefaultLogs(at: incoming.listen)
            return account
        }
        account.logs = rules.logs(in: list)
        if account.logs?.isEmpty == false { account.values = decision.logValues }
        return account
    }

    /// Does with a request what was decided.
    func take(_ course: RequestCourse, _ context: ChannelHandlerContext) {
        switch course {
        case .close: closeUnanswered(context)
        case .answered: end(context)
        // Envoy takes another status than 200 for a failure, and may let the request through.
        case .refuse(let refusal) where exchange?.envoy != nil:
            var headers = HTTPHeaders()
            let body = Self.plainBody(refusal.status, reason: refusal.reason, &headers)
            tell(ExtProcAnswer.immediate(refusal.status, headers, body), context)
        case .refuse(let refusal): answer(refusal, context)
        case .answer(let status, let headers, let body) where exchange?.envoy != nil:
            tell(ExtProcAnswer.immediate(status, headers, body), context)
        case .answer(let status, let headers, let body): answer(status, headers, body, context)
        case .tell(let text): tell(text, context)
        case .forward(let request, let length): forward(request, length, context)
        case .later: break
        }
    }

    /// The request as the rules see it.
    private func question(
        _ incoming: borrowing IncomingRequest,
        _ head: borrowing RequestHead,
        _ connection: borrowing ClientConnection,
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
                // Whatever an input header says: this is who connected.
                inputs[name + "_addr"] = end.map { Array($0.address.utf8) }
                inputs[name + "_port"] = end.map { Array("\($0.port)".utf8) }
            }
        }
        return RuleRequest(
            bytes: incoming.target,
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
