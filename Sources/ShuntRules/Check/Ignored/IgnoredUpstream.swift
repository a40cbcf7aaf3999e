extension IgnoredDirectives {
    /// Directives about the servers of an `upstream`, which are read with their block.
    static let upstream: [DirectiveGroup] = [
        .init(.upstream, .between(1, 2), "hash keepalive least_time queue", role: .accepted),
        .init(.upstream, .between(1, 2), "zone"),
        .init(.upstream, .exactly(1), "resolver_timeout state"),
        .init(.upstream, .atLeast(1), "resolver"),
        .init(.upstream, .none, "ip_hash least_conn ntlm", role: .accepted),
        .init(.upstream, .exactly(1), "keepalive_time keepalive_timeout keepalive_requests", role: .accepted),
        .init(.upstream, .between(0, 2), "random", role: .accepted),
        .init(.upstream, .atLeast(2), "sticky", role: .accepted),
        .init(.upstream, .atLeast(1), "server", role: .accepted),
    ]
}
