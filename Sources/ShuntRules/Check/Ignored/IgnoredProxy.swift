extension IgnoredDirectives {
    /// Directives about requests to an HTTP server after it.
    static let proxy: [DirectiveGroup] = [
        DirectiveGroup(
            .settings,
            .between(1, 2),
            "proxy_cookie_domain proxy_cookie_path proxy_bind tunnel_bind"
        ),
        DirectiveGroup(.settings, .between(1, 4), "proxy_cookie_flags proxy_temp_path"),
        DirectiveGroup(
            .settings,
            .exactly(1),
            """
            proxy_store proxy_socket_rcvbuf proxy_socket_sndbuf
            proxy_send_lowat proxy_headers_hash_max_size proxy_headers_hash_bucket_size
            proxy_buffer_size proxy_busy_buffers_size proxy_limit_rate
            proxy_cache proxy_cache_key proxy_cache_min_uses proxy_cache_max_range_offset
            proxy_cache_lock_timeout proxy_cache_lock_age proxy_max_temp_file_size proxy_temp_file_write_size
            proxy_http_version proxy_ssl_ciphers proxy_ssl_verify_depth
            proxy_ssl_crl 
            tunnel_socket_rcvbuf tunnel_socket_sndbuf tunnel_connect_timeout
            tunnel_send_timeout tunnel_send_lowat tunnel_buffer_size tunnel_read_timeout
            tunnel_next_upstream_tries tunnel_next_upstream_timeout
            """
        ),
        DirectiveGroup(.settings, .between(1, 3), "proxy_store_access proxy_ssl_certificate_cache"),
        DirectiveGroup(
            .settings,
            .flag,
            """
            proxy_buffering proxy_request_buffering proxy_ignore_client_abort proxy_socket_keepalive
            proxy_intercept_errors proxy_pass_trailers
            proxy_force_ranges proxy_cache_lock proxy_cache_revalidate proxy_cache_convert_head
            proxy_cache_background_update proxy_ssl_session_reuse
            tunnel_socket_keepalive
            """
        ),
        DirectiveGroup(.settings, .exactly(2), "proxy_buffers proxy_ssl_conf_command"),
        DirectiveGroup(.http, .atLeast(2), "proxy_cache_path"),
        DirectiveGroup(
            .settings,
            .atLeast(1),
            """
            proxy_cache_bypass proxy_no_cache proxy_cache_valid proxy_cache_use_stale proxy_cache_methods
            proxy_ignore_headers tunnel_next_upstream
            """
        ),
        DirectiveGroup(
            [.server, .location, .ifInLocation],
            .between(0, 1),
            "tunnel_pass",
            role: .ignored("Shunt opens no tunnels")
        ),
    ]
}
