/// The settings for passing requests to the upstream of a `proxy_pass`: those of its location, or inherited ones.
///
/// The engine passes nothing on; its caller reads this from a decision. What no rule sets is nil.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_proxy_module.html
package struct UpstreamSettings: Sendable, Hashable {
    /// The conditions for trying another server of a group: the words of `proxy_next_upstream`.
    package struct Conditions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt16

        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let error = Conditions(rawValue: 1 << 0)
        package static let timeout = Conditions(rawValue: 1 << 1)
        package static let invalidHeader = Conditions(rawValue: 1 << 2)
        package static let status500 = Conditions(rawValue: 1 << 3)
        package static let status502 = Conditions(rawValue: 1 << 4)
        package static let status503 = Conditions(rawValue: 1 << 5)
        package static let status504 = Conditions(rawValue: 1 << 6)
        package static let status403 = Conditions(rawValue: 1 << 7)
        package static let status404 = Conditions(rawValue: 1 << 8)
        package static let status429 = Conditions(rawValue: 1 << 9)
        package static let nonIdempotent = Conditions(rawValue: 1 << 10)
        /// No other server is tried.
        package static let off = Conditions(rawValue: 1 << 11)

        /// The condition of a word; nil for any other word.
        init?(word: String) {
            guard let condition = Self.words[word] else { return nil }
            self = condition
        }

        static let words: [String: Conditions] = [
            "error": .error, "timeout": .timeout, "invalid_header": .invalidHeader, "http_500": .status500,
            "http_502": .status502, "http_503": .status503, "http_504": .status504, "http_403": .status403,
            "http_404": .status404, "http_429": .status429, "non_idempotent": .nonIdempotent, "off": .off,
        ]

        /// The condition that an answer with a status is; nil for none.
        package init?(status: Int) { self.init(word: "http_\(status)") }
    }

    /// `proxy_connect_timeout`, in milliseconds.
    package var connectTimeout: Int?
    /// `proxy_send_timeout`, in milliseconds.
    package var sendTimeout: Int?
    /// `proxy_read_timeout`, in milliseconds.
    package var readTimeout: Int?
    package var nextServer: Conditions = [.error, .timeout]
    /// `proxy_next_upstream_tries`; 0 for any number.
    package var nextServerTries = 0
    /// `proxy_next_upstream_timeout`, in milliseconds; nil and 0 for any time.
    package var nextServerTimeout: Int?
    /// The names of `proxy_hide_header` in lower case.
    package var hiddenHeaders: [String] = []
    /// The names of `proxy_pass_header` in lower case.
    package var passedHeaders: [String] = []
    package var interceptsErrors = false
    /// False if `proxy_ignore_headers` names X-Accel-Redirect.
    package var followsRedirects = true
    package var tls = UpstreamTLSSettings()
    /// `proxy_ssl_name`; none for the host of the `proxy_pass`.
    var name = TemplateIndex.none
    /// `proxy_method`; none for the client's method.
    var method = TemplateIndex.none
    /// `proxy_set_body`; none for the client's body.
    var body = TemplateIndex.none
    package var passesHeaders = true
    package var passesBody = true
    package var holdsBody = true
    package var ignoresAbort = false
    /// `client_max_body_size`, in bytes; 0 for any length.
    package var maximumBody: Int?
    /// The protocol that `proxy_set_header Upgrade` names as a constant.
    package var namedProtocol: String?

    package init() {}
}
