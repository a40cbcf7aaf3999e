#if Gateway
import Logging
import NIOCore
import NIOHTTP1
import Shunt

/// Having a request answered by an upstream.
extension ConnectionHandler {
    /// Has a request answered by the upstream.
    func forward(_ request: UpstreamRequest, _ length: IncomingRequest.BodyLength) {
        guard exchange?.isOver == false else { return }
        keepRules(for: request.interception)
        upstream = UpstreamExchange(request, for: self, pool: pool)
        var asked = Exchange.OutgoingRequest(
            method: request.ownMethod,
            length: length,
            given: request.body,
            settings: request.settings,
            asksUpgrade: request.asksUpgrade,
            interception: request.interception,
            room: pool.bodyRoom
        )
        let limit = bodyLimit(request.settings.maximumBody, length)
        if length == .unknown, !asked.isBuffered { asked.ahead = parser.bodyAhead(past: limit) }
        handle(.forwarded(asked, limit: limit))
    }

    /// Returns the longest body of a request; 0 for any.
    ///
    /// - Parameters:
    ///   - own: The limit of the rules, which have read a length that is known beforehand; nil without one.
    ///   - length: The length of the body.
    /// - Returns: The limit.
    func bodyLimit(_ own: Int?, _ length: IncomingRequest.BodyLength) -> Int {
        own.map { length == .unknown ? $0 : 0 } ?? core.options.maximumBodyBytes
    }

    /// Keeps the rules that decided, where they are to decide again; and where a request was counted by their gates, whose zones other
    /// rules number in another way.
    func keepRules(for interception: Interception) {
        let decideAgain = interception.keepsRules || exchange?.additions?.awaitsAnswer == true
        if basis == nil, decideAgain || exchange?.visit != nil { basis = rules.basis }
    }

    /// Notes which logs record the request, and the values that they need of it.
    func noteLogs(_ decision: borrowing DecisionView, at listen: RuleRequest.Endpoint?) {
        var logs: [RuleLog] = []
        if !rules.logs.isEmpty {
            if let list = decision.accessLogs {
                logs = rules.logs(in: list)
                if !logs.isEmpty { exchange?.account.logValues = decision.logValues }
            } else {
                logs = rules.adoptedDefaultLogs(at: listen)
            }
        }
        exchange?.account.logs = logs
        let isLogged = core.log != nil || !logs.isEmpty
        exchange?.account.isLogged = isLogged
        exchange?.account.keepsAttempts = isLogged || rules.readsAttempts
        exchange?.account.needsHeaders =
            core.log != nil && core.options.accessLogFormat.needsHeaders || logs.contains(where: \.needsHeaders)
    }

    /// Notes the request for logs.
    func notes(_ request: UpstreamRequest) {
        if exchange?.account.isLogged == true { exchange?.account.upstream = request.url }
    }

    /// A server gets the request.
    func asks(_ address: @autoclosure () -> String) { exchange?.account.asks(address(), at: .now()) }

    /// A server of a group is asked.
    func asks(_ server: PeerAddress, after failure: UpstreamFailure?) {
        if let failure {
            if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
            let metadata: Logger.Metadata = ["error": "\(failure.text)", "next": "\(server.place)"]
            core.logger.debug("the next server is tried", metadata: metadata)
        }
        if exchange?.account.isLogged == true { exchange?.account.servers.append("http://\(server.place)") }
    }

    /// Counts a failure that ends an exchange.
    func count(_ failure: UpstreamFailure) {
        if failure.isTimeout { metrics.upstreamTimeouts.add() } else { metrics.upstreamFailures.add() }
        core.logger.log(
            level: failure.isHandshake ? .warning : .debug,
            "upstream failed",
            metadata: ["error": "\(failure.text)"]
        )
    }

    // MARK: What the upstream answers

    /// Writes the head of the upstream's response.
    func pass(_ received: ResponseHead, status: HTTPResponseStatus, framing: AnswerFraming) {
        if exchange?.additions?.awaitsAnswer == true {
            complete(with: received.fields.headers, of: received.status, sent: sent(received, status))
        }
        // A long answer does not keep its rules.
        basis = nil
        exchange?.account.beginHead(output)
        var output = self.output.take()
        output.writeStatusLine(status)
        exchange?.additions?.writeKept(for: status, to: &output)
        let expiry = exchange?.additions?.expiry(for: status)
        let hasDate = passOn(received.fields, &output, in: status)
        if let expiry {
            let modified = expiry.isAfterChange ? received.fields.values("last-modified").first : nil
            output.write(expiry, modified: modified.map { Array($0.utf8) }, at: exchange?.account.time)
        }
        let isPassedOn = upstream != nil && exchange?.additions?.status == nil
        if let type = exchange?.additions?.keptType, isPassedOn || status.mayHaveResponseBody,
            received.fields.first("content-type") == nil
        {
            output.writeHeader("Content-Type", type.span)
        }
        output.writeFraming(framing)
        let addsDate = exchange?.additions?.write(for: status, to: &output) == true
        endHead(hasDate: hasDate || addsDate, &output)
        self.output.put(output)
    }

