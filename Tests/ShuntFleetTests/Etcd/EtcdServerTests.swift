#if Fleet
import Foundation
import Shunt
import ShuntCore
import ShuntFleet
import Synchronization
import Testing

/// The client against the real etcd.
@Suite("A real etcd", .enabled(if: EtcdProcess.executable != nil, "etcd is not installed"))
struct EtcdServerTests {
    static func failure<Result>(_ work: () async throws(EtcdError) -> Result) async -> EtcdError.Reason? {
        await EtcdClientTests.failure(work)?.reason
    }

    static func put(_ client: EtcdClient, _ key: String, _ text: String) async throws {
        _ = try await client.transact(EtcdTransaction(success: [.put(key, Array(text.utf8))]))
    }

    @Test("Keys, transactions, pages, order, limits")
    func keys() async throws {
        let etcd = try await EtcdProcess.running()
        let client = EtcdClient(EtcdOptions(endpoints: [etcd.url]))
        let none = try await client.range(EtcdRange("/a/x"))
        #expect(none.entries.isEmpty && none.revision == 1)
        func create() async throws -> EtcdTransactionAnswer {
            try await client.transact(
                EtcdTransaction([.absent("/a/x")], success: [.put("/a/x", [1])], failure: [.range(EtcdRange("/a/x"))])
            )
        }
        let made = try await create()
        #expect(made.succeeded)
        let refused = try await create()
        #expect(!refused.succeeded)
        #expect(refused.ranges.first?.entries.first?.revision == made.revision)
        let changed = EtcdTransaction([.unchanged("/a/x", since: made.revision)], success: [.put("/a/x", [2])])
        #expect(try await client.transact(changed).succeeded)
        #expect(try await !client.transact(changed).succeeded)
        let same = EtcdTransaction([.value("/a/x", [2])], success: [.put("/a/w", [0]), .deletePrefix("/b/")])
        #expect(try await client.transact(same).succeeded)
        #expect(try await client.entries("/a/", page: 1).map(\.key) == ["/a/w", "/a/x"])
        #expect(try await client.entries("/a/", page: 1, keysOnly: true).map(\.value) == [[], []])
        var newest = EtcdRange(prefix: "/a/")
        (newest.isNewestFirst, newest.limit) = (true, 1)
        #expect(try await client.range(newest).entries.map(\.key) == ["/a/w"])
        newest.revision = 1000
        let newer = newest
        #expect(await Self.failure { () async throws(EtcdError) in try await client.range(newer) } == .refused)
        // A MiB is a value; what is larger than etcd takes is reported.
        try await Self.put(client, "/big", String(repeating: "x", count: 1 << 20))
        for length in [1_600_000, 2_200_000] {
            let operation = EtcdOperation.put("/big", [UInt8](repeating: 1, count: length))
            let reason = await Self.failure { () async throws(EtcdError) in
                try await client.transact(EtcdTransaction(success: [operation]))
            }
            #expect(reason == .tooLarge)
        }
        let twice = EtcdTransaction(success: [.put("/a", [1]), .put("/a", [2])])
        #expect(await Self.failure { () async throws(EtcdError) in try await client.transact(twice) } == .refused)
    }

    @Test("Leases")
    func leases() async throws {
        let etcd = try await EtcdProcess.running()
        let client = EtcdClient(EtcdOptions(endpoints: [etcd.url]))
        let lease = try await client.grant(seconds: 60)
        _ = try await client.transact(EtcdTransaction(success: [.put("/k", [1], lease: lease)]))
        #expect(try await client.keepAlive(lease))
        try await client.revoke(lease)
        #expect(try await client.range(EtcdRange("/k")).entries.isEmpty)
        #expect(try await !client.keepAlive(lease))
        let reason = await Self.failure { () async throws(EtcdError) in
            try await client.transact(EtcdTransaction(success: [.put("/k", [1], lease: lease)]))
        }
        #expect(reason == .missing)
    }

