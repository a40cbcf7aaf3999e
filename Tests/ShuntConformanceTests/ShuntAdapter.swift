import NginxOracle
import Shunt

/// Asks Shunt what nginx was asked, and puts the decisions into the terms that both share.
struct ShuntAdapter {
    /// The ports that stand for the listening addresses of a rule set, in order.
    static let ports: [UInt16] = [40_001, 40_002, 40_003, 40_004]

    let engine: Engine
    private let listens: [String]
    private let ports: [UInt16]
    private let servesFiles: Bool

    /// Loads a rule set.
    ///
    /// Throws a `RuleSetError` when Shunt refuses it.
    init(_ rules: RuleText, files: [SupportFile] = [], ports: [UInt16] = Self.ports, isLinear: Bool = false) throws {
        // Without a document root nginx looks into `html`; ours is as empty as that of the oracle.
        let root = files.isEmpty ? "/html" : "/srv/files"
        let runnable = RunnableRules(rules, ports: ports, root: files.isEmpty ? nil : root)
        let text = files.isEmpty ? runnable.text.replacing(Array("@ROOT@".utf8), with: Array(root.utf8)) : runnable.text
        var fileSystem = InMemoryFileSystem()
        fileSystem.set(root, .directory)
        fileSystem.set("/rules/rules.conf", .file(text))
        for file in files {
            switch file.kind {
            case .file: fileSystem.set("\(root)/\(file.path)", .file(file.content))
            case .folder: fileSystem.set("\(root)/\(file.path)", .directory)
            case .configuration: fileSystem.set("/rules/\(file.path)", .file(file.content))
            }
        }
        var options = Engine.Options()
        options.fileSystem = fileSystem
        // Where the path of a folder may become that of its index, files are read; else a request is forwarded.
        servesFiles = !files.isEmpty || !rules.directives(named: "index").isEmpty
        options.documentRoot = servesFiles ? root : nil
        options.isLinear = isLinear
        engine = Engine(try RuleSet(path: "/rules/rules.conf", from: fileSystem), options: options)
        listens = rules.listens
        self.ports = ports
    }

    /// Returns the outcome of a request.
    ///
    /// `isForward` is true if nothing decides it in nginx: then an answer of Shunt's that there is no such file means
    /// the same.
    func outcome(_ oracleRequest: OracleRequest, whereForward isForward: Bool) -> RequestOutcome {
        let decision = engine.decide(request(oracleRequest))
        var outcome = RequestOutcome(kind(decision, whereForward: isForward))
        outcome.headers = decision.headers.map { HeaderLine(name: $0.nameBytes, value: $0.valueBytes) }
        if decision.kind == .forward {
            outcome.destination = decision.urlBytes.map { .upstream(shown($0, decision.targetBytes)) }
        }
        return outcome
    }

    /// A URL as nginx logs it: without the slash that precedes a target that has none.
    private func shown(_ url: [UInt8], _ target: [UInt8]?) -> [UInt8] {
        guard let target, target.first != UInt8(ascii: "/") else { return url }
        return url.dropLast(target.count + 1) + target
    }

    private func kind(_ decision: Decision, whereForward isForward: Bool) -> RequestOutcome.Kind {
        let status = decision.status ?? 0
        switch decision.kind {
        case .forward: return .forward(uri: decision.uri ?? [], args: decision.arguments ?? [])
        case .redirect, .degrade: return .response(status: status, location: decision.urlBytes ?? [], body: nil)
        case .respond, .block, .fail:
            // nginx looks for a file, too, where the path has lost its first slash.
            let isFile = servesFiles || decision.uri?.first != UInt8(ascii: "/")
            if isForward, isFile, decision.body == nil, [403, 404, 405].contains(status) {
                return .forward(uri: decision.uri ?? [], args: decision.arguments ?? [])
            }
            if status == 444, decision.body == nil { return .closed(status: status) }
            let isRedirect = RequestOutcome.redirectStatuses.contains(status)
            return .response(status: status, location: isRedirect ? [] : nil, body: decision.body)
        }
    }

    func request(_ oracleRequest: OracleRequest) -> RuleRequest {
        // The Host goes with the other headers, where there may be none or several.
        var request = RuleRequest(target: oracleRequest.target, host: nil)
        request.methodBytes = oracleRequest.method
        request.version = String(decoding: oracleRequest.version.dropFirst("HTTP/".utf8.count), as: UTF8.self)
        request.headers = oracleRequest.headers.map { RuleRequest.Header(name: $0.name, value: $0.value) }
        let address = oracleRequest.listen.map { RuleText.canonicalListen(Array($0.utf8)) }
        let index = address.flatMap { listens.firstIndex(of: $0) } ?? 0
        request.listen = RuleRequest.Endpoint(address: "127.0.0.1", port: Int(ports[index]))
        if let remote = oracleRequest.remote {
            let parts = remote.split(separator: ":")
            if parts.count == 2, parts[0].contains("."), let port = Int(parts[1]) {
                request.remoteAddress = String(parts[0])
                request.remotePort = port
            } else {
                request.remoteAddress = remote
            }
        }
        return request
    }
}
