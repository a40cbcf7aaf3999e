extension IgnoredDirectives {
    /// The consequences of ignoring a directive with which nginx would treat the request or its answer in another way.
    static let consequences: [String: String] = {
        let groups: [(names: String, reason: String)] = [
            (
                "proxy_intercept_errors fastcgi_intercept_errors uwsgi_intercept_errors scgi_intercept_errors",
                "the client gets errors of the upstream as they are, without an error_page"
            ),
            (
                "fastcgi_pass_request_headers uwsgi_pass_request_headers",
                "the upstream gets the headers of the client, cookies and passwords among them"
            ),
            (
                "fastcgi_pass_request_body uwsgi_pass_request_body",
                "the upstream gets the body of the client"
            ),
            ("proxy_ssl_crl", "an upstream with a revoked certificate is accepted"),
            (
                "proxy_cookie_domain proxy_cookie_path proxy_cookie_flags",
                "the client gets the cookies of the upstream as they are"
            ),
            ("proxy_bind", "the system chooses the address from which an upstream is asked"),
            ("post_action", "nothing is requested after an answer"),
            ("mirror mirror_request_body", "no request is sent twice"),
        ]
        var found: [String: String] = [:]
        for (names, reason) in groups { for name in names.split(separator: " ") { found[String(name)] = reason } }
        return found
    }()
}
