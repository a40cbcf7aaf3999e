import Shunt
import ShuntCore
import ShuntRules
import ShuntTools
import Testing

/// The values that rules read in the gateway's access log, and their reading back.
@Suite struct RequestRecordingTests {
    private static let rules = """
        input $app_version 0;
        server {
            location / {
                if ($http_x_plan = gold) { return 204; }
                if ($cookie_beta = 1) { return 205; }
                if ($app_version = 3) { return 206; }
                if ($remote_user = bob) { return 207; }
            }
        }
        """

    private static func request() -> RuleRequest {
        var request = RuleRequest(target: "/x", host: nil)
        request.headers = [
            RuleRequest.Header("Host", "a.test"), RuleRequest.Header("X-Plan", "gold"),
            RuleRequest.Header("Cookie", "session=secret; beta=1"), RuleRequest.Header("X-Other", "1"),
            RuleRequest.Header("Authorization", "Basic Ym9iOnBhc3M="),
        ]
        request.inputs["app_version"] = "3"
        request.listen = RuleRequest.Endpoint(address: "127.0.0.1", port: 8080)
        return request
    }

    private static func recorded(masking masks: [String] = []) throws -> String {
        let reads = RequestReads([try RuleSet(text: rules)])
        var writer = JSONWriter()
        RequestRecording(masking: masks, key: [1, 2, 3]).write(request(), reads, to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func line(_ reads: String) -> [UInt8] {
        let start = #"{"time":"2026-01-02T03:04:05Z","client":"192.0.2.1","port":4711,"method":"GET","host":"a.test","#
        return Array(
            "\(start)\"target\":\"/x\",\"protocol\":\"HTTP/1.0\",\"status\":204,\"rules\":1,\"reads\":\(reads)}".utf8
        )
    }

    @Test("Only what rules read is written, of cookies those that they name, and never a password")
    func writes() throws {
        let text = try Self.recorded()
        #expect(text.contains(#"["X-Plan","gold"]"#))
        #expect(text.contains(#"["Cookie","beta=1"]"#))
        #expect(text.contains(#""input":{"app_version":"3"},"listen":"127.0.0.1:8080","masked":["authorization"]"#))
        for secret in ["secret", "X-Other", "Host", "Ym9iOnBhc3M="] { #expect(!text.contains(secret)) }
    }

    @Test("A masked value has the same digits each time, and others with another key")
    func masks() throws {
        let text = try Self.recorded(masking: ["x-plan", "BETA", "app_version"])
        #expect(text.contains(#""masked":["app_version","authorization","beta","x-plan"]"#))
        #expect(!text.contains("gold"))
        #expect(!text.contains("beta=1"))
        #expect(text == (try Self.recorded(masking: ["x-plan", "beta", "app_version"])))
        let reads = RequestReads([try RuleSet(text: Self.rules)])
        var writer = JSONWriter()
        RequestRecording(masking: ["x-plan", "beta", "app_version"], key: [9]).write(Self.request(), reads, to: &writer)
        #expect(text != String(decoding: writer.bytes, as: UTF8.self))
    }

    @Test("A line that is read back is decided as the request was")
    func reads() throws {
        let description = try RequestDescription(line: Self.line(Self.recorded()))
        let request = description.request
        #expect(request.remotePort == 4711)
        #expect(request.version == "1.0")
        #expect(request.listen == RuleRequest.Endpoint(address: "127.0.0.1", port: 8080))
        #expect(request.inputs["app_version"] as String? == "3")
        #expect(description.masked == ["authorization"])
        let engine = Engine(try RuleSet(text: Self.rules))
        #expect(engine.decide(request).status == 204)
        var without = request
        without.headers.removeAll { $0.name == "X-Plan" }
        #expect(engine.decide(without).status == 205)
    }

    @Test("A difference reports what no request had, and what was masked")
    func tells() throws {
        let set = try RuleSet(text: Self.rules)
        var difference = RuleDifference(from: set, to: set, asOf: .now())
        difference.compare(try RequestDescription(line: Array("http://a.test/".utf8)))
        #expect(difference.missingVariables.isSuperset(of: ["http_x_plan", "cookie_beta", "app_version"]))
        difference.compare(try RequestDescription(line: Self.line(Self.recorded())))
        #expect(difference.missingVariables.isDisjoint(with: ["http_x_plan", "cookie_beta", "app_version"]))
        #expect(difference.maskedRequests == ["authorization": 1])
    }

    @Test("Directives that read a variable are found by either spelling, and not by longer names")
    func findsUses() {
        let archive = RuleArchive([
            "a.conf": """
            input $plan none;
            map ${plan} $is_gold { gold 1; }
            map $plans $other { default 1; }
            server { location / { if ($PLAN = x) { return 204; } } }
            """
        ])
        let found = VariableUse.rules(reading: "plan", in: archive).map { "\($0.location.line) \($0.text)" }
        #expect(found == ["2 map ${plan} $is_gold", "4 if ($PLAN = x)"])
    }
}
