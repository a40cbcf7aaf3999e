#if Gateway
import Glibc
import NginxOracle
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

/// `log_format` and `access_log`, compared with a real nginx with the same rules, requests and upstream.
@Suite("Access logs of rules")
struct RuleLogTests {
    private static let escaped = "$http_x_one|$arg_a|$cookie_c|$kind|$uri"

    /// The formats and variables; `{dir}` is where files are, `{up}` is the port of an upstream.
    private static let definitions = """
        map $status $failed { ~^[45] 1; default 0; }
        map "$status $arg_a" $both { "200 yes" 1; }
        map $upstream_status $asked { "" 0; default 1; }
        map $arg_quiet $loud { 1 0; default 1; }
        map $sent_http_x_host $strange { hostnames; default 1; a.test 0; *.b.test 0; ~^c 0; }
        map $status $level { ~^[23] info; default error; }
        map "$level $arg_a" $chain { "info yes" 1; }
        map $uri $kind { ~^/own "a \\"kind\\""; default ""; }
        log_format request '$remote_addr $remote_user [$request] $request_method $request_uri $document_uri $is_args'
            ' <$args> <$query_string> <$host> $server_name $scheme <$https> $server_protocol $request_length $shop'
            ' $connection_requests $pipe $request_completion $gzip_ratio ${content_length} $http_x_many';
        log_format answer '$status $sent_http_x_a $sent_http_none';
        log_format sizes '$status $body_bytes_sent $sent_http_content_type $sent_http_content_length';
        log_format default '\(escaped)';
        log_format json escape=json '{"a":"\(escaped)"}';
        log_format none escape=none '\(escaped)';
        log_format upstream '$request_uri $upstream_addr $upstream_status $upstream_response_length $status'
            ' $upstream_http_x_a $upstream_cache_status';
        log_format mapped '$request_uri $level $chain $kind';
        log_format passed '$request_uri $status <$proxy_host> <$proxy_port> $pipe $request_length $connection_requests';
        upstream second { server 127.0.0.1:1; server 127.0.0.1:{up}; }
        """

    private static let server = """
        server {
            listen 80;
            server_name a.test b.test;
            access_log {dir}/request request;
            access_log {dir}/answer answer;
            access_log {dir}/failed request if=$failed;
            access_log {dir}/both request if=$both;
            access_log {dir}/mapped mapped;
            access_log {dir}/chained mapped if=$chain;
            add_header X-A "a b";
            set $shop red;
            location / { return 200 text; }
            location /named { access_log {dir}/strange answer if=$strange; add_header X-Host $arg_h; return 200 named; }
            location = /off { access_log off; return 204; }
            location /gone { return 410; }
            location /moved { return 301 /there; }
            location /own {
                access_log {dir}/default default buffer=32k flush=1s;
                access_log {dir}/json json if=$loud;
                access_log {dir}/none none;
                location /own/inner { return 200 inner; }
                location /own/other { access_log {dir}/other answer; return 404; }
                return 200 own;
            }
            location /if {
                if ($arg_a) { access_log {dir}/if answer; return 200 if; }
                return 200 else;
            }
            location /sized { access_log {dir}/sizes sizes; return 200 sized; }
            location /up { access_log {dir}/asked answer if=$asked; access_log {dir}/upstream upstream; proxy_pass http://127.0.0.1:{up}; }
            location /had { access_log {dir}/had upstream if=$upstream_status; proxy_pass http://127.0.0.1:{up}; }
            location /lead { access_log {dir}/upstream upstream; proxy_pass http://127.0.0.1:{up}; }
            location /files/ { internal; access_log {dir}/upstream upstream; alias {dir}/; }
            location /second { access_log {dir}/upstream upstream; proxy_pass http://second; }
            location /dead { access_log {dir}/upstream upstream; proxy_pass http://127.0.0.1:1; }
            location /other { error_page 502 = @other; proxy_pass http://127.0.0.1:1; }
            location @other { access_log {dir}/upstream upstream; proxy_pass http://127.0.0.1:{up}; }
            location /passed {
                access_log {dir}/passed passed;
                client_max_body_size 3;
                error_page 413 /passed/none;
                add_header X-To "$proxy_host" always;
                proxy_pass http://127.0.0.1:{up};
                location /passed/none { return 200 "[$proxy_host$proxy_port]"; }
                location /passed/denied { deny all; proxy_pass http://127.0.0.1:{up}; }
                location /passed/dead { proxy_pass http://localhost:1; }
            }
            location /gated { access_log {dir}/upstream upstream; auth_request /consent; proxy_pass http://127.0.0.1:{up}; }
            location = /consent { internal; proxy_pass http://127.0.0.1:{up}; }
        }
        """

