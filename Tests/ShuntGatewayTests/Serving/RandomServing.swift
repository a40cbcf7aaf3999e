#if Gateway
import SeededRandom

/// Random configurations of what a gateway serves, and requests for them.
struct RandomServing {
    /// A request, without the lines that name it.
    struct Request: CustomStringConvertible {
        var method: String
        var target: String
        var headers: [String]
        var body = ""

        var description: String { "\(method) \(target) \(headers.joined(separator: " | ")) body \(body.utf8.count)" }

        /// The bytes, with the name that upstreams write down.
        func bytes(named name: String) -> String {
            let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            let lines = ["\(method) \(target) HTTP/1.1", "Host: a.test", "X-Id: \(name)"] + headers + length
            return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        }
    }

    private var random: SeededGenerator
    /// False if gates may ask twice: nginx announces them a body that it does not send.
    private var sendsBodies = false
    /// True if gates may ask: no page takes the failure of a service for its consent then, which the gateway never does.
    private var asksConsent = false
    /// The URLs of upstreams: the last one answers nothing.
    private let upstreams: [String]

    init(seed: Int, upstreams: [String]) {
        random = SeededGenerator(seed: UInt64(seed) &* 6_364_136_223 &+ 11)
        self.upstreams = upstreams
    }

    private static let count = 5
    private static let codes = [301, 401, 403, 404, 413, 418, 500, 502, 503]

    // MARK: Rules

    mutating func rules() -> String {
        sendsBodies = random.chance(70)
        asksConsent = random.chance(70)
        var lines = ["listen 80;", "server_name a.test;"]
        if random.chance(40) { lines.append(errorPage()) }
        if random.chance(20) { lines.append("recursive_error_pages on;") }
        if random.chance(20) { lines.append("proxy_intercept_errors on;") }
        for number in 0..<Self.count { lines.append("location /l\(number)/ { \(inner(isNamed: false)) }") }
        for number in 0..<2 { lines.append("location @n\(number) { \(inner(isNamed: true)) }") }
        for number in 0..<2 { lines.append("location = /auth\(number) { \(gate()) }") }
        lines.append("location / { set $v \"\"; return 404 none; }")
        return "server {\n    \(lines.joined(separator: "\n    "))\n}"
    }

    private mutating func target() -> String {
        switch random.below(6) {
        case 0, 1: "@n\(random.below(2))"
        case 2: "/auth\(random.below(2))"
        default: "/l\(random.below(Self.count))/e\(random.chance(30) ? "?e=1" : "")"
        }
    }

    private mutating func errorPage() -> String {
        let codes = (0...random.below(3)).map { _ in random.pick(Self.codes) }
        let mayAdmit = !asksConsent || codes.allSatisfy { $0 < 500 }
        let change = random.pick(["", "", "=404 ", "=302 "] + (mayAdmit ? ["= ", "=200 "] : []))
        return "error_page \(codes.map(String.init).joined(separator: " ")) \(change)\(target());"
    }

    /// The directives of a location.
    private mutating func inner(isNamed: Bool) -> String {
        var words: [String] = []
        if !isNamed, random.chance(15) { words.append("internal;") }
        for _ in 0..<random.below(3) where random.chance(60) { words.append(errorPage()) }
        if random.chance(35) { words.append("proxy_intercept_errors \(random.chance(80) ? "on" : "off");") }
        if random.chance(15) { words.append("recursive_error_pages on;") }
        if asksConsent, random.chance(45) { words += consent() }
        if random.chance(15) { words.append(random.pick(["deny all;", "allow 127.0.0.1; deny all;"])) }
        if random.chance(20) { words.append("client_max_body_size \(random.pick([2, 6]));") }
        if random.chance(10) { words.append("proxy_ignore_headers X-Accel-Redirect;") }
        if random.chance(25) {
            words.append("add_header X-Own o\(random.below(9))\(random.chance(50) ? " always" : "");")
        }
        if random.chance(15) {
            words.append("rewrite ^/l\\d/(r.*)$ \(random.pick(["/l1/$1", "/l2/x$1 break", "/l3/$1?z last"]));")
        }
        let content = content(isNamed: isNamed)
        // A `return` that a `break` passes by would leave the request to the files.
        if content.hasPrefix("return") { words.removeAll { $0.hasSuffix("break;") } }
        words.append(content)
        return words.joined(separator: " ")
    }

