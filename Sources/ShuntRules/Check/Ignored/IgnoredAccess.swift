extension IgnoredDirectives {
    /// Directives that turn requests away for reasons that are not in the request.
    static let access: [DirectiveGroup] = [
        DirectiveGroup(
            .settings,
            .exactly(1),
            "limit_conn_log_level limit_conn_status limit_req_log_level limit_req_status"
        ),
        DirectiveGroup(.settings, .exactly(2), "limit_conn"),
        DirectiveGroup(.settings, .flag, "limit_conn_dry_run limit_req_dry_run"),
        DirectiveGroup(.settings, .between(1, 3), "limit_req"),
        DirectiveGroup(.http, .exactly(2), "limit_conn_zone"),
        DirectiveGroup(.http, .exactly(3), "limit_req_zone"),
    ]
}