    /// Evaluates the rules again for what they add to an answer, where that depends on it.
    ///
    /// - Parameters:
    ///   - headers: The headers of the upstream.
    ///   - status: Its status; that of the gateway where it does not answer.
    ///   - sent: The headers that the client gets.
    func complete(with headers: [RuleRequest.Header], of status: HTTPResponseStatus, sent: [RuleRequest.Header]) {
        guard let head = exchange?.account.head else { return }
        // The part of a file is chosen when all headers are there.
        let isOfFile = exchange?.asked?.interception.isOfFile == true
        let code = isOfFile && status == .partialContent ? 200 : Int(status.code)
        var given = UpstreamAnswer(.passed(sent: sent), status: code, headers: headers)
        given.isOfUpstream = !isOfFile && exchange?.asked != nil
        given.variables = exchange?.account.values(at: .now(), ofQuestion: false) ?? [:]
        answers.append(given)
        defer { answers.removeLast() }
        withRules { snapshot in
            guard
                let incoming = try? IncomingRequest.read(
                    head,
                    names: rules.names,
                    hosts: rules.hosts,
                    at: connection,
                    core: core
                )
            else { return }
            let time = exchange?.account.time ?? .now()
            let question = question(incoming, head: head, connection: connection, time: time)
            let additions = snapshot.engine.withQuickDecision(for: question, in: servingContext()) { RuleAdditions($0) }
            guard let additions else {
                return core.logger.warning("an answer lacks what rules add to it: they take too long to decide")
            }
            exchange?.additions = additions
        }
    }

    /// The headers of an answer that the client gets.
    private func sent(_ received: ResponseHead, _ status: HTTPResponseStatus) -> [RuleRequest.Header] {
        if let file { return file.sent }
        let fields = received.fields
        let settings = upstream?.request.settings
        let hopByHop = HopByHopHeaders(fields)
        let bytes = fields.bytes.readableBytesUInt8Span
        var sent: [RuleRequest.Header] = []
        for field in fields.list {
            let (name, value) = (bytes.extracting(field.name), bytes.extracting(field.value))
            if hopByHop.contains(name) || HiddenHeaders.contains(name, settings) { continue }
            // The character set comes after them.
            let change = name.count == 12 ? nil : changed(name, value, for: status)
            sent.append(RuleRequest.Header(name: Array(copying: name), value: change ?? Array(copying: value)))
        }
        return sent
    }

    /// Writes a part of the body.
    func pass(_ write: (ChannelHandlerContext) -> Void) {
        guard let context else { return }
        write(context)
        if context.channel.isWritable { return }
        flushResponse()
        if !context.channel.isWritable { handle(.clientIsFull) }
    }

    /// Writes the headers of an upstream's response without those that were for the gateway, those that rules hide or replace,
    /// and the length.
    ///
    /// - Returns: Whether there is a date among them.
    private func passOn(_ fields: HeaderFields, _ output: inout ByteBuffer, in status: HTTPResponseStatus) -> Bool {
        let settings = upstream?.request.settings
        let hopByHop = HopByHopHeaders(fields)
        var hasDate = false
        let bytes = fields.bytes.readableBytesUInt8Span
        for field in fields.list {
            let name = bytes.extracting(field.name)
            if hopByHop.contains(name) || HiddenHeaders.contains(name, settings) { continue }
            switch name.count {
            case 4 where name.isSameHeader(as: "date"): hasDate = true
            case 4 where exchange?.additions?.replaces(name, for: status) == true,
                7 where exchange?.additions?.replaces(name, for: status) == true,
                13 where exchange?.additions?.replaces(name, for: status) == true:
                continue
            // As in nginx a page with this status has no type.
            case 12
            where status == .noContent && exchange?.additions?.status != nil
                && name.isSameHeader(as: "content-type"):
                continue
            case 12 where name.isSameHeader(as: "content-type") && fields.hasAnother("content-type", after: field):
                continue
            case 14 where name.isSameHeader(as: "content-length"): continue
            case 8 where name.isSameHeader(as: "location"):
                guard let value = upstream?.request.redirects?.sentLocation(field, of: fields) else { break }
                output.writeHeader(field, of: fields, value: value)
                continue
            case 7, 10, 12:
                let value = bytes.extracting(field.value)
                guard let value = changed(name, value, for: status) else { break }
                output.writeHeader(field, of: fields, value: value)
                continue
            default: break
            }
            output.writeHeader(field, of: fields)
        }
        return hasDate
    }

    /// The value of a header that rules change; nil for one that stays unchanged.
    private func changed(_ name: Span<UInt8>, _ value: Span<UInt8>, for status: HTTPResponseStatus) -> [UInt8]? {
        if name.count == 12 {
            guard let charset = exchange?.additions?.charset, !RequestAction.isRedirect(status),
                name.isSameHeader(as: "content-type")
            else {
                return nil
            }
            let type = Array(copying: value)
            return charset.isFor(type) ? type + charset.suffix : nil
        }
        guard let redirects = upstream?.request.redirects else { return nil }
        if name.isSameHeader(as: "set-cookie") { return redirects.cookies?.changed(value) }
        if name.isSameHeader(as: "location") { return redirects.changes?.rewritten(value) }
        return name.isSameHeader(as: "refresh") ? redirects.refresh(value) : nil
    }

    /// Speaks another protocol from here on, which the upstream has agreed to; what comes goes there.
    func passSwitch(_ received: ResponseHead) {
        basis = nil
        exchange?.account.beginHead(self.output)
        var output = self.output.take()
        output.writeStatusLine(.switchingProtocols)
        _ = passOn(received.fields, &output, in: .switchingProtocols)
        _ = exchange?.additions?.write(for: .switchingProtocols, to: &output)
        output.writeStaticString("Connection: upgrade\r\n")
        for field in received.fields.list where received.fields.isNamed(field, "upgrade") {
            output.writeHeader(field, of: received.fields)
        }
        output.writeStaticString("\r\n")
        exchange?.account.endHead(output)
        self.output.put(output)
        flushResponse()
        let sent = parser.takeRest()
        if sent.readableBytes > 0 { handle(.part(sent)) }
        let rest = upstream?.becomeTunnel() ?? ByteBuffer()
        if rest.readableBytes > 0 { handle(.answerPart(rest)) }
        flushesAll()
    }
}
#endif
