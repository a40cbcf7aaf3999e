#if Gateway
import NginxOracle
import SeededRandom

/// Random sets of what goes over a wire: listeners, names, upstreams of all kinds, odd requests and odd answers.
struct RandomWire {
    var random: SeededGenerator
    private let seed: Int
    static let locations = 4
    private static let connections = 64
    private static let groups = 2
    private static let names = [
        "a.test", "b.test", "*.c.test", ".d.test", "www.*", "~^(?<sub>.+)\\.e\\.test$", "\"\"", "_", "a.test:80",
        "A.Test",
    ]
    private static let ownHeaders = [
        "X-Own", "X-Own2", "Cache-Control", "Last-Modified", "ETag", "Vary", "Content-Type",
    ]
    private static let redirects = [
        "off", "http://up.test/ /r/", "~^http://up\\.test/(.*)$ /x/$1", "/ /root/",
        "http://up.test:8080/ $scheme://$host/", "~*UP https://n.test", "http://$proxy_host/ /p/",
    ]
    private static let conditions = [
        "off", "error", "error timeout http_500 http_503", "http_404 http_403", "http_502 non_idempotent",
        "invalid_header http_504",
    ]
    private static let pages = [
        "/page", "@named", "= @named", "=200 /page", "=302 http://o.test/e", "/l1/e", "= /l2/e",
    ]
    /// A condition, with a query that it is decided for on a separate thread: the time may double with each letter.
    private static let slowCondition = "if ($arg_q ~ ^(a|aa|aaa)+$)"
    static let slowQuery = "?q=aaaaaaaaaaaaab"
    static let hosts = [
        "a.test", "a.test", "a.test", "b.test", "x.c.test", "d.test", "x.d.test", "www.x", "s.e.test", "none.test",
        "a.test:@0@", "b.test:8080", "127.0.0.1", "[::1]", "x_y.test",
    ]

    init(seed: Int) {
        random = SeededGenerator(seed: UInt64(seed) &* 0x9e37_79b9 &+ 5)
        self.seed = seed
    }

    mutating func set() -> WireSet {
        let rules = rules()
        // nginx closes a connection whose body it has not read when an upstream that gets it at once fails.
        let text = RuleNode.render(rules)
        let (isUnbuffered, readsLength) = (
            text.contains("proxy_request_buffering off"), text.contains("$content_length")
        )
        let connections = (0..<Self.connections)
            .map { _ in
                connection(inSteps: !isUnbuffered, readsLength: readsLength)
            }
        return WireSet(seed: seed, rules: rules, connections: connections)
    }

    // MARK: Rules

    private mutating func rules() -> [RuleNode] {
        var nodes: [RuleNode] = []
        for number in 0..<Self.groups { nodes.append(RuleNode("upstream g\(number)", children: members())) }
        nodes.append(
            RuleNode(
                "map $arg_m $mapped",
                children: [RuleNode("default \"\""), RuleNode("1 one"), RuleNode("~^(.)x $1")]
            )
        )
        nodes.append(RuleNode("limit_req_zone $arg_z zone=z:64k rate=1r/m"))
        nodes.append(RuleNode("limit_req_zone $arg_q zone=delays:64k rate=200r/s"))
        nodes.append(RuleNode("limit_conn_zone $arg_z zone=c:64k"))
        if random.chance(30) { nodes.append(RuleNode("underscores_in_headers on")) }
        nodes += Self.once(
            // nginx refuses a session that another location began without a check.
            [RuleNode("proxy_ssl_trusted_certificate @dir@/a.pem"), RuleNode("proxy_ssl_session_reuse off")]
                + some(20) { $0.setting() }.filter { !$0.words[0].hasPrefix("proxy_set_body") }
        )
        let count = 1 + random.below(3)
        for number in 0..<count { nodes.append(server(number, isLast: number == count - 1)) }
        return nodes
    }

    private mutating func some(_ percent: Int, _ most: Int = 4, _ make: (inout Self) -> RuleNode) -> [RuleNode] {
        (0..<most).compactMap { _ in random.chance(percent) ? make(&self) : nil }
    }