    private static let requests: [String] = [
        "GET / HTTP/1.1\r\nHost: A.test:80\r\nX-Many: 1\r\nX-Many: 2\r\n\r\n",
        "GET /b?a=yes HTTP/1.1\r\nHost: b.test\r\nAuthorization: Basic dXNlcjpwYXNz\r\n\r\n",
        "POST /c%20d? HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\nhi",
        "HEAD / HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /off HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /gone?a=yes HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /moved HTTP/1.0\r\n\r\n",
        "GET /own?a=%22\"b\\ HTTP/1.1\r\nHost: a.test\r\nX-One: \"q\" \\ \u{e9} {}\r\nCookie: c=1\"2; d=3\r\n\r\n",
        "GET /own?quiet=1&a=x HTTP/1.1\r\nHost: a.test\r\nX-One:\r\nCookie: c=y\r\n\r\n",
        "GET /own/inner HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /own/other HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /named?h=a.test. HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /named?h=x.B.test. HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /named?h=d.test. HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /named?h=c HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /sized HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /if HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /if?a=b HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /up HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /up?404 HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /had HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /lead HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /lead HTTP/1.1\r\nHost: a.test\r\nRange: bytes=1-2\r\n\r\n",
        "GET /second HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /dead HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /other HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /gated HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /passed HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /passed/none HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "GET /passed/denied HTTP/1.1\r\nHost: a.test\r\n\r\n", "GET /passed/dead HTTP/1.1\r\nHost: a.test\r\n\r\n",
        "POST /passed HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
        "POST /passed HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nabcd",
        "POST /passed/none HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc",
    ]

    /// Requests that are sent at once.
    private static let pipeline = ["/passed/none?1", "/passed?2", "/passed/none?3"]
        .map { "GET \($0) HTTP/1.1\r\nHost: a.test\r\n\r\n" }.joined()

    private static let files = [
        "request", "answer", "sizes", "failed", "both", "asked", "default", "json", "none", "other", "if", "upstream",
        "strange", "mapped", "chained", "had", "passed",
    ]

    private static func rules(in folder: String, upstream port: UInt16) -> String {
        (definitions + server).replacing("{dir}", with: folder).replacing("{up}", with: "\(port)")
    }

    private static func writing(in folder: TestFolder) -> RunningGateway.Change {
        RunningGateway.Change {
            $0.logDirectories = [folder.path]
            $0.engine.fileSystem = LocalFileSystem()
        }
    }

    @Test("Lines are those of nginx", .timeLimit(.minutes(10)))
    func asNginx() async throws {
        let own = try TestFolder(["page": "a page"])
        let other = try TestFolder(["page": "a page"])
        let upstream = try TestUpstream { request in
            let lead = request.line.contains("/lead") ? ["X-Accel-Redirect: /files/page"] : []
            return .text(
                "up",
                status: request.line.contains("404") ? "404 None" : "200 OK",
                headers: ["X-A: of upstream"] + lead
            )
        }
        let port = upstream.port
        let change = Self.writing(in: own)
        try await RunningGateway.with(["rules.conf": Self.rules(in: own.path, upstream: port)], options: change) {
            gateway in
            #expect(!gateway.messages.all.contains { $0.contains("access log") })
            let port = gateway.port
            let nginxRules = Self.rules(in: other.path, upstream: upstream.port)
            try await Blocking.run {
                try RealNginx.with(nginxRules) { nginx in
                    for request in Self.requests {
                        let isHead = request.hasPrefix("HEAD")
                        let answers = try [nginx, port].map { try BesideProxy.ask($0, request, isHead: isHead)?.status }
                        #expect(answers[0] == answers[1])
                    }
                    for port in [nginx, port] {
                        var connection = try TestConnection(port: port)
                        try connection.send(Self.pipeline)
                        for _ in 1...3 {
                            let status = try connection.response()?.status
                            #expect(status == 200)
                        }
                    }
                }
            }
        }
        for file in Self.files {
            let found = try own.text(file).split(separator: "\n")
            let expected = try other.text(file).split(separator: "\n")
            #expect(found == expected, "\(file)")
            #expect(!expected.isEmpty)
        }
    }

