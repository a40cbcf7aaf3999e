#if Gateway
import SeededRandom

/// Random connections with odd requests, and the odd answers of their upstreams.
extension RandomWire {
    /// A connection, whose bytes may come in parts unless `maySplit` is false or `readsLength` is true for chunks.
    mutating func connection(inSteps maySplit: Bool, readsLength: Bool) -> WireSet.Connection {
        let listener = random.pick([0, 0, 0, 0, 0, 0, 1, 1, 2, 3])
        let isSecure = listener >= 2 && random.chance(85)
        let requests = (0...random.pick([0, 0, 1, 2])).map { _ in request(maySplit: maySplit) }
        let step = random.chance(15) ? 20 + random.below(100) : 0
        let pause = random.chance(20) ? random.pick([2, 5, 15]) : 0
        // The $content_length of a body of chunks in nginx depends on how much of it has come.
        let hasChunks = requests.contains { $0.headers.contains { $0.hasPrefix("Transfer-Encoding") } }
        let maySplit = maySplit && !(readsLength && hasChunks)
        return WireSet.Connection(
            listener: listener,
            name: isSecure ? random.pick(["a.test", "b.test", "x.c.test", "s.e.test", "none.test", ""]) : nil,
            requests: requests,
            step: maySplit ? step : 0,
            pause: maySplit ? pause : 0,
            answers: (0..<5).map { _ in answer() }
        )
    }

    private mutating func request(maySplit: Bool) -> WireSet.Request {
        let method = random.pick([
            "GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FOO",
            "CONNECT", "get",
        ])
        let place = "/l\(random.below(Self.locations))"
        let path = random.pick([
            "x", "x", "x", "", "rx", "r/deep", "sx", "a%20b", "%2e%2e/y", "../l1/z", ".//x", "a+b", "%41%2f", "x;y=1",
            "a%23b", "%3f", "a%00",
            "%zz", "a|b\"", "x#f", "x&y",
        ])
        let query = random.pick([
            "", "", "", "?q=1", "?q=2&m=1", "?m=ax&z=1", "?", "?q=a%20b", "?a?b", "?z=1", "?q=%zz#f", Self.slowQuery,
        ])
        var target =
            random.pick(["", "", "", "", "", "", "/", "http://a.test", "http://b.test", "HTTPS://A.test"])
            + place + "/" + path + query
        if random.chance(3) {
            target = random.pick([
                "*", "/", "//", "http://a.test", "http://a.test?q=1", "/nowhere", "nowhere", "/auth", "/page", "/end",
            ])
        }
        let version = random.pick(["1.1", "1.1", "1.1", "1.1", "1.1", "1.1", "1.0", "1.0"])
        var headers: [String] = []
        let absolute = ["a.test", "b.test"].first { target.lowercased().contains("://\($0)") }
        // A target's host stands for a Host that is not there: a known difference.
        if version == "1.1" || absolute != nil || random.chance(60) {
            headers.append("Host: \(absolute ?? random.pick(Self.hosts))")
        }
        if random.chance(2) { headers.append("Host: b.test") }
        for _ in 0..<random.below(4) { headers.append(header()) }
        // Of several, nginx believes the last.
        if let connection = headers.firstIndex(where: { $0.hasPrefix("Connection") }) {
            let rest = headers[(connection + 1)...].filter { !$0.hasPrefix("Connection") }
            headers = headers[...connection] + rest
        }
        var request = WireSet.Request(line: "\(method) \(target) HTTP/\(version)", headers: headers)
        guard ["POST", "PUT", "PATCH", "DELETE"].contains(method) || random.chance(4) else { return request }
        // A long one does not come in one read with its head.
        let length = random.pick([0, 1, 2, 5, 12, 12, 3_000])
        let body = String(repeating: "b", count: maySplit ? length : min(length, 12))
        switch random.below(12) {
        case 0...5:
            request.headers.append("Content-Length: \(body.utf8.count)")
            request.body = body
        case 6, 7:
            request.headers.append("Transfer-Encoding: \(random.pick(["chunked", "chunked", "Chunked"]))")
            let (size, extra) = (String(body.utf8.count, radix: 16), random.pick(["", ";x=y", "; q=\"a\""]))
            let trailer = random.pick(["", "", "X-T: 1\r\n"])
            request.body =
                body.isEmpty
                ? "0\r\n\r\n"
                : "1\r\nb\r\n\(size)\(extra)\r\n\(body)\r\n0\r\n\(trailer)\r\n"
        case 8:
            request.headers += random.pick([
                ["Content-Length: 1", "Content-Length: 1"], ["Content-Length: +1"], ["Content-Length: 1, 1"],
                ["Content-Length: x"],
                ["Transfer-Encoding: gzip, chunked"], ["Transfer-Encoding: identity"],
                ["Content-Length: 1", "Transfer-Encoding: chunked"],
            ])
            request.body = "b"
        default: break
        }
        // A body that was not asked for is another known difference.
        if !request.body.isEmpty { request.headers.removeAll { $0.hasPrefix("Expect") } }
        return request
    }

