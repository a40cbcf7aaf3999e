/// nginx's directives that do not change where a request goes, with the places and numbers of arguments they have in
/// current nginx (1.31) and, where it dropped them, in earlier ones; two common additions are among them.
///
/// They are accepted, so that a whole nginx.conf loads. `UnservedDirectives` has those of them that decide about more.
enum IgnoredDirectives {
    /// The settings of the gateway in the place of directives.
    static let notes: [String: String] = {
        let groups: [(names: String, note: String)] = [
            ("client_header_timeout client_body_timeout send_timeout", "--client-timeout is the time"),
            ("resolver resolver_timeout", "names are looked up as the system does"),
            ("http2 http3", "the gateway speaks HTTP/1.1"),
            ("proxy_http_version", "upstreams get HTTP/1.1"),
            ("proxy_buffering", "answers are passed on as they come"),
            ("ssl_ciphers ssl_ecdh_curve proxy_ssl_ciphers", "the TLS library chooses"),
        ]
        var notes: [String: String] = [:]
        for (names, note) in groups { for name in names.split(separator: " ") { notes[String(name)] = note } }
        return notes
    }()

    /// Directives of the processes, of logs, of clients and files.
    static let core: [DirectiveGroup] = [
        .init(.topLevel, .flag, "daemon master_process pcre_jit ssl_object_cache_inheritable quic_bpf"),
        .init(.topLevel, .exactly(1), "timer_resolution pid lock_file worker_processes debug_points worker_priority"),
        .init(.topLevel, .exactly(1), "worker_rlimit_nofile worker_rlimit_core worker_shutdown_timeout"),
        .init(.topLevel, .exactly(1), "working_directory env load_module ssl_engine google_perftools_profiles"),
        .init(.topLevel, .between(1, 2), "user"),
        .init(.topLevel, .atLeast(1), "worker_cpu_affinity error_log"),
        .init(.topLevel, .between(2, 3), "thread_pool"),
        .init(.topLevel, .none, "stream mail", hasBlock: true),
        // Each nginx.conf has it, and it is about processes alone.
        .init(.topLevel, .none, "events", hasBlock: true, role: .accepted),
        .init(.settings, .between(1, 4), "open_log_file_cache client_body_temp_path"),
        .init(.http, .number, "map_hash_max_size map_hash_bucket_size variables_hash_max_size"),
        .init(.http, .number, "variables_hash_bucket_size server_names_hash_max_size server_names_hash_bucket_size"),
        .init([.server, .location], .number, "referer_hash_max_size referer_hash_bucket_size"),
        .init([.http, .server], .exactly(1), "connection_pool_size request_pool_size client_header_timeout"),
        .init([.http, .server], .exactly(1), "client_header_buffer_size"),
        .init(.settings, .number, "types_hash_max_size types_hash_bucket_size"),
        .init(.settings, .exactly(1), "client_body_buffer_size client_body_timeout client_body_in_file_only"),
        .init(.settings, .exactly(1), "sendfile_max_chunk subrequest_output_buffer_size aio read_ahead directio"),
        .init(.settings, .exactly(1), "directio_alignment send_timeout send_lowat postpone_output keepalive_time"),
        .init(.settings, .exactly(1), "keepalive_min_timeout auth_delay lingering_close lingering_time"),
        .init(.settings, .exactly(1), "lingering_timeout server_tokens open_file_cache_valid open_file_cache_min_uses"),
        .init(.settings, .exactly(1), "resolver_timeout gzip_http_version"),
        .init(.settings, .flag, "client_body_in_single_buffer aio_write tcp_nopush tcp_nodelay"),
        .init(.settings, .flag, "reset_timedout_connection msie_padding msie_refresh log_not_found log_subrequest"),
        .init(.settings, .flag, "open_file_cache_errors open_file_cache_events gzip_vary"),
        .init([.http, .server], .atLeast(1), "client_body_early_read"),
        .init([.settings, .ifInLocation], .flag, "sendfile"),
        .init([.settings, .ifInLocation], .exactly(1), "limit_rate limit_rate_after post_action"),
        .init(.settings, .between(1, 2), "keepalive_disable open_file_cache"),
        .init(.settings, .atLeast(1), "early_hints error_log resolver gzip_proxied gzip_disable"),
    ]

