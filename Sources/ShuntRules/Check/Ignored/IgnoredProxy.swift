extension IgnoredDirectives {
    /// Directives about requests to servers after it, by the protocols of their names.
    static let proxy: [DirectiveGroup] = [
        settings("fastcgi", count: .exactly(1), names: "catch_stderr"),
        settings("proxy", count: .exactly(1), names: "headers_hash_bucket_size headers_hash_max_size http_version"),
        settings("uwsgi", count: .exactly(1), names: "modifier1 modifier2 string"),
        settings("memcached", count: .exactly(1), names: "gzip_flag"),
        settings(all, count: .exactly(1), names: "buffer_size"),
        settings(others, count: .exactly(1), names: "connect_timeout next_upstream_timeout next_upstream_tries"),
        settings(others, count: .exactly(1), names: "read_timeout send_timeout"),
        settings("fastcgi grpc proxy scgi tunnel uwsgi", count: .exactly(1), names: "socket_rcvbuf socket_sndbuf"),
        settings("fastcgi grpc scgi uwsgi", count: .exactly(1), names: "hide_header pass_header"),
        settings(bodies, count: .exactly(1), names: "busy_buffers_size cache cache_key cache_lock_age"),
        settings(bodies, count: .exactly(1), names: "cache_lock_timeout cache_max_range_offset cache_min_uses"),
        settings(bodies, count: .exactly(1), names: "limit_rate max_temp_file_size store temp_file_write_size"),
        settings("fastcgi proxy tunnel", count: .exactly(1), names: "send_lowat"),
        settings("grpc proxy uwsgi", count: .exactly(1), names: "ssl_ciphers ssl_crl ssl_verify_depth"),
        settings("grpc uwsgi", count: .exactly(1), names: "ssl_certificate ssl_certificate_key ssl_name"),
        settings("grpc uwsgi", count: .exactly(1), names: "ssl_password_file ssl_trusted_certificate"),
        settings(bodies, count: .between(1, 3), names: "store_access"),
        settings("grpc proxy uwsgi", count: .between(1, 3), names: "ssl_certificate_cache"),
        settings("fastcgi", count: .flag, names: "keep_conn"),
        settings("proxy", count: .flag, names: "cache_convert_head pass_trailers"),
        settings(all, count: .flag, names: "socket_keepalive"),
        settings("fastcgi grpc scgi uwsgi", count: .flag, names: "intercept_errors"),
        settings(bodies, count: .flag, names: "buffering cache_background_update cache_lock cache_revalidate"),
        settings(bodies, count: .flag, names: "force_ranges"),
        settings("fastcgi scgi uwsgi", count: .flag, names: "ignore_client_abort request_buffering"),
        settings("fastcgi scgi uwsgi", count: .flag, names: "pass_request_body pass_request_headers"),
        settings("grpc proxy uwsgi", count: .flag, names: "ssl_session_reuse"),
        settings("grpc uwsgi", count: .flag, names: "ssl_server_name ssl_verify"),
        settings(all, count: .between(1, 2), names: "bind"),
        settings("grpc", count: .exactly(2), names: "set_header"),
        settings(bodies, count: .exactly(2), names: "buffers"),
        settings("grpc proxy uwsgi", count: .exactly(2), names: "ssl_conf_command"),
        settings(others, count: .atLeast(1), names: "next_upstream"),
        settings("fastcgi grpc scgi uwsgi", count: .atLeast(1), names: "ignore_headers"),
        settings(bodies, count: .atLeast(1), names: "cache_bypass cache_methods cache_use_stale cache_valid no_cache"),
        settings("grpc uwsgi", count: .atLeast(1), names: "ssl_protocols"),
        settings(bodies, count: .between(1, 4), names: "temp_path"),
        settings("fastcgi scgi uwsgi", count: .between(2, 3), names: "param"),
        DirectiveGroup(.http, .atLeast(2), named(bodies, "cache_path")),
        DirectiveGroup([.server, .location, .ifInLocation], .between(0, 1), "tunnel_pass"),
    ]

    private static let all = "fastcgi grpc memcached proxy scgi tunnel uwsgi"
    /// The protocols other than HTTP.
    private static let others = "fastcgi grpc memcached scgi tunnel uwsgi"
    /// The protocols whose answers are kept in buffers and files.
    private static let bodies = "fastcgi proxy scgi uwsgi"

    private static func settings(_ protocols: String, count: ArgumentCount, names: String) -> DirectiveGroup {
        DirectiveGroup(.settings, count, named(protocols, names))
    }

    /// Each name with each protocol before it.
    private static func named(_ protocols: String, _ names: String) -> String {
        names.split(separator: " ")
            .flatMap { name in protocols.split(separator: " ").map { "\($0)_\(name)" } }
            .joined(separator: " ")
    }
}