    private mutating func header() -> String {
        random.pick([
            "X-A: a\(random.below(9))", "X-A: ", "x-b: one", "X-B: two", "X_U: under", "X-U: 1", "Cookie: c=1; d=2",
            "Cookie: c=3",
            "Connection: close", "Connection: keep-alive", "Expect: 100-continue",
            "Referer: http://r.test/",
            "User-Agent: t", "Accept: */*", "Authorization: Basic dTpw", "Authorization: Basic dTp3",
            "Authorization: Basic dzpw",
            "Authorization: Bearer x",
            "Authorization: Basic !!", "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT", "If-None-Match: \"x\"",
            "Range: bytes=0-0", "TE: trailers",
            "Upgrade: websocket", " X-Folded: y", ": empty", "X(odd: 1", "Content-Type: text/x",
            "Accept-Encoding: gzip",
            "Keep-Alive: 5", "X-Long: \(String(repeating: "v", count: 1 + random.below(600)))",
            "Via: 1.1 x",
            "X-Forwarded-For: 1.2.3.4", "X-Real-IP: 5.6.7.8",
        ])
    }

    private mutating func answer() -> WireUpstreams.Answer {
        var answer = WireUpstreams.Answer()
        let status = random.pick([
            200, 200, 200, 200, 201, 204, 206, 301, 302, 304, 307, 401, 403, 404, 404, 413, 418, 500, 502, 503, 503,
            504,
        ])
        answer.head = ["HTTP/1.\(random.chance(90) ? 1 : 0) \(status)\(random.pick([" S", " S", " ", ""]))"]
        for _ in 0..<random.below(4) {
            answer.head.append(
                random.pick([
                    "Content-Type: text/plain", "Set-Cookie: a=1; Path=/", "Set-Cookie: b=2",
                    "X-Up: u", "Server: own", "Location: http://up.test/a?b", "Location: /rel",
                    "Location: http://up.test:8080/c",
                    "Location: x", "X-Accel-Redirect: /l1/acc", "X-Accel-Redirect: @named", "X-Accel-Limit-Rate: off",
                    "X-Accel-Buffering: no", "Date: Thu, 01 Jan 1970 00:00:00 GMT",
                    "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT", "ETag: \"e\"", "Cache-Control: no-store",
                    "Cache-Control: max-age=1", "Expires: 0", "Vary: X", "Accept-Ranges: bytes",
                    "WWW-Authenticate: Basic realm=\"u\"", "Link: </x>",
                    "X-Big: \(String(repeating: "w", count: random.below(900)))", "Content-Encoding: x",
                    "Refresh: 0; url=http://up.test/f", "X-Pad: p",
                    "X Bad: 1", "X_Under: 1",
                    "Content-Disposition: inline",
                ])
            )
        }
        // An empty add_header takes away one of several in nginx, and all of them here.
        if let first = answer.head.firstIndex(where: { $0.hasPrefix("Last-Modified") }) {
            answer.head[(first + 1)...].removeAll { $0.hasPrefix("Last-Modified") }
        }
        answer.body = random.pick(["", "ok", "ok", "longer body", String(repeating: "z", count: 5_000)])
        answer.framing = random.pick([
            .length, .length, .length, .length, .chunked, .chunked, .close, .close, .short, .silent,
        ])
        // HTTP/1.0 has no chunks, though nginx accepts them.
        if answer.framing == .chunked { answer.head[0] = answer.head[0].replacing("HTTP/1.0", with: "HTTP/1.1") }
        if random.chance(10) { answer.delay = random.pick([1, 5, 20]) }
        // A connection that is used again may end at the same moment.
        answer.head.append("Connection: close")
        return answer
    }
}
#endif