    private mutating func content(isNamed: Bool) -> String {
        let text =
            "return \(random.pick([200, 200, 403, 404, 503])) \"[$uri $request_method $upstream_status $upstream_http_x_user $v]\";"
        switch random.below(10) {
        case 0, 1: return text
        case 2: return "return \(random.pick([403, 404, 500, 503]));"
        case 3: return "return 302 /l\(random.below(Self.count))/;"
        case 4: return "proxy_pass \(upstreams.last ?? "");"
        default:
            let headers = random.chance(40) ? "proxy_set_header X-V \"$v\"; " : ""
            let path = isNamed ? "" : random.pick(["", "", "/p/", "/q"])
            return "\(headers)proxy_pass \(random.pick(Array(upstreams.dropLast())))\(path);"
        }
    }

    private mutating func consent() -> [String] {
        var words = ["auth_request /auth\(random.below(2));"]
        if random.chance(10) { words = ["auth_request off;"] }
        if random.chance(50) {
            words.append("auth_request_set $v \(random.pick(["$upstream_http_x_user", "s$upstream_status", "$uri"]));")
        }
        return words
    }

    private mutating func gate() -> String {
        if random.chance(15) {
            let statuses = sendsBodies ? [200, 204] : [200, 204, 401, 403, 404, 500]
            return "return \(random.pick(statuses));"
        }
        let errors = !sendsBodies && random.chance(15) ? "error_page 401 =204 @n0; " : ""
        let once = sendsBodies ? "proxy_intercept_errors off; proxy_ignore_headers X-Accel-Redirect; " : ""
        let own = once + "proxy_pass_request_body off; proxy_set_header Content-Length \"\"; "
        let isDead = !sendsBodies && random.chance(10)
        let upstream = isDead ? upstreams.last ?? "" : random.pick(Array(upstreams.dropLast()))
        return "internal; \(errors)\(own)proxy_pass \(upstream)\(random.pick(["", "/check"]));"
    }

    // MARK: Requests

    mutating func request() -> Request {
        let method = random.pick(["GET", "GET", "GET", "HEAD", "POST", "POST", "PUT"])
        let path = random.pick(["x", "x", "r1", "deep/er", "a%20b"])
        var headers: [String] = []
        for label in ["A", "B"] { headers.append("X-Do-\(label): \(answer())") }
        if random.chance(50) { headers.append("X-Gate: \(random.pick([200, 200, 200, 204, 401, 403, 302, 500]))") }
        let body =
            sendsBodies && (method == "POST" || method == "PUT")
            ? String(repeating: "b", count: random.pick([0, 1, 4, 9])) : ""
        let query = random.chance(30) ? "?q=\(random.below(9))" : ""
        return Request(
            method: method,
            target: "/l\(random.below(Self.count))/\(path)\(query)",
            headers: headers,
            body: body
        )
    }

    /// An answer for an upstream, in the words of `X-Do-LABEL`.
    private mutating func answer() -> String {
        var text = String(random.pick([200, 200, 201, 204] + Self.codes))
        if random.chance(25) {
            let targets = [
                "/l0/y", "/l1/%79?u=2", "@n0", "@nowhere", "/../x", "/l2/%2e%2e/x", "/nowhere", "/l3/%41",
            ]
            text += ";X-Accel-Redirect: \(random.pick(targets))"
        }
        if random.chance(30) { text += ";X-User: u\(random.below(9))" }
        if random.chance(20) { text += ";Set-Cookie: c=\(random.below(9))" }
        if random.chance(20) { text += ";Cache-Control: max-age=\(random.below(9))" }
        if random.chance(20) { text += ";WWW-Authenticate: Basic realm=r" }
        return text
    }
}
#endif