    @Test("A request that cannot be read has its line and its server, and a client of a proxy its port, as in nginx")
    func badRequests() async throws {
        let own = try TestFolder()
        let other = try TestFolder()
        func rules(_ folder: TestFolder) -> String {
            """
            set_real_ip_from 127.0.0.1;
            log_format bad '[$request] $status $connection_requests <$server_name> $scheme <$remote_addr $remote_port>';
            server { listen 80; server_name d.test; access_log \(folder.path)/bad bad; return 200 "$remote_port"; }
            """
        }
        let requests = [
            "BAD\r\n\r\n", "get / HTTP/1.1\r\nHost: d.test\r\n\r\n", "GET /\u{1} HTTP/1.1\r\nHost: d.test\r\n\r\n",
            "GET /v HTTP/2.0\r\nHost: d.test\r\n\r\n", "GET /x HTTP/1.1\r\n\r\n",
            "GET /y HTTP/1.1\r\nHost: d.test\r\nContent-Length: abc\r\n\r\n",
        ]
        let ports = ["1.2.3.4:99", "1.2.3.4", "[2001:db8::5]:443", "2001:db8::5"]
        try await RunningGateway.with(["rules.conf": rules(own)], options: Self.writing(in: own)) { gateway in
            let port = gateway.port
            let nginxRules = rules(other)
            try await Blocking.run {
                try RealNginx.with(nginxRules) { nginx in
                    for request in requests {
                        let answers = try [nginx, port].map { try BesideProxy.ask($0, request)?.status }
                        #expect(answers[0] == answers[1])
                    }
                    for named in ports {
                        let request = "GET / HTTP/1.1\r\nHost: d.test\r\nX-Real-IP: \(named)\r\n\r\n"
                        let answers = try [nginx, port].map { try BesideProxy.ask($0, request)?.text }
                        #expect(answers[0] == answers[1], "\(named)")
                    }
                }
            }
        }
        // The port of a connection is another one each time.
        func lines(_ folder: TestFolder) throws -> [Substring] {
            try folder.text("bad").split(separator: "\n")
                .map { $0.contains("<127.0.0.1 ") ? $0.prefix { $0 != "<" } + "own port" : $0 }
        }
        let expected = try lines(other)
        #expect(try lines(own) == expected)
        #expect(expected.count == requests.count + ports.count)
    }

    @Test(
        "Maps that read each other, or others many times over, load with a log that reads them",
        .timeLimit(.minutes(10)),
        arguments: ["$uri", "$status"]
    )
    func manyMaps(source: String) throws {
        var wide = "map \(source) $m0 { default 1; }\n"
        for number in 1...14 {
            let four = String(repeating: "$m\(number - 1)", count: 4)
            wide += "map \"\(four)\" $m\(number) { default 1; }\n"
        }
        let circle = "map \"$b\(source)\" $a { default 1; }\nmap $a $b { default 2; }\n"
        for (maps, name) in [(wide, "m14"), (circle, "a")] {
            let log = "log_format x '$\(name)';\naccess_log logs/x x if=$\(name);\n"
            let rules = try RuleSet(text: maps + log + "server { listen 80; return 204; }")
            let list = try #require(rules.accessLogLists.first { !$0.isEmpty })
            #expect(rules.maps(of: rules.format(of: list[0]).text).count <= 64)
        }
    }