    @Test("A watch reports puts and deletes, is refused a compacted revision, and ends with its server")
    func watching() async throws {
        let etcd = try await EtcdProcess.running()
        let client = EtcdClient(EtcdOptions(endpoints: [etcd.url]))
        let changes = Mutex<[EtcdChange]>([])
        let watch = Task {
            await EtcdClientTests.failure { () async throws(EtcdError) in
                try await client.watch("/k", from: 1) { line in
                    if case .changes(let some) = line { changes.withLock { $0 += some } }
                }
            }
        }
        try await Self.put(client, "/k", "1")
        try await Self.put(client, "/other", "1")
        _ = try await client.transact(EtcdTransaction(success: [.delete("/k")]))
        try await Self.put(client, "/k", "2")
        try await eventually { changes.withLock { $0.count } == 3 }
        #expect(changes.withLock { $0.map(\.revision) } == [2, 4, 5])
        #expect(changes.withLock { $0.map(\.value) } == [[0x31], nil, [0x32]])
        try etcd.post("/v3/kv/compaction", #"{"revision":"5"}"#)
        let compacted = await EtcdClientTests.failure { () async throws(EtcdError) in
            try await client.watch("/k", from: 2) { _ in }
        }
        #expect(compacted?.reason == .compacted)
        etcd.kill()
        let end = await watch.value
        #expect([.lost, .unreachable].contains(end?.reason), "\(end?.description ?? "")")
        let gone = await EtcdClientTests.failure { () async throws(EtcdError) in
            try await client.range(EtcdRange("/k"))
        }
        #expect(gone?.description == "\(etcd.url): connection refused")
    }

    @Test("With authentication: no user, a wrong password, no right, and tokens that a restart has forgotten")
    func authentication() async throws {
        let etcd = try await EtcdProcess.running()
        func base64(_ text: String) -> String { Base64.encode(Array(text.utf8)) }
        for (path, body) in [
            ("user/add", #"{"name":"root","password":"secret"}"#), ("role/add", #"{"name":"root"}"#),
            ("user/grant", #"{"user":"root","role":"root"}"#), ("user/add", #"{"name":"node","password":"secret"}"#),
            ("role/add", #"{"name":"node"}"#), ("user/grant", #"{"user":"node","role":"node"}"#),
            ("role/grant", #"{"name":"node","perm":{"permType":"READWRITE","key":"\#(base64("/k"))"}}"#),
            ("enable", "{}"),
        ] { try etcd.post("/v3/auth/" + path, body) }
        func client(_ user: String?, _ password: String?) -> EtcdClient {
            var options = EtcdOptions(endpoints: [etcd.url])
            (options.user, options.password) = (user, password)
            return EtcdClient(options)
        }
        for nobody in [client(nil, nil), client("node", "wrong")] {
            #expect(
                await Self.failure { () async throws(EtcdError) in try await nobody.range(EtcdRange("/k")) }
                    == .refused
            )
        }
        let node = client("node", "secret")
        _ = try await node.range(EtcdRange("/k"))
        #expect(await Self.failure { () async throws(EtcdError) in try await node.range(EtcdRange("/l")) } == .denied)
        let denied = await Self.failure { () async throws(EtcdError) in try await node.watch("/l", from: 1) { _ in } }
        #expect(denied == .denied)
        // Its tokens are gone with the process.
        etcd.kill()
        try etcd.start()
        try await eventually {
            await Self.failure { () async throws(EtcdError) in try await node.range(EtcdRange("/k")) } == nil
        }
        etcd.kill()
        try etcd.start()
        try await EtcdProcess.ready(EtcdOptions(endpoints: [etcd.url]))
        // A new password ends the tokens of a user: all who wait for another one get the same. A wrong password is asked about once.
        let answer = try etcd.post("/v3/auth/authenticate", #"{"name":"root","password":"secret"}"#)
        let token = try #require(answer.firstMatch(of: /"token":"([^"]+)"/)).1
        _ = try await node.range(EtcdRange("/k"))
        try etcd.post("/v3/auth/user/changepw", #"{"name":"node","password":"secret"}"#, token: String(token))
        let before = try etcd.authentications()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await node.range(EtcdRange("/k")) } }
            try await group.waitForAll()
        }
        let once = try etcd.authentications()
        #expect(once == before + 1)
        let wrong = client("node", "wrong")
        for _ in 0..<20 {
            _ = await Self.failure { () async throws(EtcdError) in try await wrong.range(EtcdRange("/k")) }
        }
        let twice = try etcd.authentications()
        #expect(twice == once + 1)
        etcd.kill()
        try etcd.start()
        try await EtcdProcess.ready(EtcdOptions(endpoints: [etcd.url]))
        let isBegun = Mutex(false)
        let watch = Task { try await node.watch("/k", from: 1) { _ in isBegun.withLock { $0 = true } } }
        try await eventually { isBegun.withLock { $0 } }
        watch.cancel()
        _ = await watch.result
    }

    @Test(
        "The last of three members reports that it has no majority, and another is asked as soon as it answers"
    )
    func cluster() async throws {
        let members = try ["one", "two", "three"].map { try EtcdProcess($0) }
        for member in members { try member.start(cluster: members) }
        var options = EtcdOptions(endpoints: members.map(\.url))
        options.patience = .seconds(2)
        try await EtcdProcess.ready(options)
        let client = EtcdClient(options)
        try await Self.put(client, "/k", "1")
        for member in members.dropFirst() { member.kill() }
        var third = options
        third.endpoints = [members[0].url]
        let alone = EtcdClient(third)
        var reasons: Set<EtcdError.Reason> = []
        try await eventually {
            let reason = await Self.failure { () async throws(EtcdError) in try await alone.range(EtcdRange("/k")) }
            if let reason { reasons.insert(reason) }
            return reason == .noLeader
        }
        // Nothing is taken for news meanwhile.
        #expect(await Self.failure { () async throws(EtcdError) in try await client.range(EtcdRange("/k")) } != nil)
        let watched = await Self.failure { () async throws(EtcdError) in try await alone.watch("/k", from: 1) { _ in }
        }
        #expect(watched == .noLeader)
        try members[1].start()
        try await eventually {
            await Self.failure { () async throws(EtcdError) in try await client.range(EtcdRange("/k")) } == nil
        }
        let found = try await client.range(EtcdRange("/k"))
        #expect(found.entries.first?.value == [0x31])
    }
}
#endif
