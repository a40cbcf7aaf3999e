extension IgnoredDirectives {
    /// Directives about requests to servers after it, by the protocols of their names.
    static let proxy: [DirectiveGroup] = [
        settings("fastcgi", .exactly(1), "catch_stderr"),
        settings("proxy", .exactly(1), "headers_hash_bucket_size headers_hash_max_size http_version"),
        settings("uwsgi", .exactly(1), "modifier1 modifier2 string"),
        settings("memcached", .exactly(1), "gzip_flag"),
        settings("fastcgi grpc memcached proxy scgi tunnel uwsgi", .exactly(1), "buffer_size"),
        settings(
            "fastcgi grpc memcached scgi tunnel uwsgi",
            .exactly(1),
            "connect_timeout next_upstream_timeout next_upstream_tries read_timeout send_timeout"
        ),
        settings("fastcgi grpc proxy scgi tunnel uwsgi", .exactly(1), "socket_rcvbuf socket_sndbuf"),
        settings("fastcgi grpc scgi uwsgi", .exactly(1), "hide_header pass_header"),
        settings(
            bodies,
            .exactly(1),
            """
            busy_buffers_size cache cache_key cache_lock_age cache_lock_timeout cache_max_range_offset cache_min_uses
            limit_rate max_temp_file_size store temp_file_write_size
            """
        ),
        settings("fastcgi proxy tunnel", .exactly(1), "send_lowat"),
        settings("grpc proxy uwsgi", .exactly(1), "ssl_ciphers ssl_crl ssl_verify_depth"),
        settings(
            "grpc uwsgi",
            .exactly(1),
            "ssl_certificate ssl_certificate_key ssl_name ssl_password_file ssl_trusted_certificate"
        ),
        settings(bodies, .between(1, 3), "store_access"),
        settings("grpc proxy uwsgi", .between(1, 3), "ssl_certificate_cache"),
        settings("fastcgi", .flag, "keep_conn"),
        settings("proxy", .flag, "cache_convert_head pass_trailers"),
        settings("fastcgi grpc memcached proxy scgi tunnel uwsgi", .flag, "socket_keepalive"),
        settings("fastcgi grpc scgi uwsgi", .flag, "intercept_errors"),
        settings(
            bodies,
            .flag,
            """
            buffering cache_background_update cache_lock cache_revalidate force_ranges ignore_client_abort
            request_buffering
            """
        ),
        settings("fastcgi scgi uwsgi", .flag, "pass_request_body pass_request_headers"),
        settings("grpc proxy uwsgi", .flag, "ssl_session_reuse"),
        settings("grpc uwsgi", .flag, "ssl_server_name ssl_verify"),
        settings("fastcgi grpc memcached proxy scgi tunnel uwsgi", .between(1, 2), "bind"),
        settings("grpc", .exactly(2), "set_header"),
        settings(bodies, .exactly(2), "buffers"),
        settings("grpc proxy uwsgi", .exactly(2), "ssl_conf_command"),
        settings("fastcgi grpc memcached scgi tunnel uwsgi", .atLeast(1), "next_upstream"),
        settings("fastcgi grpc scgi uwsgi", .atLeast(1), "ignore_headers"),
        settings(bodies, .atLeast(1), "cache_bypass cache_methods cache_use_stale cache_valid no_cache"),
        settings("grpc uwsgi", .atLeast(1), "ssl_protocols"),
        settings(bodies, .between(1, 4), "temp_path"),
        settings("fastcgi scgi uwsgi", .between(2, 3), "param"),
        DirectiveGroup(.http, .atLeast(2), named(bodies, "cache_path")),
        DirectiveGroup([.server, .location, .ifInLocation], .between(0, 1), "tunnel_pass"),
    ]

    /// The protocols whose answers are kept in buffers and files.
    private static let bodies = "fastcgi proxy scgi uwsgi"

    private static func settings(_ protocols: String, _ count: ArgumentCount, _ names: String) -> DirectiveGroup {
        DirectiveGroup(.settings, count, named(protocols, names))
    }

    /// Each name with each protocol before it.
    private static func named(_ protocols: String, _ names: String) -> String {
        names.split(whereSeparator: \.isWhitespace)
            .flatMap { name in protocols.split(separator: " ").map { "\($0)_\(name)" } }
            .joined(separator: " ")
    }
}
