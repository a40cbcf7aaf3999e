extension IgnoredDirectives {
    /// Directives about the servers of an `upstream`, which are read with their block.
    static let upstream: [DirectiveGroup] = [
        DirectiveGroup(.upstream, .between(1, 2), "hash keepalive least_time queue", role: .accepted),
        DirectiveGroup(.upstream, .between(1, 2), "zone"),
        DirectiveGroup(.upstream, .exactly(1), "resolver_timeout state"),
        DirectiveGroup(.upstream, .atLeast(1), "resolver"),
        DirectiveGroup(.upstream, .none, "ip_hash least_conn ntlm", role: .accepted),
        DirectiveGroup(.upstream, .exactly(1), "keepalive_time keepalive_timeout keepalive_requests", role: .accepted),
        DirectiveGroup(.upstream, .between(0, 2), "random", role: .accepted),
        DirectiveGroup(.upstream, .atLeast(2), "sticky", role: .accepted),
        DirectiveGroup(.upstream, .atLeast(1), "server", role: .accepted),
    ]
}
