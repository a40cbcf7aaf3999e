/// Variables of nginx's other modules, which have no value while a URL is decided unless the caller supplies one.
package enum ExternalVariables {
    /// Those that would change what an upstream or a client gets, and that the gateway does not have.
    package static let unserved: Set<String> = ["request_body", "request_body_file"]
    private static let names: Set<String> = [
        "ancient_browser", "body_bytes_sent", "bytes_received", "bytes_sent", "connections_active",
        "connections_reading", "connections_waiting", "connections_writing", "connection_time", "date_local",
        "gzip_ratio", "http2", "http3", "is_request_port", "modern_browser",
        "msie", "proxy_protocol_addr", "proxy_protocol_port",
        "proxy_protocol_server_addr", "proxy_protocol_server_port", "request_body",
        "request_body_file", "request_completion", "request_length", "request_port", "request_time", "session_time",
        "slice_range", "tcpinfo_rcv_space", "tcpinfo_rtt", "tcpinfo_rttvar", "tcpinfo_snd_cwnd", "uid_got",
        "uid_reset", "uid_set", "upstream_addr", "upstream_bytes_received", "upstream_bytes_sent",
        "upstream_cache_status", "upstream_connect_time", "upstream_first_byte_time", "upstream_header_time",
        "upstream_response_length", "upstream_response_time", "upstream_session_time", "upstream_status",
    ]
    static let requestTime = "request_time"
    /// Those that have a value where the gateway decides about a request again, after a server was tried.
    static let ofAnswers: Set<String> = [
        requestTime, "upstream_addr", "upstream_connect_time", "upstream_header_time", "upstream_response_length",
        "upstream_response_time", "upstream_status",
    ]
    private static let prefixes = ["ssl_", "geoip_", "geoip2_", "jwt_", "proxy_protocol_tlv_", "memcached_"]

    static func contains(_ name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
}
