extension IgnoredDirectives {
    /// Directives about the servers of an `upstream`, of which only the name matters here.
    static let upstream: [IgnoredGroup] = [
        IgnoredGroup(.upstream, .between(1, 2), "hash keepalive least_time zone queue", role: .accepted),
        IgnoredGroup(.upstream, .none, "ip_hash least_conn ntlm", role: .accepted),
        IgnoredGroup(
            .upstream,
            .exactly(1),
            "keepalive_time keepalive_timeout keepalive_requests resolver_timeout state",
            role: .accepted
        ),
        IgnoredGroup(.upstream, .between(0, 2), "random", role: .accepted),
        IgnoredGroup(.upstream, .atLeast(2), "sticky", role: .accepted),
        IgnoredGroup(.upstream, .atLeast(1), "server resolver", role: .accepted),
    ]
}