    /// Directives of TLS, of HTTP/2 and HTTP/3, and of the marks on users.
    static let connection: [DirectiveGroup] = [
        .init([.http, .server], .exactly(1), "ssl_ech_file ssl_dhparam ssl_ecdh_curve ssl_ciphers ssl_buffer_size"),
        .init([.http, .server], .exactly(1), "ssl_verify_depth ssl_client_certificate ssl_trusted_certificate"),
        .init([.http, .server], .exactly(1), "ssl_session_ticket_key ssl_session_timeout ssl_crl ssl_ocsp"),
        .init([.http, .server], .exactly(1), "ssl_ocsp_responder ssl_ocsp_cache ssl_stapling_file"),
        .init([.http, .server], .exactly(1), "ssl_stapling_responder http2_pool_size http2_max_concurrent_streams"),
        .init([.http, .server], .exactly(1), "http2_max_concurrent_pushes http2_max_requests http2_max_field_size"),
        .init([.http, .server], .exactly(1), "http2_max_header_size http2_body_preread_size http2_streams_index_size"),
        .init([.http, .server], .exactly(1), "http2_recv_timeout http2_idle_timeout http3_max_concurrent_streams"),
        .init([.http, .server], .exactly(1), "http3_stream_buffer_size quic_host_key quic_active_connection_id_limit"),
        .init([.http, .server], .between(1, 3), "ssl_certificate_cache"),
        .init([.http, .server], .flag, "ssl_certificate_compression ssl_prefer_server_ciphers ssl_session_tickets"),
        .init([.http, .server], .flag, "ssl_stapling ssl_stapling_verify ssl_early_data http2 http3 http3_hq"),
        .init([.http, .server], .flag, "quic_retry quic_gso ssl"),
        .init([.http, .server], .between(1, 2), "ssl_session_cache"),
        .init([.http, .server], .exactly(2), "ssl_conf_command"),
        .init(.settings, .exactly(1), "userid userid_service userid_name userid_domain userid_path userid_expires"),
        .init(.settings, .exactly(1), "userid_p3p userid_mark http2_chunk_size http2_push"),
        .init(.settings, .between(1, 3), "userid_flags"),
        .init(.http, .exactly(1), "http2_recv_buffer_size"),
        .init(.settings, .flag, "http2_push_preload"),
    ]

    /// Directives that change or produce content.
    static let content: [DirectiveGroup] = [
        .init(.settings, .exactly(1), "add_before_body add_after_body autoindex_format min_delete_depth"),
        .init(.settings, .exactly(1), "gzip_comp_level gzip_window gzip_hash postpone_gzipping gzip_min_length"),
        .init(.settings, .exactly(1), "gzip_static image_filter_jpeg_quality image_filter_webp_quality"),
        .init(.settings, .exactly(1), "image_filter_sharpen image_filter_buffer mirror mp4_buffer_size"),
        .init(.settings, .exactly(1), "mp4_max_buffer_size slice ssi_min_file_chunk ssi_value_length xml_entities"),
        .init(.settings, .exactly(1), "brotli_static brotli_comp_level brotli_window brotli_min_length"),
        .init(.settings, .atLeast(1), "addition_types dav_methods gzip_types ssi_types sub_filter_types xslt_types"),
        .init(.settings, .atLeast(1), "brotli_types"),
        .init(.settings, .flag, "autoindex_localtime autoindex_exact_size create_full_put_path gunzip gzip_no_buffer"),
        .init(.settings, .flag, "image_filter_transparency image_filter_interlace mirror_request_body"),
        .init(.settings, .flag, "mp4_start_key_frame ssi_silent_errors ssi_ignore_recycled_buffers ssi_last_modified"),
        .init(.settings, .flag, "sub_filter_once sub_filter_last_modified xml_external_entities xslt_last_modified"),
        .init([.settings, .ifInLocation], .exactly(1), "source_charset add_header_inherit add_trailer_inherit"),
        .init([.settings, .ifInLocation], .flag, "override_charset gzip ssi brotli"),
        .init(.http, .exactly(2), "charset_map", hasBlock: true),
        .init(.settings, .between(1, 3), "dav_access"),
        .init(.location, .none, "flv mp4"),
        .init(.settings, .exactly(2), "gunzip_buffers gzip_buffers sub_filter xslt_param xslt_string_param"),
        .init(.settings, .exactly(2), "output_buffers brotli_buffers"),
        .init([.settings, .ifInLocation], .between(2, 3), "add_trailer"),
        .init(.location, .between(1, 3), "image_filter"),
        .init(.location, .flag, "random_index"),
        .init(.server, .between(0, 1), "stub_status"),
        .init(.location, .atLeast(1), "xslt_stylesheet"),
        .init([.settings, .ifInLocation], .atLeast(1), "more_set_headers more_clear_headers"),
    ]

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