    @Test("The usual format, times and bytes")
    func usual() async throws {
        let folder = try TestFolder()
        let rules = """
            log_format times '$msec $request_time $time_iso8601 $connection $bytes_sent $upstream_response_time';
            access_log \(folder.path)/usual;
            server {
                listen 80;
                return 410 gone;
            }
            server {
                server_name b.test;
                access_log \(folder.path)/times times;
                return 200 yes;
            }
            """
        var sent = 0
        try await RunningGateway.with(["rules.conf": rules], options: Self.writing(in: folder)) { gateway in
            _ = try await gateway.send("GET /x HTTP/1.1\r\nHost: a.test\r\nUser-Agent: u\r\n\r\n")
            let answer = try await gateway.send("GET / HTTP/1.0\r\nHost: b.test\r\n\r\n").first
            let lines = answer?.headers.map { "\($0.name): \($0.value)\r\n" }.joined() ?? ""
            sent = "HTTP/1.1 200 OK\r\n\(lines)\r\nyes".utf8.count
            // No rule decides about this: it is for the server of requests that name none.
            _ = try await gateway.send("nonsense\r\n\r\n")
        }
        let usual = try folder.text("usual").split(separator: "\n")
        let decided = #/127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:[\d:]{8} \+0000\] "GET /x HTTP/1\.1" 410 4 "-" "u"/#
        try #require(usual.count == 2)
        #expect(usual[0].wholeMatch(of: decided) != nil, "\(usual[0])")
        #expect(usual[1].contains(#"] "nonsense" 400 "#))
        let times = #/\d{10}\.\d{3} 0\.\d{3} \d{4}-\d\d-\d\dT[\d:]{8}\+00:00 \d+ (\d+) -\n/#
        let match = try #require(try folder.text("times").wholeMatch(of: times))
        #expect(Int(match.1) == sent)
    }

    @Test("Logs are opened again, and follow the rules")
    func reopened() async throws {
        let folder = try TestFolder()
        func rules(_ name: String) -> String {
            "log_format uri $uri; access_log \(folder.path)/\(name) uri; server { listen 80; return 204; }"
        }
        try await RunningGateway.with(["rules.conf": rules("one")], options: Self.writing(in: folder)) { gateway in
            _ = try await gateway.get("/a")
            try folder.rename("one", "old")
            try gateway.gateway.reopenLog()
            _ = try await gateway.get("/b")
            try gateway.directory.replace("rules.conf", rules("two"))
            #expect(await gateway.gateway.reload().failure == nil)
            _ = try await gateway.get("/c")
            // What cannot be opened keeps no rules from being used.
            try gateway.directory.replace("rules.conf", rules("none/three"))
            #expect(await gateway.gateway.reload().failure == nil)
            try await Wait.until("the failure is reported") {
                let message = "rules.conf:1:22: the access log \(folder.path)/none/three is not written: cannot open"
                return gateway.messages.all.contains { $0.contains(message) }
            }
            _ = try await gateway.get("/d")
            try folder.makeDirectory("none")
            try gateway.gateway.reopenLog()
            _ = try await gateway.get("/e")
        }
        for (name, lines) in [("old", "/a\n"), ("one", "/b\n"), ("two", "/c\n"), ("none/three", "/e\n")] {
            #expect(try folder.text(name) == lines)
        }
    }

    @Test("Another log takes the place of those of the rules")
    func replaced() async throws {
        let folder = try TestFolder()
        let rules = "access_log \(folder.path)/rules; server { listen 80; return 204; }"
        let changes: [(GatewayOptions) -> GatewayOptions] = [
            { options in
                var options = options
                options.accessLog = "\(folder.path)/own"
                return options
            },
            { options in
                var options = options
                options.writesLogsOfRules = false
                return options
            },
            { options in
                var options = options
                options.decisionService = DecisionService(form: .accel)
                return options
            },
        ]
        for change in changes {
            try await RunningGateway.with(["rules.conf": rules], options: RunningGateway.Change { $0 = change($0) }) {
                _ = try await $0.get("/a")
            }
        }
        #expect(try folder.text("own").contains("\"target\":\"/a\""))
        #expect(throws: (any Error).self) { try folder.text("rules") }
    }

    @Test("Whatever a format may have is written")
    func known() {
        for name in AnswerVariables.names { #expect(ExchangeAccount.Variable(rawValue: name) != nil, "\(name)") }
    }
}
#endif
