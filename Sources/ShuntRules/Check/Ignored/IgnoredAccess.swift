extension IgnoredDirectives {
    /// Directives that turn requests away for reasons that are not in the request.
    static let access: [DirectiveGroup] = [
        DirectiveGroup(
            [.settings, .limitExcept],
            .exactly(1),
            "auth_basic auth_basic_user_file",
            role: .ignored("Shunt checks no passwords")
        ),
        DirectiveGroup(
            .settings,
            .exactly(1),
            "auth_request",
            role: .ignored("Shunt makes no subrequests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .settings,
            .exactly(2),
            "auth_request_set",
            role: .ignored("Shunt makes no subrequests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .http,
            .exactly(2),
            "limit_conn_zone",
            role: .ignored("Shunt counts no requests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .settings,
            .exactly(2),
            "limit_conn",
            role: .ignored("Shunt counts no requests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .settings,
            .exactly(1),
            "limit_conn_log_level limit_conn_status limit_req_log_level limit_req_status",
            role: .ignored("Shunt counts no requests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .settings,
            .flag,
            "limit_conn_dry_run limit_req_dry_run",
            role: .ignored("Shunt counts no requests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .http,
            .exactly(3),
            "limit_req_zone",
            role: .ignored("Shunt counts no requests, so it refuses nothing here")
        ),
        DirectiveGroup(
            .settings,
            .between(1, 3),
            "limit_req",
            role: .ignored("Shunt counts no requests, so it refuses nothing here")
        ),
    ]
}
