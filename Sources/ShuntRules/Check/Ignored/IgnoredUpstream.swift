extension IgnoredDirectives {
    /// Directives about the servers of an `upstream`, of which only the name matters here.
    static let upstream: [DirectiveGroup] = [
        DirectiveGroup(.upstream, .between(1, 2), "hash keepalive least_time zone queue", role: .accepted),
        DirectiveGroup(.upstream, .none, "ip_hash least_conn ntlm", role: .accepted),
        DirectiveGroup(
            .upstream,
            .exactly(1),
            "keepalive_time keepalive_timeout keepalive_requests resolver_timeout state",
            role: .accepted
        ),
        DirectiveGroup(.upstream, .between(0, 2), "random", role: .accepted),
        DirectiveGroup(.upstream, .atLeast(2), "sticky", role: .accepted),
        DirectiveGroup(.upstream, .atLeast(1), "server resolver", role: .accepted),
    ]
}
