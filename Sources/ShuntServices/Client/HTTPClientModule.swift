#if Client
import HTTPTypes
public import Shunt
public import ShuntModules

/// An HTTP client as a module: it answers `exchange`, so that interceptors, recoveries, histories and replacements work on
/// requests as on any other call.
///
/// A plugin is `assembly.intercept(HTTPClientModule.exchange) { … }`, a stub is `assembly.replace(HTTPClientModule.exchange) { … }`.
public struct HTTPClientModule: ProgramModule {
    /// Sends a request after the rules have seen its URL.
    public static let exchange = ModuleAction<HTTPExchange, HTTPReply>("HTTPClientModule.exchange")
    /// The most times that rules may send one request elsewhere.
    static let maximumRedirects = 10

    private let transport: any HTTPTransport
    private let limit: Int
    private let rules: (any EngineSource)?

    /// Makes the module, which reads answers of at most `limit` bytes.
    ///
    /// The rules for outgoing URLs may change scheme, host and path, answer themselves (a stub in a rule file), or turn
    /// the request away.
    public init(_ transport: any HTTPTransport, limit: Int = 8 << 20, rules: (any EngineSource)? = nil) {
        self.transport = transport
        self.limit = limit
        self.rules = rules
    }

    /// Answers `exchange`.
    public func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.handle(Self.exchange) { exchange, _ in try await send(exchange) }
    }

    private func send(_ exchange: HTTPExchange) async throws -> HTTPReply {
        var exchange = exchange
        var decision: Decision?
        if let rules {
            switch try Self.decide(&exchange, rules.currentEngine()) {
            case .answered(let reply): return reply
            case .sent(let decided): decision = decided
            }
        }
        do {
            var reply = try await transport.send(exchange, limit: limit)
            reply.decision = decision
            return reply
        } catch let error as ClientError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            throw ClientError.unreachable(error)
        }
    }

    private enum Way {
        case answered(HTTPReply)
        case sent(Decision)
    }

    /// Decides by the rules where a request goes, and again if they send it elsewhere.
    private static func decide(_ exchange: inout HTTPExchange, _ engine: Engine) throws -> Way {
        var left = maximumRedirects
        while true {
            let (decision, answer) = engine.withDecision(for: question(exchange)) { ($0.copy(), $0.answer()) }
            switch decision.kind {
            case .forward:
                guard let url = decision.url, exchange.redirect(to: url) else {
                    throw ClientError.decided(decision)
                }
                return .sent(decision)
            case .respond:
                guard let answer, let status = answer.status else { throw ClientError.decided(decision) }
                var response = HTTPResponse(status: HTTPResponse.Status(code: status))
                for header in answer.headers {
                    guard let name = HTTPField.Name(header.name) else { continue }
                    response.headerFields.append(HTTPField(name: name, value: header.value))
                }
                var reply = HTTPReply(response, body: answer.bodyBytes ?? [])
                reply.decision = decision
                return .answered(reply)
            case .redirect:
                left -= 1
                guard left >= 0, let url = decision.url, exchange.redirect(to: url)
                else { throw ClientError.decided(decision) }
            case .degrade, .block, .fail: throw ClientError.decided(decision)
            }
        }
    }

    private static func question(_ exchange: HTTPExchange) -> RuleRequest {
        var request = RuleRequest(url: exchange.url)
        request.method = exchange.request.method.rawValue
        request.headers = exchange.request.headerFields.map { RuleRequest.Header($0.name.rawName, $0.value) }
        return request
    }
}
#endif