    /// The directives that a block may have more than once.
    private static let repeated: Set<String> = [
        "listen", "proxy_set_header", "add_header", "proxy_hide_header", "proxy_pass_header", "proxy_redirect",
        "error_page", "set",
        "rewrite", "if", "location", "allow", "deny", "server", "auth_request_set", "limit_except",
    ]

    /// Directives without those that nginx would not take a second time.
    private static func once(_ nodes: [RuleNode]) -> [RuleNode] {
        var seen: Set<String> = []
        return nodes.filter { node in
            let name = node.words[0].split(separator: " ").first.map(String.init) ?? ""
            return repeated.contains(name) || seen.insert(name).inserted
        }
    }

    /// The servers of a group, of which one at a time may answer: each event loop of a gateway takes its turns alone.
    private mutating func members() -> [RuleNode] {
        let live = random.pick(["A", "B", "U"])
        // A server that has failed is passed over for a time, by one loop at first.
        let free = " max_fails=0"
        let groups = [
            [live], [live + free, "B down"], [live + free, "A\(free) backup"], ["D" + free, "U\(free) backup"],
            ["D", "D"],
            ["R" + free],
        ]
        var nodes = random.pick(groups)
            .map { RuleNode("server @\($0.prefix(1))@\($0.dropFirst())") }
        if random.chance(25) { nodes.append(RuleNode("keepalive 4")) }
        if random.chance(15) { nodes.append(RuleNode("zone \(random.pick(["a", "b"])) 64k")) }
        return nodes
    }

    private mutating func server(_ number: Int, isLast: Bool) -> RuleNode {
        var nodes: [RuleNode] = []
        for listener in 0..<WireSet.listeners where listener == 0 || isLast || random.chance(60) {
            let isSecure = listener >= 2
            let mark = (isSecure ? " ssl" : "") + (random.chance(15) ? " default_server" : "")
            let address = listener == 0 ? "127.0.0.1:" : random.pick(["127.0.0.1:", "", "*:"])
            nodes.append(RuleNode("listen \(address)@\(listener)@\(mark)"))
        }
        let letter = random.pick(["a", "a", "b"])
        nodes += [
            RuleNode("ssl_protocols TLSv1.2 TLSv1.3"), RuleNode("ssl_certificate @dir@/\(letter).pem"),
            RuleNode("ssl_certificate_key @dir@/\(letter).key"),
        ]
        let names = (0..<random.below(3)).map { _ in random.pick(Self.names) }
        if !names.isEmpty { nodes.append(RuleNode("server_name \(Array(Set(names)).sorted().joined(separator: " "))")) }
        nodes += some(25) { $0.serverSetting() }
        nodes += some(30) { $0.setting() }.filter { !$0.words[0].hasPrefix("proxy_set_body") }
        nodes += some(12, 2) { $0.rewriting() }
        for number in 0..<Self.locations { nodes.append(location(number)) }
        nodes.append(RuleNode("location @named", children: [content(isNamed: true)]))
        nodes.append(
            RuleNode(
                "location = /auth",
                // Where such an answer sends the question elsewhere, nginx announces a body there that does not come; and
                // the page of a service that fails admits.
                children: [
                    "internal", "proxy_pass_request_body off", "proxy_set_header Content-Length \"\"",
                    "proxy_ignore_headers X-Accel-Redirect", "error_page 418 /nowhere",
                ]
                .map { RuleNode($0) } + [pass(isNamed: false)]
            )
        )
        nodes.append(
            RuleNode("location = /page", children: [RuleNode("return 200 \"page $status $uri $request_method\"")])
        )
        nodes.append(RuleNode("location = /end", children: [RuleNode("return 200 end")]))
        nodes.append(RuleNode("location /", children: [RuleNode("return 404 \"\(number) none $uri\"")]))
        return RuleNode("server", children: Self.once(nodes))
    }

