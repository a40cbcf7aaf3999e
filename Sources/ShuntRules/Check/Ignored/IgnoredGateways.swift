extension IgnoredDirectives {
    /// Directives about requests to FastCGI, uwsgi, SCGI, gRPC and memcached servers after it.
    static let gateways: [DirectiveGroup] = [
        DirectiveGroup(
            .settings,
            .exactly(1),
            """
            fastcgi_store fastcgi_socket_rcvbuf fastcgi_socket_sndbuf
            fastcgi_connect_timeout fastcgi_send_timeout fastcgi_send_lowat fastcgi_buffer_size
            fastcgi_read_timeout fastcgi_busy_buffers_size fastcgi_limit_rate fastcgi_cache fastcgi_cache_key
            fastcgi_cache_min_uses fastcgi_cache_max_range_offset fastcgi_cache_lock_timeout
            fastcgi_cache_lock_age fastcgi_max_temp_file_size fastcgi_temp_file_write_size
            fastcgi_next_upstream_tries fastcgi_next_upstream_timeout fastcgi_pass_header fastcgi_hide_header
            fastcgi_catch_stderr grpc_socket_rcvbuf grpc_socket_sndbuf grpc_connect_timeout grpc_send_timeout
            grpc_buffer_size grpc_read_timeout grpc_next_upstream_tries grpc_next_upstream_timeout
            grpc_pass_header grpc_hide_header grpc_ssl_ciphers grpc_ssl_name grpc_ssl_verify_depth
            grpc_ssl_trusted_certificate grpc_ssl_crl grpc_ssl_certificate grpc_ssl_certificate_key
            grpc_ssl_password_file memcached_connect_timeout memcached_send_timeout memcached_buffer_size
            memcached_read_timeout memcached_next_upstream_tries memcached_next_upstream_timeout
            memcached_gzip_flag scgi_store scgi_socket_rcvbuf scgi_socket_sndbuf scgi_connect_timeout
            scgi_send_timeout scgi_buffer_size scgi_read_timeout scgi_busy_buffers_size scgi_limit_rate
            scgi_cache scgi_cache_key scgi_cache_min_uses scgi_cache_max_range_offset scgi_cache_lock_timeout
            scgi_cache_lock_age scgi_max_temp_file_size scgi_temp_file_write_size scgi_next_upstream_tries
            scgi_next_upstream_timeout scgi_pass_header scgi_hide_header uwsgi_modifier1 uwsgi_modifier2
            uwsgi_store uwsgi_socket_rcvbuf uwsgi_socket_sndbuf uwsgi_connect_timeout uwsgi_send_timeout
            uwsgi_buffer_size uwsgi_read_timeout uwsgi_busy_buffers_size uwsgi_limit_rate uwsgi_cache
            uwsgi_cache_key uwsgi_cache_min_uses uwsgi_cache_max_range_offset uwsgi_cache_lock_timeout
            uwsgi_cache_lock_age uwsgi_cache_background_update uwsgi_max_temp_file_size
            uwsgi_temp_file_write_size uwsgi_next_upstream_tries uwsgi_next_upstream_timeout uwsgi_string
            uwsgi_pass_header uwsgi_hide_header uwsgi_ssl_ciphers uwsgi_ssl_name uwsgi_ssl_verify_depth
            uwsgi_ssl_trusted_certificate uwsgi_ssl_crl uwsgi_ssl_certificate uwsgi_ssl_certificate_key
            uwsgi_ssl_password_file
            """
        ),
        DirectiveGroup(
            .settings,
            .between(1, 3),
            """
            fastcgi_store_access grpc_ssl_certificate_cache scgi_store_access uwsgi_store_access
            uwsgi_ssl_certificate_cache
            """
        ),
        DirectiveGroup(
            .settings,
            .flag,
            """
            fastcgi_buffering fastcgi_request_buffering fastcgi_ignore_client_abort fastcgi_socket_keepalive
            fastcgi_pass_request_headers fastcgi_pass_request_body fastcgi_intercept_errors fastcgi_force_ranges
            fastcgi_cache_lock fastcgi_cache_revalidate fastcgi_cache_background_update fastcgi_keep_conn
            grpc_socket_keepalive grpc_intercept_errors grpc_ssl_session_reuse grpc_ssl_server_name
            grpc_ssl_verify memcached_socket_keepalive scgi_buffering scgi_request_buffering
            scgi_ignore_client_abort scgi_socket_keepalive scgi_pass_request_headers scgi_pass_request_body
            scgi_intercept_errors scgi_force_ranges scgi_cache_lock scgi_cache_revalidate
            scgi_cache_background_update uwsgi_buffering uwsgi_request_buffering uwsgi_ignore_client_abort
            uwsgi_socket_keepalive uwsgi_pass_request_headers uwsgi_pass_request_body uwsgi_intercept_errors
            uwsgi_force_ranges uwsgi_cache_lock uwsgi_cache_revalidate uwsgi_ssl_session_reuse
            uwsgi_ssl_server_name uwsgi_ssl_verify
            """
        ),
        DirectiveGroup(.settings, .between(1, 2), "fastcgi_bind grpc_bind memcached_bind scgi_bind uwsgi_bind"),
        DirectiveGroup(
            .settings,
            .exactly(2),
            """
            fastcgi_buffers grpc_set_header grpc_ssl_conf_command scgi_buffers uwsgi_buffers
            uwsgi_ssl_conf_command
            """
        ),
        DirectiveGroup(.http, .atLeast(2), "fastcgi_cache_path scgi_cache_path uwsgi_cache_path"),
        DirectiveGroup(
            .settings,
            .atLeast(1),
            """
            fastcgi_cache_bypass fastcgi_no_cache fastcgi_cache_valid fastcgi_cache_use_stale
            fastcgi_cache_methods fastcgi_next_upstream fastcgi_ignore_headers grpc_next_upstream
            grpc_ignore_headers grpc_ssl_protocols memcached_next_upstream scgi_cache_bypass scgi_no_cache
            scgi_cache_valid scgi_cache_use_stale scgi_cache_methods scgi_next_upstream scgi_ignore_headers
            uwsgi_cache_bypass uwsgi_no_cache uwsgi_cache_valid uwsgi_cache_use_stale uwsgi_cache_methods
            uwsgi_next_upstream uwsgi_ignore_headers uwsgi_ssl_protocols
            """
        ),
        DirectiveGroup(.settings, .between(1, 4), "fastcgi_temp_path scgi_temp_path uwsgi_temp_path"),
        DirectiveGroup(.settings, .between(2, 3), "fastcgi_param scgi_param uwsgi_param"),
    ]
}
