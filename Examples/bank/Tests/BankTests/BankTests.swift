import Bank
import BankInterfaces
import Foundation
import OldStatements
import Shunt
import ShuntLinks
import ShuntModules
import ShuntModulesTesting
import ShuntServices
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The bank by each of its doors.
@Suite struct BankTests {
    static let rules = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("rules").path

    /// Runs the bank, and returns the names of the calls in the order in which they ended, failures with a mark.
    private static func run(_ body: @escaping @Sendable (Scope, Links) async throws -> Void) async throws -> [String] {
        let recorder = CallRecorder()
        var assembly = Bank.assembly()
        // Inside of the recovery, so that it sees both tries.
        assembly.intercept(recorder.history)
        let modules = try assembly.build()
        let links = try Bank.links(to: modules, rules: rules)
        try await modules.run { try await body($0, links) }
        return recorder.records.map { $0.error == nil ? $0.name : $0.name + " failed" }
    }

    @Test("Pay, 401, sign in, pay again; the next payment has the token from the start")
    func pay() async throws {
        let calls = try await Self.run { (bank, _) async throws in
            for amount in [5, 7] {
                let receipt = try await bank.call(Payments.pay, .init(amount: amount))
                #expect(receipt == Payments.Receipt(number: "\(amount) with token 1"))
            }
        }
        #expect(calls == ["Payments.pay failed", "Login.paymentToken", "Payments.pay", "Payments.pay"])
    }

    @Test("A hundred payments at once need one sign-in")
    func many() async throws {
        let calls = try await Self.run { (bank, _) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for amount in 1...100 {
                    group.addTask { () async throws in
                        let receipt = try await bank.call(Payments.pay, .init(amount: amount))
                        #expect(receipt == Payments.Receipt(number: "\(amount) with token 1"))
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(calls.count { $0 == "Login.paymentToken" } == 1)
        #expect(calls.count { $0 == "Payments.pay" } == 100)
    }

    @Test(
        "The links of the bank",
        arguments: [
            ("yourbank://payments/pay?amount=5", #"{"number":"5 with token 1"}"#),
            ("yourbank://pay-now/7", #"{"number":"7 with token 1"}"#),
        ]
    )
    func links(url: String, expected: String) async throws {
        let calls = try await Self.run { (_, links) async throws in
            let answer = try await links.open(url, from: Caller(.link, name: "com.example.chat"))
            #expect(try answer.json().map { String(decoding: $0, as: UTF8.self) } == expected)
        }
        #expect(calls == ["Payments.pay failed", "Login.paymentToken", "Payments.pay"])
    }

    @Test("Links that are refused, and those that are gone")
    func closed() async throws {
        _ = try await Self.run { (_, links) async throws in
            await #expect(throws: LinkError.self) {
                try await links.open("tandem://login/login?username=a&password=b", from: Caller(.link))
            }
            let loans = try await links.open("yourbank://loans/new", from: Caller(.link))
            guard case .decided(let decision) = loans else { throw CancellationError() }
            #expect(decision.kind == .degrade)
        }
    }

    @Test(
        "The same as HTTP",
        arguments: [
            (#"{"amount":5}"#, 200, #"{"number":"5 with token 1"}"#),
            (#"{"amount":"five"}"#, 400, #"{"status":400,"parameters":[{"name":"amount","problem":"not Int"}]}"#),
        ]
    )
    func http(body: String, status: Int, expected: String) async throws {
        _ = try await Self.run { (_, links) async throws in
            var request = RuleRequest(target: "/payments/pay", host: "bank.example.com")
            request.method = "POST"
            let response = try await links.respond(to: request, body: Array(body.utf8), from: Caller(.network))
            #expect(response.status == status)
            #expect(response.text == expected)
        }
    }

    @Test("A page pays, and a page of another origin does not")
    func page() async throws {
        let message = #"{"id":1,"type":"post","url":"yourbank://payments/pay","param":{"amount":5}}"#
        let calls = try await Self.run { (_, links) async throws in
            let bridge = try Bridge(links, origins: ["https://bank.example.com"])
            let answer = try await bridge.open(envelope: message, from: "https://bank.example.com")
            #expect(answer == #"{"id":1,"value":{"number":"5 with token 1"}}"#)
            await #expect(throws: BridgeError.refusedOrigin("https://evil.example")) {
                try await bridge.open(envelope: message, from: "https://evil.example")
            }
        }
        #expect(calls == ["Payments.pay failed", "Login.paymentToken", "Payments.pay"])
    }

    @Test("Old code signs in by HTTP, and nothing leaves the process")
    func old() async throws {
        let calls = try await Self.run { (_, links) async throws in
            let configuration = URLSessionConfiguration.ephemeral
            ModuleURLProtocol.install(links, schemes: ["tandem"], in: configuration)
            defer { ModuleURLProtocol.remove(schemes: ["tandem"]) }
            let statements = OldStatements(URLSession(configuration: configuration))
            #expect(try await statements.bearerToken(username: "ann", password: "b&c") == "bearer of ann")
        }
        #expect(calls == ["Login.login"])
    }
}