    private mutating func location(_ number: Int) -> RuleNode {
        let form = random.pick([
            "/l\(number)/", "/l\(number)/", "/l\(number)", "^~ /l\(number)/", "~ ^/l\(number)/(.*)$",
            "~* ^/L\(number)/(?<rest>.*)$",
        ])
        var nodes = some(40, 5) { $0.setting() }
        nodes += some(15, 2) { $0.gate() }
        nodes += some(12, 2) { $0.rewriting() }
        if random.chance(8) {
            let own = random.chance(50) ? content(isNamed: true) : RuleNode("set $v inside")
            nodes.append(
                RuleNode(
                    "if (\(random.pick(["$request_method = POST", "$arg_q", "$http_x_a ~ ^(a)", "$host !~ a"])))",
                    children: [own]
                )
            )
        }
        if random.chance(6) {
            nodes.append(
                RuleNode("limit_except \(random.pick(["GET", "POST", "GET POST"]))", children: [RuleNode("deny all")])
            )
        }
        let content = content(isNamed: form.hasPrefix("~"))
        // A `return` that a `break` passes by would leave the request to the files.
        if content.words[0].hasPrefix("return") { nodes.removeAll { $0.words[0].hasSuffix("break") } }
        nodes.append(content)
        return RuleNode("location \(form)", children: Self.once(nodes))
    }

    private mutating func rewriting() -> RuleNode {
        let line = random.pick([
            "rewrite ^/l\\d/r(.*)$ /l1/$1 break", "rewrite ^/l\\d/r(.*)$ $1 break",
            "rewrite ^/l\\d/r(.*)$ /l2/$1?x=$arg_q last",
            "rewrite ^/l\\d/r(.*)$ http://o.test/$1 redirect", "rewrite ^/l\\d/r(.*)$ /l3/$1? permanent",
            "set $v $host",
            "set $v \"$http_x_a\"", "rewrite ^/l\\d/s(.*)$ /l0/$1%20$1 break", "if ($arg_q = 2) { return 403; }",
            "if ($http_cookie) { set $v cookie; }", Self.slowCondition + " { set $v slow; }",
            Self.slowCondition + " { return 403; }",
        ])
        return line.hasPrefix("if")
            ? RuleNode(
                words: [String(line.prefix { $0 != "{" })],
                children: [RuleNode(String(line.drop { $0 != "{" }.dropFirst(2).prefix { $0 != ";" }))]
            ) : RuleNode(line)
    }

    private mutating func content(isNamed: Bool) -> RuleNode {
        guard random.chance(30) else { return pass(isNamed: isNamed) }
        let variables = [
            "$uri|$request_uri|$args|$is_args", "$host|$http_host|$server_name|$server_port|$scheme|$https",
            "$request_method|$request|$server_protocol|$content_length|$content_type",
            "$http_x_a|$http_x_u|$cookie_c|$http_cookie|$arg_q|$arg_Q",
            "$ssl_protocol|$ssl_server_name",
            "$remote_addr|$remote_user|$proxy_add_x_forwarded_for|$mapped",
            "$document_uri|$query_string|$http_x_b|$http_referer|$http_user_agent",
            "$1|$request_completion|$limit_rate",
        ]
        let code = random.pick([200, 200, 200, 201, 204, 400, 403, 404, 413, 500, 502])
        return RuleNode(
            random.pick([
                "return \(code) \"\(random.pick(variables))\"", "return \(code) \"\(random.pick(variables))\"",
                "return \(code)",
                "return 301 /l\(random.below(4))/x$is_args$args", "return 302 https://o.test$request_uri",
                "return 307 $scheme://$host/y",
                "return 444", "return 303 \"\"",
            ])
        )
    }

    private mutating func pass(isNamed: Bool) -> RuleNode {
        let letter = random.pick(["A", "A", "A", "B", "B", "U", "T", "T", "R", "D"])
        var base =
            random.chance(30)
            ? "http://g\(random.below(Self.groups))" : "\(letter == "T" ? "https" : "http")://@\(letter)@"
        if random.chance(15) {
            base += random.pick(["$request_uri", "$uri", "/v$uri?$args", "/v/$1", "/$arg_q", "$mapped"])
        }
        let isPlain = !base.contains("$")
        let path = random.pick(["", "", "/", "/base/", "/base", "/b?q=1", "/%41/"])
        let colon = letter == "U" && base.contains("@U@") ? ":" : ""
        if isPlain, !isNamed, !path.isEmpty { base += colon + path }
        return RuleNode("proxy_pass \(base)")
    }

