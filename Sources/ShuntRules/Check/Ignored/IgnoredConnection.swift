extension IgnoredDirectives {
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
}
