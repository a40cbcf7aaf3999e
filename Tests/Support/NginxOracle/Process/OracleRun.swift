import Foundation

/// One nginx with several rule sets, from start to stop.
struct OracleRun {
    enum Result {
        case answered([OracleReply])
        case refused(culprit: Int, Refusal)
        case unknownCulprit
    }

    let questions: [OracleQuestion]

    func ask() throws -> Result {
        let process = try NginxProcess()
        var sockets = ListeningSockets()
        var ports: [[UInt16]] = []
        for question in questions {
            ports.append(try question.rules.listens.map { _ in try sockets.open() })
        }
        let labels = try writeConfiguration(process, ports: ports)
        try process.start(sockets: sockets.descriptors)
        sockets.close()
        var replies: [[PipelinedClient.Reply]] = []
        var connections: [PipelinedClient.Connection] = []
        var firstNumber = 0
        do {
            for (index, question) in questions.enumerated() {
                replies.append(
                    try exchange(question, ports: ports[index], firstNumber: firstNumber, connections: &connections)
                )
                firstNumber += question.requests.count
            }
            // A question without requests still has to be accepted.
            if firstNumber == 0 {
                var client = PipelinedClient(port: ports[0][0])
                _ = try client.exchange([OracleRequest(target: Array("/".utf8))], firstNumber: 0)
            }
        } catch let failure as OracleFailure {
            guard let message = process.refusalAfterEnd() else { throw failure }
            return blame(message, folder: process.folder, ports: ports)
        }
        if let message = process.refusal() { return blame(message, folder: process.folder, ports: ports) }
        process.stop()
        let log = AccessLog([UInt8](FileManager.default.contents(atPath: process.log) ?? Data()))
        if let crash = log.crash { throw OracleFailure(crash) }
        let records = log.records(of: connections)
        var result: [OracleReply] = []
        var number = 0
        for (index, question) in questions.enumerated() {
            var answers: [OracleAnswer] = []
            for (request, reply) in zip(question.requests, replies[index]) {
                let record = records[number]
                // Without its record, a 404 of the module that serves files would pass for a rule's.
                if record == nil, case .response = reply {
                    throw OracleFailure("nginx logged nothing about \(ByteText.show(request.target))")
                }
                answers.append(answer(request, reply, log: record, labels: labels, files: question.files))
                number += 1
            }
            result.append(.answers(answers, ports: ports[index]))
        }
        return .answered(result)
    }

    private func exchange(
        _ question: OracleQuestion,
        ports: [UInt16],
        firstNumber: Int,
        connections: inout [PipelinedClient.Connection]
    ) throws -> [PipelinedClient.Reply] {
        let listens = question.rules.listens
        let indexes = question.requests.map { request in
            request.listen.flatMap { listens.firstIndex(of: RuleText.canonicalListen(Array($0.utf8))) } ?? 0
        }
        var replies: [PipelinedClient.Reply] = []
        while replies.count < indexes.count {
            // As many requests as go to the same address share a connection.
            let start = replies.count
            let end = indexes[start...].firstIndex { $0 != indexes[start] } ?? indexes.count
            var client = PipelinedClient(port: ports[indexes[start]])
            let requests = Array(question.requests[start..<end])
            replies += try client.exchange(requests, firstNumber: firstNumber + start)
            connections += client.connections
        }
        return replies
    }

    private func answer(
        _ request: OracleRequest,
        _ reply: PipelinedClient.Reply,
        log: LogRecord?,
        labels: [String],
        files: [SupportFile]
    ) -> OracleAnswer {
        let label = log.flatMap { $0.label > 0 && $0.label <= labels.count ? labels[$0.label - 1] : nil } ?? ""
        var answer = OracleAnswer(
            outcome: RequestOutcome(.closed(status: log?.status ?? 0)),
            uri: log?.uri ?? [],
            args: log?.args ?? [],
            label: label,
            serverName: log?.serverName ?? [],
            body: []
        )
        guard case .response(let response) = reply else { return answer }
        answer.body = response.body
        answer.outcome.headers = response.headers
        if let log, let destination = destination(request, response, log: log, files: files) {
            answer.outcome.kind = .forward(uri: log.uri, args: log.args)
            answer.outcome.destination = destination
            return answer
        }
        let location = response.header("location")
        let isBuiltIn = isBuiltInPage(response)
        let hasBody = !isBuiltIn && request.method != Array("HEAD".utf8) && ![204, 304].contains(response.status)
        let isRedirect = RequestOutcome.redirectStatuses.contains(response.status)
        if isRedirect, location != nil || isBuiltIn {
            answer.outcome.kind = .response(status: response.status, location: location ?? [], body: nil)
        } else {
            let body = hasBody ? response.body : nil
            answer.outcome.kind = .response(status: response.status, location: isRedirect ? [] : nil, body: body)
        }
        return answer
    }

    private func isBuiltInPage(_ response: WireResponse) -> Bool {
        response.body.contains(sequence: Array("<center>nginx".utf8))
    }

    /// The place where a request went that nothing decided; nil if something did.
    private func destination(
        _ request: OracleRequest,
        _ response: WireResponse,
        log: LogRecord,
        files: [SupportFile]
    ) -> RequestOutcome.Destination? {
        if let upstream = log.upstream, response.status == 502 { return .upstream(upstream) }
        // No rule's response offers ranges, every file does, unless an `error_page` sets another status.
        let file = files.first { $0.kind == .file && $0.content == response.body && !response.body.isEmpty }
        if file != nil || response.header("accept-ranges") != nil {
            return .file(Array((file?.path ?? "").utf8))
        }
        // The module that serves files answers other methods with 405 and logs nothing. TRACE and CONNECT are refused
        // before any rule is read.
        let others = ["GET", "HEAD", "POST", "TRACE", "CONNECT"].map { Array($0.utf8) }
        let isRefusedMethod = response.status == 405 && !others.contains(request.method)
        // After an `error_page` for a missing file it is the rules that answer.
        let isBuiltIn = isBuiltInPage(response) || request.method == Array("HEAD".utf8)
        let isMissing = log.missedFile && isBuiltIn && [403, 404, 405].contains(response.status)
        return isMissing || isRefusedMethod ? .missing(status: response.status) : nil
    }

    /// Finds the rule set a message is about.
    private func blame(_ message: String, folder: String, ports: [[UInt16]]) -> Result {
        for index in questions.indices {
            if let place = message.range(of: " in \(folder)/set\(index).conf:") {
                let line = Int(message[place.upperBound...].prefix { $0.isNumber })
                return .refused(culprit: index, Refusal(line: line, message: String(message[..<place.lowerBound])))
            }
            if ports[index].contains(where: { message.contains(":\($0)") }) {
                return .refused(culprit: index, Refusal(line: nil, message: message))
            }
        }
        if questions.count == 1 { return .refused(culprit: 0, Refusal(line: nil, message: message)) }
        return .unknownCulprit
    }
}

/// Sockets that wait to be handed to nginx.
struct ListeningSockets {
    private var sockets: [Holder] = []

    private final class Holder {
        let socket: LoopbackSocket
        init(_ socket: consuming LoopbackSocket) { self.socket = socket }
    }

    var descriptors: [Int32] { sockets.map { $0.socket.descriptor } }

    mutating func open() throws -> UInt16 {
        let holder = Holder(try LoopbackSocket.listening())
        sockets.append(holder)
        return holder.socket.port
    }

    /// Our own ends must go once nginx has its copies: only then does a connection fail when nginx ends.
    mutating func close() { sockets = [] }
}
