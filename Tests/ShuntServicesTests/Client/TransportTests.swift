#if Client
import AsyncHTTPClient
import Foundation
import HTTPTypes
import ShuntServices
import ShuntInterfaces
import ShuntModules
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Statements H13, H14 and H15: both transports, over sockets of this machine.
@Suite struct TransportTests {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case asyncHTTPClient
        case urlSession

        var testDescription: String { rawValue }

        /// A transport that waits for a short time only.
        func transport(waiting seconds: Int = 30) -> any HTTPTransport {
            switch self {
            case .asyncHTTPClient: return AsyncHTTPTransport(timeout: .seconds(seconds))
            case .urlSession:
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = Double(seconds)
                return URLSessionTransport(configuration)
            }
        }
    }

    private static func exchange(
        _ base: String,
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        body: String = ""
    ) -> HTTPExchange {
        let authority = String(base.dropFirst("http://".count))
        var request = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        request.headerFields[HTTPField.Name("X-Mark") ?? .accept] = "m"
        return HTTPExchange(request, body: Array(body.utf8))
    }

    /// The result of an exchange, in a word.
    private static func outcome(_ kind: Kind, _ exchange: HTTPExchange, waiting seconds: Int = 30) async throws
        -> String
    {
        try await withAccounts(kind.transport(waiting: seconds)) { (app) async throws in
            await clientErrorOr {
                let reply = try await app.call(HTTPClientModule.exchange, exchange)
                let text =
                    reply.body.count > 100 ? "\(reply.body.count) bytes" : String(decoding: reply.body, as: UTF8.self)
                return "\(reply.response.status.code) \(text)"
            }
        }
    }

    @Test("H15: the same exchanges with both", arguments: Kind.allCases)
    func same(_ kind: Kind) async throws {
        let cases: [(String, HTTPRequest.Method, String, String)] = [
            ("/a", .get, "", "200 GET /a m "), ("/a?b=c%20d", .get, "", "200 GET /a?b=c%20d m "),
            ("/a%2Fb", .get, "", "200 GET /a%2Fb m "), ("/a", .post, "text", "200 POST /a m text"),
            ("/a", .put, "text", "200 PUT /a m text"), ("/a", .patch, "text", "200 PATCH /a m text"),
            ("/a", .delete, "", "200 DELETE /a m "), ("/status/204", .get, "", "204 "),
            ("/status/401", .get, "", "401 GET /status/401 m "), ("/status/404", .get, "", "404 GET /status/404 m "),
            ("/status/500", .post, "x", "500 POST /status/500 m x"),
            ("/status/503", .get, "", "503 GET /status/503 m "),
            ("/hello", .get, "", "200 héllo"), ("/size/0", .get, "", "200 "),
            ("/size/1000", .get, "", "200 1000 bytes"), ("/size/8388608", .get, "", "200 8388608 bytes"),
            ("/size/9437184", .get, "", "tooLarge 8388608"),
            ("/a", .post, String(repeating: "y", count: 70_000), "200 70010 bytes"),
        ]
        try await ScriptedServer.run { base in
            for (path, method, body, expected) in cases {
                let found = try await Self.outcome(kind, Self.exchange(base, path, method, body: body))
                #expect(found == expected, "\(method) \(path)")
            }
        }
    }

    @Test("The bytes of an answer are passed on as they come", arguments: Kind.allCases)
    func progress(_ kind: Kind) async throws {
        try await ScriptedServer.run { base in
            let seen = Mutex<[(received: Int, expected: Int?)]>([])
            var exchange = Self.exchange(base, "/size/3000000")
            exchange.progress = { received, expected in seen.withLock { $0.append((received, expected)) } }
            let reply = try await kind.transport().send(exchange, limit: 3_000_000)
            let found = seen.withLock { $0 }
            #expect(reply.body.count == 3_000_000 && found.last?.received == 3_000_000 && found.count > 1)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.received < $1.received && $0.expected == 3_000_000 })
        }
    }

    @Test("H5: no listener, and a server that never answers", arguments: Kind.allCases)
    func failures(_ kind: Kind) async throws {
        let gone = try await ScriptedServer.run { $0 }
        #expect(try await Self.outcome(kind, Self.exchange(gone, "/a")) == "unreachable")
        let waited = try await ScriptedServer.run { base in
            try await Self.outcome(kind, Self.exchange(base, "/hang"), waiting: 1)
        }
        #expect(waited == "timedOut")
    }

    @Test("H13: a cancelled exchange ends at once", .timeLimit(.minutes(10)), arguments: Kind.allCases)
    func cancelled(_ kind: Kind) async throws {
        try await ScriptedServer.run { base in
            let transport = kind.transport(waiting: 600)
            let task = Task { try await transport.send(Self.exchange(base, "/hang"), limit: 10) }
            task.cancel()
            guard case .failure = await task.result else {
                Issue.record("answered")
                return
            }
        }
    }
}

/// The result of a body, or the word for its error.
private func clientErrorOr(_ body: () async throws -> String) async -> String {
    var found = ""
    let error = await clientError { found = try await body() }
    return error == "no error" ? found : error
}
#endif
