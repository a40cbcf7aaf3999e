#if Gateway
import Testing

/// Cookies of upstreams, compared with a real nginx.
@Suite struct ProxyCookieTests {
    private static let cookies = [
        "a=b; Domain=.Example.com; Path=/two/x; Secure", "a=b;domain = example.com ;path=/two/", "a", "a=b; Domain",
        "a=b;",
        "a=b;; x ; HTTPONLY; SameSite=foo", " a = b ; Path = /two/z", "A=b; Path=/TWO/; Domain=x.example.com",
        "n=v; Expires=Thu, 01 Jan 1970; samesite", "=x; Path=/two/", "a=b;\tPath=/two/q; Domain=\"example.com\"",
        "a=b; Secure=1; Path=/two/; Path=/two/k", "s=1; SameSite=None; secure; httponly; domain=example.com",
    ]

    @Test(
        "Cookies are changed as nginx changes them",
        arguments: [
            "proxy_cookie_domain example.com new.org;", "proxy_cookie_domain .example.com .new.org;",
            "proxy_cookie_domain off; proxy_cookie_path off; proxy_cookie_flags off;", "proxy_cookie_path /two/ /;",
            "proxy_cookie_path ~*^/two/(.*)$ /r-$1; proxy_cookie_path / /other/;",
            "proxy_cookie_path ~^/(?<first>\\w+) /$first$arg_p$first;",
            "proxy_cookie_flags a secure httponly samesite=strict;",
            "proxy_cookie_flags ~a nosecure nohttponly nosamesite;",
            "proxy_cookie_domain ~\\.(\\w+)\\.com$ $1.net; proxy_cookie_path / /$arg_p; proxy_cookie_flags $arg_c samesite=lax;",
            "proxy_cookie_flags a $arg_f; proxy_cookie_flags ~ samesite=none nohttponly;",
            "proxy_cookie_domain $arg_d q$arg_d; proxy_cookie_domain x.example.com y;",
            "proxy_cookie_flags ~. unknown;",
        ]
    )
    func changed(directives: String) async throws {
        let upstream = try TestUpstream { _ in .text("up", headers: Self.cookies.map { "Set-Cookie: \($0)" }) }
        let rules = """
            proxy_cookie_path /inherited/ /;
            server { listen 80; location / { \(directives) proxy_pass http://127.0.0.1:\(upstream.port); } }
            """
        let request = "GET /?p=k&c=n&f=secure&d=example.com HTTP/1.1\r\nHost: a.test\r\n\r\n"
        @Sendable func received(at port: UInt16) throws -> [String] {
            var connection = try TestConnection(port: port)
            try connection.send(request)
            return try connection.response()?.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value) ?? []
        }
        try await RunningGateway.with(["r.conf": rules]) { (gateway) async throws in
            let port = gateway.port
            let (expected, found) = try await Blocking.run {
                (try RealNginx.with(rules) { try received(at: $0) }, try received(at: port))
            }
            #expect(expected.count == Self.cookies.count)
            for (found, expected) in zip(found, expected) { #expect(found == expected) }
        }
    }
}
#endif
