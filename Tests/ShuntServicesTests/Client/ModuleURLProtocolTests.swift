#if Modules
import Foundation
import Shunt
import ShuntInterfaces
import ShuntLinks
import ShuntModules
import ShuntServices
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Statements X1 to X7: code that only speaks HTTP reaches modules inside of the process.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ModuleURLProtocolTests {
    struct Login: Codable, Sendable { var username, password: String }
    struct Session: Codable, Sendable { var bearerToken: String }
    struct Unauthorized: StatusError { var status = 401 }

    static let login = ModuleAction<Login, Session>("login", at: "tandem://login/login")
    static let refused = ModuleAction<NoValue, NoValue>("refused", at: "tandem://login/refused")
    static let hang = ModuleAction<NoValue, NoValue>("hang", at: "tandem://login/hang")
    static let ticks = ModuleFeed<NoValue, Int>("ticks", at: "tandem://login/ticks")

    /// The end of a call that never answers.
    final class Fate: Sendable {
        private let kept = Mutex("not asked")

        var word: String {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    struct LoginModule: ProgramModule {
        let fate: Fate

        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(ModuleURLProtocolTests.login) { input, _ in
                Session(bearerToken: "\(input.username):\(input.password)")
            }
            definition.handle(ModuleURLProtocolTests.refused) { _, _ in throw Unauthorized() }
            definition.handle(ModuleURLProtocolTests.hang) { _, _ in
                fate.word = "waits"
                do { try await Task.sleep(for: .seconds(600)) } catch {
                    fate.word = "cancelled"
                    throw error
                }
                return NoValue()
            }
            definition.stream(ModuleURLProtocolTests.ticks) { _, _, writer in
                for tick in 1...3 { try await writer.write(tick) }
            }
        }
    }

    struct User: Codable, Sendable { var id: Int }

    /// A server that tests cannot reach.
    struct UserModule: ProgramModule {
        let user: ModuleAction<User, Session>

        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(user) { _, _ in throw Unauthorized() }
        }
    }

    /// Runs the module behind a session.
    private static func run(
        rules: String = "",
        fate: Fate = Fate(),
        _ body: @escaping @Sendable (URLSession) async throws -> Void
    ) async throws {
        var assembly = Assembly()
        assembly.add(LoginModule(fate: fate))
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: rules))
        let links = try Links(modules, rules: engine)
        try await modules.run { _ in
            let configuration = URLSessionConfiguration.ephemeral
            ModuleURLProtocol.install(links, schemes: ["tandem"], in: configuration)
            let session = URLSession(configuration: configuration)
            defer {
                session.invalidateAndCancel()
                ModuleURLProtocol.remove(schemes: ["tandem"])
            }
            try await body(session)
        }
    }

    private static func get(_ session: URLSession, _ url: String) async throws -> (
        status: Int, body: String, HTTPURLResponse
    ) {
        let (data, response) = try await session.data(from: try #require(URL(string: url)))
        let answer = try #require(response as? HTTPURLResponse)
        return (answer.statusCode, String(decoding: data, as: UTF8.self), answer)
    }

    @Test("X1, X3, X4, X6: what a session gets")
    func answers() async throws {
        try await Self.run(rules: "degrade ~ ^tandem://old/ https://m.example.com/;") { session in
            let login = try await Self.get(session, "tandem://login/login?username=a&password=b%26c")
            #expect(login.status == 200)
            #expect(login.body == #"{"bearerToken":"a:b&c"}"#)
            #expect(try await Self.get(session, "tandem://login/nothing").status == 404)
            #expect(try await Self.get(session, "tandem://login/refused").status == 401)
            #expect(try await Self.get(session, "tandem://login/login?username=a").status == 400)
            let old = try await Self.get(session, "tandem://old/page")
            #expect(old.status == 302)
            #expect(old.2.value(forHTTPHeaderField: "Location") == "https://m.example.com/")
            #expect(try await Self.get(session, "tandem://login/ticks").body == "data: 1\n\ndata: 2\n\ndata: 3\n\n")
        }
    }

    @Test("A POST with JSON is the input too")
    func body() async throws {
        try await Self.run { session in
            var request = URLRequest(url: try #require(URL(string: "tandem://login/login")))
            request.httpMethod = "POST"
            request.httpBody = Data(#"{"username":"a","password":"b"}"#.utf8)
            let (data, _) = try await session.data(for: request)
            #expect(String(decoding: data, as: UTF8.self) == #"{"bearerToken":"a:b"}"#)
        }
    }

    @Test("X2: other schemes are left to the network")
    func others() throws {
        #expect(!ModuleURLProtocol.canInit(with: URLRequest(url: try #require(URL(string: "http://login/login")))))
        #expect(!ModuleURLProtocol.canInit(with: URLRequest(url: try #require(URL(string: "tandem://login/login")))))
    }

    @Test("A server is stubbed for code that asks it by a session")
    func stub() async throws {
        let user = ModuleAction<User, Session>("user", at: "https://api.example.com/users/:id")
        var assembly = Assembly()
        assembly.replace(user) { input, _ in Session(bearerToken: "for \(input.id)") }
        assembly.add(UserModule(user: user))
        let modules = try assembly.build()
        let engine = Engine(try RuleSet(text: ""))
        let links = try Links(modules, rules: engine)
        try await modules.run { _ in
            let configuration = URLSessionConfiguration.ephemeral
            ModuleURLProtocol.install(links, schemes: ["https"], in: configuration)
            let session = URLSession(configuration: configuration)
            defer {
                session.invalidateAndCancel()
                ModuleURLProtocol.remove(schemes: ["https"])
            }
            let answer = try await Self.get(session, "https://api.example.com/users/7")
            #expect(answer.body == #"{"bearerToken":"for 7"}"#)
        }
    }

    @Test("X5: cancelling the request cancels the call")
    func cancelled() async throws {
        let fate = Fate()
        try await Self.run(fate: fate) { session in
            let url = try #require(URL(string: "tandem://login/hang"))
            let task = Task { try await session.data(from: url) }
            while fate.word == "not asked" { await Task.yield() }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            while fate.word == "waits" { await Task.yield() }
            #expect(fate.word == "cancelled")
        }
    }

    @Test("X7: a thousand at once")
    func many() async throws {
        try await Self.run { session in
            let bodies = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        try await Self.get(session, "tandem://login/login?username=\(number)&password=x").body
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(bodies.count == 1_000)
        }
    }
}
#endif
