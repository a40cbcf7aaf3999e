#if compiler(>=6.3)
import CShunt
import Foundation
import SeededRandom
import Shunt
import ShuntC
import TestFolder
import TestSettings
import Testing

@Suite("Random calls through C")
struct RandomCallTests {
    private static let texts = [
        "server { listen 80; server_name a.test; location /old { return 301 /new$request_uri; } }",
        "block host b.test;\nserver { listen 80; rewrite ^/x/(.*)$ /y/$1 permanent; if ($http_a ~ (.+)) { return 200 $1; } }",
        "input $v 1;\nroute /a/:b c;\nserver { listen 80; location / { add_header X $v; return 200 $v$args; } }",
        "server { listen 80; proxy_set_header A $http_a; location / { proxy_pass http://10.0.0.1/b/; } }",
    ]
    private static let bytes = Array("/ab?=&%2.:@xy01 \u{0}\r\nhttp".utf8) + [0xFF, 0xC3]

    /// A request in both forms.
    private struct Request {
        var request: RuleRequest
        var headers: [(String, String)] = []
        var inputs: [(String, String)] = []
        var url: [UInt8]
        var host: [UInt8]?

        init(_ random: inout SeededGenerator) {
            let length = random.below(30)
            let tail = random.bytes(RandomCallTests.bytes, length)
            host = random.chance(50) ? Array(random.pick(["a.test", "b.test", "", "a:b", "::"]).utf8) : nil
            url =
                host == nil
                ? Array(random.pick(["http://a.test", "https://b.test/", "app://x/", ""]).utf8) + tail : [47] + tail
            request = host == nil ? RuleRequest(url: url) : RuleRequest(target: url, host: host)
            if random.chance(30) { headers = [("A", String(repeating: "é", count: random.below(9)))] }
            if random.chance(30) { inputs = [(random.pick(["v", "w"]), "\(random.below(99))")] }
            request.headers = headers.map { RuleRequest.Header($0.0, $0.1) }
            request.inputs = RequestInputs(Dictionary(uniqueKeysWithValues: inputs))
            request.time = Timestamp(seconds: 1_700_000_000)
        }

        func ask(_ decide: (UnsafePointer<shunt_request>) -> Void) {
            withFields(headers) { headers in
                withFields(inputs) { inputs in
                    url.withUnsafeBytes { url in
                        (host ?? [])
                            .withUnsafeBytes { host in
                                var request = shunt_request()
                                request.size = MemoryLayout<shunt_request>.size
                                request.url = Self.text(url)
                                if self.host != nil {
                                    request.host = Self.text(host)
                                    // An empty array has no address, and an empty Host is one all the same.
                                    if host.isEmpty { request.host.bytes = request.url.bytes }
                                }
                                (request.headers, request.header_count) = (headers, self.headers.count)
                                (request.inputs, request.input_count) = (inputs, self.inputs.count)
                                (request.http_version, request.seconds) = (1, 1_700_000_000)
                                decide(&request)
                            }
                    }
                }
            }
        }

        private static func text(_ bytes: UnsafeRawBufferPointer) -> shunt_text {
            shunt_text(bytes: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length: bytes.count)
        }
    }

    @Test("A decision through C is the engine's, from several threads")
    func differential() async throws {
        let calls = TestSettings.interfaceCalls
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(thread))
                    for text in Self.texts {
                        guard let caller = try? Caller(text), let ruleSet = try? RuleSet(text: text, named: "a.conf")
                        else {
                            Issue.record("\(text)")
                            return
                        }
                        let engine = Engine(ruleSet)
                        for _ in 0..<calls / 16 {
                            let request = Request(&random)
                            let expected = engine.decide(request.request)
                            var buffer = [UInt8](repeating: 0, count: random.pick([0, 40, 4096]))
                            request.ask { pointer in
                                var decision = shunt_decision()
                                decision.size = MemoryLayout<shunt_decision>.size
                                var status = shunt_decide(caller.rules, pointer, &buffer, buffer.count, &decision)
                                if status == SHUNT_TOO_SMALL {
                                    buffer = [UInt8](repeating: 0, count: decision.needed)
                                    status = shunt_decide(caller.rules, pointer, &buffer, buffer.count, &decision)
                                }
                                let url = decision.url.bytes.map {
                                    Array(UnsafeRawBufferPointer(start: $0, count: decision.url.length))
                                }
                                let isSame =
                                    status == SHUNT_OK && Int(decision.status) == expected.status ?? 0
                                    && url == expected.urlBytes
                                    && (decision.line == 0) == (expected.rule == nil)
                                if !isSame { Issue.record("\(request.url) \(expected)") }
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("Stores reload, are asked and closed from several threads")
    func stores() async throws { try await onThread(Self.stores) }

    private static func stores() throws {
        let folder = try TestFolder(["a.conf": Self.texts[0]])
        var opened: OpaquePointer?
        try #require(shunt_store_open(folder.path, nil, nil, nil, &opened, nil) == SHUNT_OK)
        let address = UInt(bitPattern: opened)
        let threads = DispatchGroup()
        func start(_ body: @escaping @Sendable (OpaquePointer?) -> Void) {
            threads.enter()
            Thread.detachNewThread {
                body(OpaquePointer(bitPattern: address))
                threads.leave()
            }
        }
        let calls = TestSettings.interfaceCalls
        for thread in 0..<4 {
            start { store in
                var random = SeededGenerator(seed: UInt64(thread + 100))
                for _ in 0..<calls / 8 {
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    Request(&random)
                        .ask { pointer in
                            var decision = shunt_decision()
                            decision.size = MemoryLayout<shunt_decision>.size
                            let status = shunt_store_decide(store, pointer, &buffer, buffer.count, &decision)
                            if status != SHUNT_OK { Issue.record("\(status)") }
                        }
                    if random.chance(1) { shunt_rules_release(shunt_store_rules(store)) }
                }
            }
        }
        start { store in
            for index in 0..<20 {
                try? folder.replace("a.conf", Self.texts[index % Self.texts.count])
                _ = shunt_store_reload(store, nil)
            }
        }
        threads.wait()
        #expect(shunt_store_generation(opened) > 5)
        shunt_store_close(opened)
    }
}
#endif
