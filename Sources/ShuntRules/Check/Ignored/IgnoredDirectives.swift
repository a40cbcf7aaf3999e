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
}
