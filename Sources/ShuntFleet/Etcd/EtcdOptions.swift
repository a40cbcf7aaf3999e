#if Fleet
/// The place where an etcd is, and as whom it is asked.
public struct EtcdOptions: Sendable, Hashable {
    /// The URLs of the members, such as `https://10.0.0.1:2379`; one after the other is asked where one fails.
    public var endpoints: [String]
    /// A PEM file with the authorities that the members' certificates are of; nil for those of the system.
    public var authorities: String?
    /// A PEM file with the certificate that this side shows, which must have no common name where etcd has users.
    ///
    /// The files are read again for each new connection.
    public var certificate: String?
    /// A PEM file with the key of the certificate.
    public var key: String?
    /// The user; nil where etcd has none.
    public var user: String?
    /// The user's password.
    public var password: String?
    /// The longest time of one member for one answer.
    public var patience: Duration = .seconds(5)
    /// The interval between two reads of the pointer that accompany the watch, plus or minus a sixth.
    public var interval: Duration = .seconds(30)

    /// Makes options.
    public init(endpoints: [String]) { self.endpoints = endpoints }

    /// The reason why they cannot be used; nil where they can.
    var problem: String? {
        guard !endpoints.isEmpty else { return "an etcd has at least one endpoint" }
        for endpoint in endpoints {
            let parts = endpoint.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 3, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty, !parts[2].isEmpty,
                !endpoint.contains(where: { "?#@ ".contains($0) })
            else { return "\(endpoint): an endpoint of etcd is http://HOST:PORT or https://HOST:PORT" }
        }
        if (certificate == nil) != (key == nil) { return "a certificate needs its key, and a key its certificate" }
        if (user == nil) != (password == nil) { return "a user needs a password, and a password its user" }
        return nil
    }
}
#endif
