#if Fleet
import Shunt

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
