#if Fleet
import NIOCore
package import Shunt
import Synchronization

/// Asks an etcd over its JSON gateway, by HTTP/1.1.
///
/// Every call has a deadline and every answer a limit. Where a member fails, the next one is asked; a transaction only where
/// it cannot have been done. Requests are built by code alone, for etcd passes over what it does not know.
///
/// Thread safe.
package final class EtcdClient: Sendable {
    /// The most bytes of an answer, unless a call has another limit.
    package static let longestAnswer = 48 << 20
    /// The most bytes of an answer with one pointer.
    static let longestPointer = 256 << 10
    /// The most lines of a watch one after the other that report no change.
    private static let mostIdleLines = 1000

    private let connection: EtcdConnection
    private let clock: any StoreClock
    private let endpoints: Mutex<EtcdEndpoints>
    private let login: Mutex<EtcdLogin?> = Mutex(nil)

    /// Makes a client; nothing is asked yet.
    package init(_ options: EtcdOptions, clock: any StoreClock = SystemStoreClock(), first: Int = 0) {
        connection = EtcdConnection(options, clock: clock)
        self.clock = clock
        endpoints = Mutex(EtcdEndpoints(options.endpoints, first: first))
        guard let user = options.user, let password = options.password else { return }
        let made = EtcdLogin(clock: clock) { [weak self] () throws(EtcdError) in
            guard let self else { throw EtcdError(.lost, "the client is gone") }
            let body: JSONObject = ["name": user, "password": password]
            return try await self.ask("/v3/auth/authenticate", body, isPublic: true).text("token")
        }
        login.withLock { $0 = made }
    }

    // MARK: Keys

    package func range(_ range: EtcdRange, limit: Int = longestAnswer) async throws(EtcdError) -> EtcdRangeAnswer {
        try EtcdRangeAnswer(try await ask("/v3/kv/range", range.object, limit: limit))
    }

    /// Reads all keys with a prefix as they are at one moment, so many at once.
    package func entries(_ prefix: String, page: Int, keysOnly: Bool = false) async throws(EtcdError) -> [EtcdEntry] {
        var range = EtcdRange(prefix: prefix)
        range.keysOnly = keysOnly
        return try await all(range, page: page).entries
    }

    /// Reads all keys of a range as they are at one moment, so many at once, with the revision of the moment.
    func all(_ range: EtcdRange, page: Int) async throws(EtcdError) -> EtcdRangeAnswer {
        var range = range
        range.limit = page
        var all = try await self.range(range)
        if range.revision == 0 { range.revision = all.revision }
        all.revision = range.revision
        while all.hasMore, let last = all.entries.last {
            range.key = Array(last.key.utf8) + [0]
            let more = try await self.range(range)
            all.entries += more.entries
            all.hasMore = more.hasMore && !more.entries.isEmpty
        }
        return all
    }

    /// Does a transaction; the `mayBeDone` of a failure is true if it may have been done all the same.
    package func transact(_ transaction: EtcdTransaction) async throws(EtcdError) -> EtcdTransactionAnswer {
        try EtcdTransactionAnswer(try await ask("/v3/kv/txn", transaction.object, isRepeatable: false))
    }

    /// Watches a key from a revision on, until the task is cancelled; it never ends without an error.
    ///
    /// The next line is read when `take` returns.
    package func watch(
        _ key: String,
        from revision: Int64,
        _ take: (EtcdWatchLine) async -> Void
    ) async throws(EtcdError) {
        let range: JSONObject = ["key": Base64.encode(Array(key.utf8)), "start_revision": String(revision)]
        let body = (["create_request": range] as JSONObject).bytes
        // Lines that were reported cannot be reported again by another member: the follower knows where to continue.
        var isBegun = false
        try await withMember { endpoint, token throws(EtcdError) in
            if isBegun { throw EtcdError(.lost, "\(endpoint): the watch has ended") }
            var lines = EtcdLines()
            var idle = 0
            let asked = EtcdConnection.Question(endpoint: endpoint, path: "/v3/watch", body: body, token: token)
            try await connection.stream(asked) { part throws(EtcdError) in
                for text in try lines.take(part.readableBytesView) {
                    let line = try EtcdWatchLine(text, at: endpoint)
                    if case .over(let failure) = line { throw failure }
                    if case .changes = line { idle = 0 } else { idle += 1 }
                    guard idle <= Self.mostIdleLines else {
                        throw EtcdError(.malformed, "\(endpoint): \(idle) lines of a watch without a change")
                    }
                    isBegun = true
                    await take(line)
                }
            }
        }
    }

    // MARK: Leases

    /// Makes a lease, and returns its number.
    package func grant(seconds: Int) async throws(EtcdError) -> Int64 {
        let answer = try await ask("/v3/lease/grant", ["TTL": String(seconds)])
        let lease = try answer.integer("ID")
        guard lease != 0 else { throw EtcdError(.malformed, "a lease has no number") }
        return lease
    }

    /// Keeps a lease alive; returns whether it still is, since etcd answers with a success where it is not.
    package func keepAlive(_ lease: Int64) async throws(EtcdError) -> Bool {
        // The answer is a stream of one line.
        let answer = try await ask("/v3/lease/keepalive", ["ID": String(lease)])
        return try answer.object("result")?.integer("TTL") ?? 0 > 0
    }

    /// Ends a lease, and removes the keys that it holds.
    package func revoke(_ lease: Int64) async throws(EtcdError) {
        _ = try await ask("/v3/lease/revoke", ["ID": String(lease)])
    }

    // MARK: Asking

    private func ask(
        _ path: String,
        _ question: JSONObject,
        limit: Int = longestAnswer,
        isRepeatable: Bool = true,
        isPublic: Bool = false
    ) async throws(EtcdError) -> EtcdFields {
        let body = question.bytes
        var answer: EtcdFields?
        try await withMember(isRepeatable: isRepeatable, isPublic: isPublic) { endpoint, token throws(EtcdError) in
            let asked = EtcdConnection.Question(endpoint: endpoint, path: path, body: body, token: token)
            let bytes = try await connection.send(asked, limit: limit)
            let fields = try EtcdFields(bytes, at: endpoint)
            // A stream has its errors after a status of success.
            if try fields.object("error") != nil { throw EtcdError(fields, status: nil, at: endpoint) }
            answer = fields
        }
        guard let answer else { throw EtcdError(.lost, "no endpoint was tried") }
        return answer
    }

    /// Does something with one member after the other, until one has done it.
    private func withMember(
        isRepeatable: Bool = true,
        isPublic: Bool = false,
        _ work: (String, String?) async throws(EtcdError) -> Void
    ) async throws(EtcdError) {
        var failures: [EtcdError] = []
        let (order, urls) = endpoints.withLock { ($0.order(at: clock.now), $0.urls) }
        for index in order {
            do {
                try await authenticated(urls[index], isPublic: isPublic, work)
                endpoints.withLock { $0.succeeded(index) }
                return
            } catch {
                failures.append(error)
                guard error.concernsEndpoint else { break }
                endpoints.withLock { $0.failed(index, error.reason, at: clock.now) }
                if Task.isCancelled || (error.mayBeDone && !isRepeatable) { break }
            }
        }
        guard let last = failures.last else { throw EtcdError(.unreachable, "there is no endpoint") }
        let reason = failures.first { $0.mayBeDone }?.reason ?? last.reason
        let text = failures.map(\.description).joined(separator: "; ")
        throw EtcdError(last.concernsEndpoint ? reason : last.reason, text)
    }

    private func authenticated(
        _ endpoint: String,
        isPublic: Bool,
        _ work: (String, String?) async throws(EtcdError) -> Void
    ) async throws(EtcdError) {
        guard !isPublic, let login = login.withLock({ $0 }) else { return try await work(endpoint, nil) }
        let token = try await login.token(after: nil)
        do {
            try await work(endpoint, token)
        } catch {
            guard error.reason == .unauthenticated else { throw error }
            try await work(endpoint, try await login.token(after: token))
        }
    }
}

