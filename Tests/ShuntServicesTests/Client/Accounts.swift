#if Client
import HTTPTypes
import Shunt
import ShuntServices
import ShuntInterfaces
import ShuntModules
import Synchronization

/// The actions of a server of accounts.
enum Account {
    struct Credentials: Codable, Hashable, Sendable { var username, password: String }
    struct Session: Codable, Hashable, Sendable { var token: String }
    struct UserID: Codable, Hashable, Sendable { var id: String }
    struct User: Codable, Hashable, Sendable {
        var id: String
        var name: String
    }
    struct Search: Codable, Hashable, Sendable {
        var name: String
        var tag: [String]?
    }
    struct Change: Codable, Hashable, Sendable {
        var id: String
        var name: String
    }
    static let login = ModuleAction<Credentials, Session>("Account.login")
    static let user = ModuleAction<UserID, User>("Account.user", method: "GET", at: "/users/:id")
    static let search = ModuleAction<Search, [User]>("Account.search", method: "GET", at: "/users")
    static let rename = ModuleAction<Change, NoValue>("Account.rename", method: "PUT", at: "/users/:id")
    static let token = ValueKey<String>("account token")
}

/// The client of that server.
struct AccountAPI: ProgramModule {
    var base = "https://api.example.com"
    var envelope: ResponseEnvelope?

    func define(_ definition: inout ModuleDefinition<NoValue>) {
        definition.remote(base, envelope: envelope) { api in
            api.send(Account.login, method: "POST", at: "/login/path")
            api.send(Account.user)
            api.send(Account.search)
            api.send(Account.rename)
        }
    }
}

/// A transport made of a closure, which keeps what was sent.
final class StubTransport: HTTPTransport {
    private let kept = Mutex<[HTTPExchange]>([])
    private let answer: @Sendable (HTTPExchange) async throws -> HTTPReply

    init(_ answer: @escaping @Sendable (HTTPExchange) async throws -> HTTPReply) { self.answer = answer }

    /// Answers everything with a status and a body.
    convenience init(_ body: String, status: Int = 200) {
        self.init { _ in HTTPReply(HTTPResponse(status: .init(code: status)), body: Array(body.utf8)) }
    }

    var sent: [HTTPExchange] { kept.withLock { $0 } }

    /// The requests that were sent, as method and URL.
    var lines: [String] { sent.map { "\($0.request.method) \($0.url) \(String(decoding: $0.body, as: UTF8.self))" } }

    func send(_ exchange: HTTPExchange, limit: Int) async throws -> HTTPReply {
        kept.withLock { $0.append(exchange) }
        return try await answer(exchange)
    }
}

/// Runs the client with a transport.
@discardableResult
func withAccounts<Value: Sendable>(
    _ transport: any HTTPTransport,
    envelope: ResponseEnvelope? = ResponseEnvelope(code: "code", message: "msg", data: "data"),
    rules: String? = nil,
    _ change: (inout Assembly) -> Void = { _ in },
    body: @escaping @Sendable (Scope) async throws -> Value
) async throws -> Value {
    var assembly = Assembly()
    let engine = try rules.map { Engine(try RuleSet(text: $0)) }
    assembly.add(HTTPClientModule(transport, rules: engine))
    assembly.add(AccountAPI(envelope: envelope))
    change(&assembly)
    return try await assembly.build().run(body)
}

/// The word for the error that a body throws.
func clientError<Value>(_ body: () async throws -> Value) async -> String {
    do {
        _ = try await body()
        return "no error"
    } catch let error as ClientError {
        switch error {
        case .rejected(let code, let message): return "rejected \(code) \(message)"
        case .unreadable(let reason, _): return "unreadable: \(reason)"
        case .decided(let decision): return "decided \(decision.kind.rawValue)"
        case .unsendable(let reason): return "unsendable: \(reason)"
        case .unreachable: return "unreachable"
        case .timedOut: return "timedOut"
        case .tooLarge(let limit): return "tooLarge \(limit)"
        case .status(let reply): return "status \(reply.response.status.code)"
        }
    } catch {
        return "\(error)"
    }
}
#endif
