extension IgnoredDirectives {
    /// Directives of the processes, of logs, of clients and files.
    static let core: [DirectiveGroup] = [
        DirectiveGroup(.topLevel, .flag, "daemon master_process pcre_jit ssl_object_cache_inheritable quic_bpf"),
        DirectiveGroup(
            .topLevel,
            .exactly(1),
            """
            timer_resolution pid lock_file worker_processes debug_points worker_priority worker_rlimit_nofile
            worker_rlimit_core worker_shutdown_timeout working_directory env load_module ssl_engine
            google_perftools_profiles
            """
        ),
        DirectiveGroup(.topLevel, .between(1, 2), "user"),
        DirectiveGroup(.topLevel, .atLeast(1), "worker_cpu_affinity error_log"),
        DirectiveGroup(.topLevel, .between(2, 3), "thread_pool"),
        DirectiveGroup(.topLevel, .none, "stream mail", hasBlock: true),
        // Each nginx.conf has it, and it is about processes alone.
        DirectiveGroup(.topLevel, .none, "events", hasBlock: true, role: .accepted),
        DirectiveGroup(.settings, .between(1, 4), "open_log_file_cache client_body_temp_path"),
        DirectiveGroup(
            .http,
            .number,
            """
            map_hash_max_size map_hash_bucket_size variables_hash_max_size variables_hash_bucket_size
            server_names_hash_max_size server_names_hash_bucket_size
            """
        ),
        DirectiveGroup([.server, .location], .number, "referer_hash_max_size referer_hash_bucket_size"),
        DirectiveGroup(
            [.http, .server],
            .exactly(1),
            "connection_pool_size request_pool_size client_header_timeout client_header_buffer_size"
        ),
        DirectiveGroup(.settings, .number, "types_hash_max_size types_hash_bucket_size"),
        DirectiveGroup(
            .settings,
            .exactly(1),
            """
            client_body_buffer_size client_body_timeout client_body_in_file_only sendfile_max_chunk
            subrequest_output_buffer_size aio read_ahead directio directio_alignment send_timeout send_lowat
            postpone_output keepalive_time keepalive_min_timeout auth_delay lingering_close
            lingering_time lingering_timeout server_tokens open_file_cache_valid open_file_cache_min_uses
            resolver_timeout gzip_http_version
            """
        ),
        DirectiveGroup(
            .settings,
            .flag,
            """
            client_body_in_single_buffer aio_write tcp_nopush tcp_nodelay reset_timedout_connection msie_padding
            msie_refresh log_not_found log_subrequest chunked_transfer_encoding open_file_cache_errors
            open_file_cache_events gzip_vary
            """
        ),
        DirectiveGroup([.http, .server], .atLeast(1), "client_body_early_read"),
        DirectiveGroup([.settings, .ifInLocation], .flag, "sendfile"),
        DirectiveGroup([.settings, .ifInLocation], .exactly(1), "limit_rate limit_rate_after post_action"),
        DirectiveGroup(.settings, .between(1, 2), "keepalive_disable open_file_cache"),
        DirectiveGroup(.settings, .atLeast(1), "early_hints error_log resolver gzip_proxied gzip_disable"),
    ]
}