/// The members of a cluster, and the next one to try.
package struct EtcdEndpoints: Sendable {
    /// The URLs, without a slash at the end.
    package let urls: [String]
    private var current = 0
    private var leaderless: [Int: Duration] = [:]

    /// The time during which an endpoint without a majority is tried last.
    package static let penalty = Duration.seconds(60)

    /// Begins at the member `first`, so that not all nodes begin at the same one.
    package init(_ urls: [String], first: Int = 0) {
        self.urls = urls
        if !urls.isEmpty { current = first % urls.count }
    }

    /// The members in the order in which they are tried.
    package func order(at now: Duration) -> [Int] {
        let round = urls.indices.map { (current + $0) % urls.count }
        func isLast(_ index: Int) -> Bool { leaderless[index].map { now < $0 + Self.penalty } ?? false }
        return round.filter { !isLast($0) } + round.filter(isLast)
    }

    /// One has answered.
    package mutating func succeeded(_ index: Int) {
        current = index
        leaderless[index] = nil
    }

    /// One has failed; the next time another one comes first.
    package mutating func failed(_ index: Int, _ reason: EtcdError.Reason, at now: Duration) {
        if current == index { current = (index + 1) % urls.count }
        if reason == .noLeader { leaderless[index] = now }
    }
}

/// The token of a user: fetched once for all who wait for it, since each costs etcd 66 ms of a processor.
actor EtcdLogin {
    /// The time during which a wrong password is not tried again.
    static let pause = Duration.seconds(60)

    private let clock: any StoreClock
    private let fetch: @Sendable () async throws(EtcdError) -> String
    private var token: String?
    private var fetching: Task<Result<String, EtcdError>, Never>?
    private var refusal: (failure: EtcdError, until: Duration)?

    init(clock: any StoreClock, fetch: @escaping @Sendable () async throws(EtcdError) -> String) {
        self.clock = clock
        self.fetch = fetch
    }

    /// The token; a new one where the present one was refused.
    func token(after refused: String?) async throws(EtcdError) -> String {
        if let token, token != refused { return token }
        if let fetching { return try await fetching.value.get() }
        if let refusal, clock.now < refusal.until { throw refusal.failure }
        let task = Task { [fetch] () -> Result<String, EtcdError> in
            do throws(EtcdError) { return .success(try await fetch()) } catch { return .failure(error) }
        }
        fetching = task
        let result = await task.value
        fetching = nil
        switch result {
        case .success(let new):
            token = new
            refusal = nil
        case .failure(let failure):
            if failure.needsAttention { refusal = (failure, clock.now + Self.pause) }
        }
        return try result.get()
    }
}
#endif
