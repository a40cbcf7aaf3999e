#if Gateway
import Foundation
import Glibc
import NginxOracle
import Synchronization
import Testing

/// Servers of an upstream group that note who was asked, and the same requests sent through nginx and through a gateway.
final class BalancedServers: Sendable {
    /// The reaction of a server to a request.
    enum Behaviour: Sendable {
        /// Answers with its number.
        case answer
        /// Closes the connection without an answer.
        case breakOff
        /// Answers with a status.
        case status(Int)
        /// Answers nothing.
        case silence
        /// Answers with an invalid header.
        case nonsense
    }

    private let servers: [TestUpstream]
    private let asked: AskedServers

    /// The numbers of the servers that got requests, in their order.
    final class AskedServers: Sendable {
        private let numbers = Mutex<[Int]>([])

        func note(_ number: Int) { numbers.withLock { $0.append(number) } }

        func take() -> [Int] {
            numbers.withLock { numbers in
                defer { numbers = [] }
                return numbers
            }
        }
    }

    /// Starts one server for each behaviour.
    init(_ behaviours: [Behaviour]) throws {
        let asked = AskedServers()
        self.asked = asked
        servers = try behaviours.enumerated()
            .map { number, behaviour in
                try TestUpstream { _ in
                    asked.note(number)
                    return switch behaviour {
                    case .answer: .text("\(number)")
                    case .status(let code): .text("\(number)", status: "\(code) X")
                    case .silence: .init(parts: [])
                    case .breakOff: .init(parts: [], closes: true)
                    case .nonsense: .init(parts: ["HTTP/1.1 200 OK\r\nA\0B: c\r\n\r\n"], closes: true)
                    }
                }
            }
    }

    /// The servers that got requests since the last call.
    func take() -> [Int] { asked.take() }

    /// A block with `{0}`, `{1}` and so on replaced by the servers' addresses, and `{dead}` by one without a listener.
    func filled(_ block: String) -> String {
        var text = block.replacing("{dead}", with: "127.0.0.1:1")
        for (number, server) in servers.enumerated() {
            text = text.replacing("{\(number)}", with: "127.0.0.1:\(server.port)")
        }
        return text
    }

    /// Sends requests one after the other over one connection, their numbers as arguments; who was asked, and how each was answered.
    func ask(
        port: UInt16,
        _ methods: [String],
        host: String = "a.test",
        onNewConnections: Bool = false
    ) throws -> (servers: [Int], statuses: [Int]) {
        _ = asked.take()
        var connection = try TestConnection(port: port)
        var statuses: [Int] = []
        for (number, method) in methods.enumerated() {
            if onNewConnections, number > 0 { connection = try TestConnection(port: port) }
            let body = method == "POST" || method == "PUT" ? "Content-Length: 2\r\n\r\nhi" : "\r\n"
            try connection.send("\(method) /x?\(number) HTTP/1.1\r\nHost: \(host)\r\n" + body)
            guard let response = try connection.response(isHead: method == "HEAD") else {
                throw TestProblem("no response to \(method)")
            }
            statuses.append(response.status)
        }
        return (asked.take(), statuses)
    }

    /// Holds that a gateway with these rules asks the same servers as a real nginx, and answers with the same statuses.
    func expectAsNginx(_ rules: String, _ methods: [String], at place: SourceLocation = #_sourceLocation) async throws {
        var mine: (servers: [Int], statuses: [Int])?
        try await RunningGateway.with(["rules.conf": rules]) { gateway in
            mine = try await Blocking.run { [self] in try ask(port: gateway.port, methods) }
        }
        let result = try #require(mine, sourceLocation: place)
        #expect(result.statuses.count == methods.count, sourceLocation: place)
        guard NginxProcess.executable != nil else { return }
        let expected = try await Blocking.run { [self] in try RealNginx.with(rules) { try ask(port: $0, methods) } }
        #expect(result.servers == expected.servers, sourceLocation: place)
        #expect(result.statuses == expected.statuses, sourceLocation: place)
    }
}
#endif
