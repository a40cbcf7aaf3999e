extension IgnoredDirectives {
    /// The consequences of ignoring a directive with which nginx would treat the request or its answer in another way.
    static let consequences: [String: String] = {
        let groups: [(names: String, reason: String)] = [
            (
                "proxy_intercept_errors fastcgi_intercept_errors uwsgi_intercept_errors scgi_intercept_errors",
                "the client gets errors of the upstream as they are, without an error_page"
            ),
            (
                "proxy_pass_request_headers fastcgi_pass_request_headers uwsgi_pass_request_headers",
                "the upstream gets the headers of the client, cookies and passwords among them"
            ),
            (
                "proxy_pass_request_body proxy_set_body fastcgi_pass_request_body uwsgi_pass_request_body",
                "the upstream gets the body of the client"
            ),
            ("proxy_method", "the upstream gets the method of the client"),
            (
                "proxy_ssl_verify proxy_ssl_verify_depth proxy_ssl_trusted_certificate proxy_ssl_crl",
                "the certificate of an upstream must be valid to the authorities of the system, or the answer is 502"
            ),
            (
                "proxy_ssl_name proxy_ssl_server_name",
                "the certificate of an upstream must be for the host of proxy_pass, and the upstream is asked for that name"
            ),
            (
                "proxy_ssl_certificate proxy_ssl_certificate_key proxy_ssl_password_file",
                "Shunt shows an upstream no certificate"
            ),
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
