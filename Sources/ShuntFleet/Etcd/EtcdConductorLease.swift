#if Fleet
struct EtcdConductorLease: ConductorLease {
    /// The time in seconds that it is kept without news of its owner.
    static let seconds = 15

    let client: EtcdClient
    let lease: Int64

    /// Takes it; nil where someone else has it.
    init?(_ owner: String, key: String, _ client: EtcdClient) async throws(EtcdError) {
        let lease = try await client.grant(seconds: Self.seconds)
        let taking = EtcdOperation.put(key, Array(owner.utf8), lease: lease)
        let answer = try await client.transact(EtcdTransaction([.absent(key)], success: [taking]))
        self.client = client
        self.lease = lease
        guard answer.succeeded else {
            await end()
            return nil
        }
    }

    func renew() async throws -> Bool { try await client.keepAlive(lease) }

    func end() async { try? await client.revoke(lease) }
}
#endif
