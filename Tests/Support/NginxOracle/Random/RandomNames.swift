/// The small stock of texts that rules and requests are made of, so that they meet often.
enum RandomNames {
    static let segments = [
        "a", "b", "ab", "aa", "x", "1", "2024", "img", "A", "a.b", "a.png", "b.gif", "..", ".", "\u{e4}",
    ]
    static let hosts = ["a.test", "b.test", "www.a.test", "x.y.a.test", "mail.org", "localhost", "a", "127.0.0.1"]
    static let arguments = ["a", "b", "q", "ip", "A", "id"]
    static let values = ["", "1", "0", "a", "b", "ab", "A", "x y", "/a", "a.test", "10.1.2.3", "127.0.0.1", "-"]
    static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "PROPFIND"]
    static let headers = ["X-Mark", "User-Agent", "Accept-Language", "Cookie", "Referer"]
    static let requestVariables = [
        "$uri", "$args", "$request_uri", "$host", "$request_method", "$is_args", "$arg_a", "$arg_b", "$arg_q",
        "$http_x_mark", "$http_user_agent", "$cookie_a", "$server_name", "$scheme", "$http_host", "$document_uri",
        "$query_string", "$server_port", "$remote_addr", "$invalid_referer",
    ]

    static func path(_ random: inout RandomSource) -> String {
        var path = ""
        for _ in 0..<random.within(1...3) { path += "/" + random.pick(["a", "b", "ab", "aa", "x", "1", "A"]) }
        return random.chance(25) ? path + "/" : path
    }
}
