#if Fleet
import NIOHTTP1
import Shunt
import ShuntCore
import ShuntFleet
import Testing

/// The answers of etcd 3.4.23 as they were recorded, whole and torn.
@Suite("The client of etcd")
struct EtcdClientTests {
    static let header =
        #""header":{"cluster_id":"324952591200643719","member_id":"3319814642761637952","revision":"8","raft_term":"2"}"#
    static let key = Base64.encode(Array("/r".utf8))

    static func client(_ urls: [String], patience: Duration = .seconds(60), user: String? = nil) -> EtcdClient {
        var options = EtcdOptions(endpoints: urls)
        options.patience = patience
        (options.user, options.password) = (user, user)
        return EtcdClient(options)
    }

    static func failure<Result>(_ work: () async throws(EtcdError) -> Result) async -> EtcdError? {
        do throws(EtcdError) { _ = try await work() } catch { return error }
        return nil
    }

    /// The lines of a watch until it is over.
    static func lines(_ client: EtcdClient) async -> (lines: [EtcdWatchLine], end: EtcdError?) {
        var lines: [EtcdWatchLine] = []
        let end = await failure { () async throws(EtcdError) in
            try await client.watch("/r", from: 2) { lines.append($0) }
        }
        return (lines, end)
    }

    @Test("Ranges and transactions, with all that etcd leaves out", arguments: [false, true])
    func answers(isTorn: Bool) async throws {
        let value = #"{"key":"\#(Self.key)","create_revision":"2","mod_revision":"3","version":"2","value":"aGVsbG8y"}"#
        let answers = [
            #"{\#(Self.header),"kvs":[\#(value)],"count":"1"}"#,
            #"{\#(Self.header)}"#,
            #"{\#(Self.header),"kvs":[{"key":"\#(Self.key)"}],"more":true,"count":"3"}"#,
            #"{\#(Self.header),"succeeded":true,"responses":[{"response_put":{"header":{"revision":"8"}}},{"response_put":{}}]}"#,
            #"{\#(Self.header),"responses":[{"response_range":{"header":{"revision":"8"},"kvs":[\#(value)],"count":"1"}}]}"#,
        ]
        try await ScriptedGateway.with(torn: isTorn, ScriptedGateway.Script { number, _ in .json(answers[number]) }) {
            server in
            let client = Self.client([server.url])
            var range = EtcdRange("/r")
            let found = try await client.range(range)
            #expect(found.revision == 8)
            #expect(found.entries.map(\.key) == ["/r"])
            #expect(found.entries.map(\.value) == [Array("hello2".utf8)])
            #expect(found.entries.map(\.revision) == [3])
            let none = try await client.range(range)
            #expect(none.entries.isEmpty && !none.hasMore && none.revision == 8)
            range = EtcdRange(prefix: "/r/x/")
            (range.limit, range.keysOnly) = (1, true)
            #expect(try await client.range(range).hasMore)
            let transaction = EtcdTransaction(
                [.unchanged("/r", since: 3)],
                success: [.put("/r", [1]), .put("/h", [2], lease: 7)],
                failure: [.range(EtcdRange("/r"))]
            )
            #expect(try await client.transact(transaction).succeeded)
            let refused = try await client.transact(transaction)
            #expect(!refused.succeeded)
            #expect(refused.ranges.first?.entries.first?.revision == 3)
            let bodies = server.requests.map(\.body)
            #expect(bodies[0] == #"{"key":"\#(Self.key)"}"#)
            #expect(bodies[2] == #"{"key":"L3IveC8=","range_end":"L3IveDA=","limit":"1","keys_only":true}"#)
            #expect(
                bodies[3] == #"{"compare":[{"result":"EQUAL","key":"\#(Self.key)","target":"MOD","mod_revision":"3"}],"#
                    + #""success":[{"request_put":{"key":"\#(Self.key)","value":"AQ=="}},"#
                    + #"{"request_put":{"key":"L2g=","value":"Ag==","lease":"7"}}],"#
                    + #""failure":[{"request_range":{"key":"\#(Self.key)"}}]}"#
            )
            for request in server.requests {
                #expect(request.headers.first(name: "Content-Length") == String(request.body.utf8.count))
                #expect(request.headers.first(name: "Grpc-Metadata-hasleader") == "true")
            }
        }
    }

    @Test("Every comparison names what it compares")
    func comparisons() async throws {
        try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in .json("{}") }) { server in
            let comparisons: [EtcdCompare] = [.unchanged("/r", since: 3), .absent("/r"), .value("/r", [1])]
            _ = try await Self.client([server.url]).transact(EtcdTransaction(comparisons, success: []))
            let body = try #require(server.requests.first?.body)
            for target in ["MOD", "CREATE", "VALUE"] { #expect(body.contains(#""target":"\#(target)""#)) }
            #expect(body.split(separator: #""target""#).count == 4)
        }
    }

    @Test("The end of a prefix is the first key after it")
    func prefixes() {
        for (prefix, end) in [([0x2f], [0x30]), ([0x61, 0xff], [0x62]), ([0xff, 0xff], [0])] as [([UInt8], [UInt8])] {
            #expect(EtcdRange.end(of: prefix) == end)
        }
    }

    static let failures: [(Int, String, EtcdError.Reason)] = [
        (400, #"{"error":"etcdserver: mvcc: required revision is a future revision","code":11}"#, .refused),
        (400, #"{"error":"etcdserver: mvcc: required revision has been compacted","code":11}"#, .compacted),
        (400, #"{"error":"etcdserver: duplicate key given in txn request","code":3}"#, .refused),
        (
            400, #"{"error":"etcdserver: request is too large","message":"etcdserver: request is too large","code":3}"#,
            .tooLarge
        ),
        (429, #"{"error":"grpc: received message larger than max","code":8}"#, .tooLarge),
        (503, #"{"error":"etcdserver: request timed out","code":14}"#, .unavailable),
        (503, #"{"error":"etcdserver: no leader","code":14}"#, .noLeader),
        (503, #"{"message":"etcdserver: no leader","code":14,"details":[]}"#, .noLeader),
        (500, #"{"error":"etcdserver: mvcc: database space exceeded","code":8}"#, .full),
        (404, #"{"error":"etcdserver: requested lease not found","code":5}"#, .missing),
        (400, #"{"error":"etcdserver: user name is empty","code":3}"#, .refused),
        (401, #"{"error":"etcdserver: invalid auth token","code":16}"#, .unauthenticated),
        (403, #"{"error":"etcdserver: permission denied","code":7}"#, .denied),
        (
            400, "CommonName of client sending a request against gateway will be ignored and not used as expected",
            .refused
        ),
        (421, "Misdirected Request", .refused),
        (404, "404 page not found", .refused),
        (502, "<html>", .unavailable),
        (200, "no JSON", .malformed),
        (200, "[]", .malformed),
        (200, #"{"kvs":{}}"#, .malformed),
        (200, #"{"kvs":[{"key":"*"}]}"#, .malformed),
        (200, #"{"header":{"revision":"many"}}"#, .malformed),
    ]

    @Test("An error is reported by its code, else by its status", arguments: [false, true])
    func failures(isTorn: Bool) async throws {
        let failures = Self.failures
        try await ScriptedGateway.with(
            torn: isTorn,
            ScriptedGateway.Script { number, _ in .json(failures[number].1, status: failures[number].0) }
        ) { server in
            let client = Self.client([server.url])
            for (status, body, reason) in failures {
                let failure = await Self.failure { () async throws(EtcdError) in
                    try await client.range(EtcdRange("/r"))
                }
                #expect(failure?.reason == reason, "\(status) \(body): \(failure?.description ?? "")")
                #expect(failure?.description.hasPrefix(server.url) == true)
            }
        }
    }

    @Test("A certificate with a common name and a host that is not on the list are reported with what to do")
    func advice() {
        let name = "CommonName of client sending a request against gateway will be ignored and not used as expected"
        let failure = EtcdError(status: 400, body: Array(name.utf8), at: "https://a")
        #expect(failure.description.contains("has no common name: make one without"))
        #expect(EtcdError(status: 421, body: [], at: "http://a").description.contains("--host-whitelist"))
    }

    @Test("Every line of a watch", arguments: [false, true])
    func watchLines(isTorn: Bool) async throws {
        let entry = #"{"key":"\#(Self.key)","mod_revision":"12","value":"aGVsbG8y"}"#
        let lines = [
            #"{"result":{\#(Self.header),"created":true}}"#,
            #"{"result":{\#(Self.header),"events":[{"kv":\#(entry)},{"kv":\#(entry),"prev_kv":{"key":"AA=="}}]}}"#,
            #"{"result":{\#(Self.header),"events":[{"type":"DELETE","kv":{"key":"\#(Self.key)","mod_revision":"13"}}]}}"#,
            #"{"result":{\#(Self.header)}}"#,
        ]
        let ends: [(String, EtcdError.Reason)] = [
            (#"{"result":{"header":{},"canceled":true,"compact_revision":"14"}}"#, .compacted),
            (
                #"{"result":{"watch_id":"-1","created":true,"canceled":true,"cancel_reason":"rpc error: code = PermissionDenied desc = etcdserver: permission denied"}}"#,
                .denied
            ),
            (
                #"{"error":{"grpc_code":14,"http_code":503,"message":"transport is closing","http_status":"Service Unavailable"}}"#,
                .unavailable
            ),
            (
                #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader","http_status":"Service Unavailable"}}"#,
                .noLeader
            ),
            ("garbage", .malformed),
            ("", .lost),
        ]
        let put = EtcdChange(key: "/r", value: Array("hello2".utf8), revision: 12)
        for (end, reason) in ends {
            let answer = ScriptedGateway.Answer.stream(lines + (end.isEmpty ? [] : [end]), staysOpen: !end.isEmpty)
            try await ScriptedGateway.with(torn: isTorn, ScriptedGateway.Script { _, _ in answer }) { server in
                let told = await Self.lines(Self.client([server.url]))
                #expect(
                    told.lines == [
                        .created, .changes([put, put]), .changes([EtcdChange(key: "/r", value: nil, revision: 13)]),
                        .progress,
                    ]
                )
                #expect(told.end?.reason == reason, "\(end)")
                // Though etcd leaves it open, this side closes it.
                if !end.isEmpty { try await eventually { server.openConnections == 0 } }
                #expect(
                    server.requests.first?.body == #"{"create_request":{"key":"\#(Self.key)","start_revision":"2"}}"#
                )
            }
        }
    }

    @Test("Lines are the same wherever they are torn, and none is longer than the limit")
    func torn() throws {
        let text = Array("{\"a\":1}\n\n{\"b\":2}\n{\"c\"".utf8)
        for cut in 0...text.count {
            var lines = EtcdLines(limit: 7)
            let found = try lines.take(text[..<cut]) + lines.take(text[cut...])
            #expect(found.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\":1}", "{\"b\":2}"])
        }
        var lines = EtcdLines(limit: 6)
        #expect(throws: EtcdError.self) { try lines.take(Array("{\"a\":1}\n".utf8)) }
        lines = EtcdLines(limit: 6)
        #expect(throws: EtcdError.self) { try lines.take(Array("{\"a\":1".utf8)) + lines.take(Array("}".utf8)) }
    }

    static let floods: [[UInt8]] = [
        [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10),
        Array(#"{"result":{}}"#.utf8) + [0x0a],
    ]

    @Test("A line without end and lines without events end the watch", arguments: floods)
    func flood(bytes: [UInt8]) async throws {
        let answer = ScriptedGateway.Answer(flood: bytes)
        try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in answer }) { server in
            let told = await Self.lines(Self.client([server.url]))
            #expect(told.end?.reason == .malformed)
            #expect(told.lines.count <= 1000)
            #expect(server.sent < 16 << 20)
        }
    }

    @Test("An answer that is too long, one that does not come, and one that never ends are failures in time")
    func bounds() async throws {
        let answers: [ScriptedGateway.Answer] = [
            .json(#"{"kvs":[{"value":"\#(String(repeating: "A", count: 4000))"}]}"#), .init(isSilent: true),
            .stream(["{"], staysOpen: true),
        ]
        try await ScriptedGateway.with(ScriptedGateway.Script { number, _ in answers[number] }) { server in
            let client = Self.client([server.url], patience: .milliseconds(300))
            for reason in [EtcdError.Reason.malformed, .late, .late] {
                let failure = await Self.failure { () async throws(EtcdError) in
                    try await client.range(EtcdRange("/r"), limit: 1000)
                }
                #expect(failure?.reason == reason)
            }
        }
        try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in .init(isSilent: true) }) { server in
            let told = await Self.lines(Self.client([server.url], patience: .milliseconds(300)))
            #expect(told.end?.reason == .late)
        }
    }

    @Test("A lease that has expired is kept alive with a success and without a time")
    func leases() async throws {
        let answers = [
            #"{\#(Self.header),"ID":"2324035543755968803","TTL":"60"}"#,
            #"{"result":{\#(Self.header),"ID":"2324035543755968803","TTL":"60"}}"#,
            #"{"result":{\#(Self.header),"ID":"2324035543755968803"}}"#,
            #"{"result":{\#(Self.header),"ID":"2324035543755968803","TTL":"0"}}"#,
            #"{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader"}}"#,
        ]
        try await ScriptedGateway.with(ScriptedGateway.Script { number, _ in .json(answers[number]) }) { server in
            let client = Self.client([server.url])
            let lease = try await client.grant(seconds: 60)
            #expect(lease == 2_324_035_543_755_968_803)
            for isAlive in [true, false, false] { #expect(try await client.keepAlive(lease) == isAlive) }
            let failure = await Self.failure { () async throws(EtcdError) in try await client.keepAlive(lease) }
            #expect(failure?.reason == .noLeader)
        }
    }

    @Test("The next member is asked where one fails, and the one without a majority last for a minute")
    func members() async throws {
        try await ScriptedGateway.with(
            ScriptedGateway.Script { _, _ in .json(#"{"error":"etcdserver: no leader","code":14}"#, status: 503) }
        ) { alone in
            try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in .json("{}") }) { whole in
                let client = Self.client([alone.url, "http://127.0.0.1:1", whole.url])
                for _ in 0..<3 { _ = try await client.range(EtcdRange("/r")) }
                #expect(alone.requests.count == 1)
                #expect(whole.requests.count == 3)
            }
        }
        var members = EtcdEndpoints(["a", "b", "c"])
        members.failed(0, .noLeader, at: .zero)
        #expect(members.order(at: .seconds(59)) == [1, 2, 0])
        members.failed(1, .unreachable, at: .seconds(59))
        #expect(members.order(at: .seconds(59)) == [2, 1, 0])
        #expect(members.order(at: .seconds(60)) == [2, 0, 1])
        members.succeeded(1)
        #expect(members.order(at: .seconds(60)) == [1, 2, 0])
    }

    @Test("A transaction that may have been done is not done again; one that cannot have been is")
    func transactions() async throws {
        try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in .init(isSilent: true) }) { silent in
            try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in .json("{}") }) { other in
                let client = Self.client([silent.url, other.url], patience: .milliseconds(300))
                let failure = await Self.failure { () async throws(EtcdError) in
                    try await client.transact(EtcdTransaction(success: []))
                }
                #expect(failure?.mayBeDone == true)
                #expect(other.requests.isEmpty)
                let unreachable = Self.client(["http://127.0.0.1:1", other.url])
                _ = try await unreachable.transact(EtcdTransaction(success: []))
                #expect(other.requests.count == 1)
            }
        }
    }

    @Test("A lost token leads to one authentication for all who wait, a wrong password to one a minute")
    func authentication() async throws {
        let lost = #"{"error":"etcdserver: invalid auth token","code":16}"#
        try await ScriptedGateway.with(
            ScriptedGateway.Script { number, request in
                if request.path.hasSuffix("authenticate") { return .json(#"{"token":"t\#(number)"}"#) }
                // The first token is lost at once.
                return request.headers.first(name: "Authorization") == "t0" ? .json(lost, status: 401) : .json("{}")
            }
        ) { server in
            let client = Self.client([server.url], user: "alice")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { _ = try await client.range(EtcdRange("/r")) } }
                try await group.waitForAll()
            }
            #expect(server.requests.filter { $0.path.hasSuffix("authenticate") }.count == 2)
            #expect(server.requests.first?.body == #"{"name":"alice","password":"alice"}"#)
        }
        let wrong = #"{"error":"etcdserver: authentication failed, invalid user ID or password","code":3}"#
        try await ScriptedGateway.with(ScriptedGateway.Script { _, _ in .json(wrong, status: 400) }) { server in
            let client = Self.client([server.url], user: "alice")
            for _ in 0..<5 {
                let failure = await Self.failure { () async throws(EtcdError) in
                    try await client.range(EtcdRange("/r"))
                }
                #expect(failure?.reason == .refused)
            }
            #expect(server.requests.count == 1)
        }
    }
}
#endif