    private mutating func serverSetting() -> RuleNode {
        RuleNode(
            random.pick([
                "merge_slashes off", "keepalive_timeout 0", "absolute_redirect off",
                "port_in_redirect off", "server_name_in_redirect on",
                "error_page 413 /page", "error_page 497 =301 https://o.test$request_uri",
                "error_page 497 /page",
                "keepalive_timeout 75",
            ])
        )
    }

    private mutating func setting() -> RuleNode {
        let value = random.pick([
            "fixed", "$host", "$http_x_a", "$uri", "\"$arg_q\"", "\"\"", "$remote_addr", "$server_port",
            "\"a $args b\"", "$mapped",
        ])
        let name = random.pick([
            "X-A", "X-B", "Host", "X-Real-IP", "Accept", "Cookie", "Content-Type", "Referer", "Accept-Encoding",
            "X-Long",
        ])
        let status = random.pick(["301", "401", "403", "404", "413", "500", "502", "504", "502 504", "403 404"])
        return RuleNode(
            random.pick([
                "proxy_set_header \(name) \(value)", "proxy_set_header \(name) \(value)",
                "proxy_set_header Host \(random.pick(["$host", "$http_host", "$host:$server_port", "$proxy_host", "own.test"]))",
                "add_header \(random.pick(Self.ownHeaders)) \(value)\(random.pick(["", " always"]))",
                "proxy_hide_header \(random.pick(["X-Up", "Set-Cookie", "Date", "Server", "Location", "Content-Type"]))",
                "proxy_pass_header \(random.pick(["X-Accel-Limit-Rate", "X-Pad", "Date", "X-Accel-Redirect"]))",
                "proxy_redirect \(random.pick(Self.redirects))",
                "proxy_method \(random.pick(["GET", "POST", "PUT"]))",
                "proxy_set_body \(random.pick(["fixed", "\"$uri $host\"", "\"\""]))",
                "proxy_pass_request_headers off", "proxy_http_version 1.1",
                "proxy_next_upstream \(random.pick(Self.conditions))",
                "proxy_next_upstream_tries \(1 + random.below(2))", "proxy_intercept_errors on",
                page(for: status),
                "client_max_body_size \(random.pick(["0", "3", "10"]))", "recursive_error_pages on",
                "proxy_ssl_verify \(random.pick(["on", "off"]))",
                "proxy_ssl_trusted_certificate @dir@/\(random.pick(["a", "b"])).pem",
                "proxy_ssl_name \(random.pick(["a.test", "b.test", "$host"]))", "proxy_ssl_server_name on",
                "proxy_buffering off",
                "proxy_request_buffering off", "proxy_ignore_headers X-Accel-Redirect",
                "default_type \(random.pick(["text/html", "a/b", "\"\""]))",
                "proxy_connect_timeout 2s", "chunked_transfer_encoding off",
                "keepalive_timeout \(random.pick(["0", "60", "5 7"]))",
            ])
        )
    }

    private mutating func page(for status: String) -> String {
        let page = random.pick(Self.pages)
        // nginx drops the body of a request that is too large or that `return 301` answers. It still announces the
        // body's length to the upstream of such a page and does not send it, so that both wait.
        let losesBody = status == "301" || status == "413"
        return "error_page \(status) \(losesBody && !page.hasSuffix("/page") ? "/page" : page)"
    }

    /// Directives that may refuse a request.
    private mutating func gate() -> RuleNode {
        RuleNode(
            random.pick([
                "deny all", "allow 127.0.0.1", "deny 127.0.0.1", "allow all", "satisfy any", "satisfy all",
                "auth_basic realm", "auth_basic $mapped",
                "auth_basic off", "auth_basic_user_file @dir@/users", "auth_basic_user_file @dir@/users",
                "auth_basic_user_file @dir@/empty",
                "auth_basic_user_file @dir@/none", "auth_request /auth", "auth_request /end", "auth_request /nowhere",
                "auth_request_set $v $upstream_status",
                "limit_req zone=delays burst=1000", "limit_req zone=delays burst=1000",
                "limit_req zone=z", "limit_req zone=z burst=1 nodelay", "limit_conn c 1", "limit_req_status 429",
                "internal",
            ])
        )
    }
}
#endif
