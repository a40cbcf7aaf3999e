#if Gateway
import Foundation
import Glibc
import NIOCore
import NginxOracle
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("The form of the access log")
struct AccessLogFormatTests {
    private static let variables = """
        $remote_addr|$remote_user|$request|$request_method|$request_uri|$host|$server_protocol|$status|$body_bytes_sent|\
        $http_user_agent|${http_referer}|$http_x_none
        """

    private static let requests: [String] = [
        "GET /a?b=%20\"c HTTP/1.1\r\nHost: A.test:80\r\nUser-Agent: x \"y\" \\z\r\nReferer: http://r.test/\r\n\r\n",
        "POST /b HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\nUser-Agent: \u{e9}\t!\r\n\r\nhi",
        "GET / HTTP/1.0\r\nUser-Agent:\r\n\r\n",
        "HEAD /h HTTP/1.1\r\nHost: a.test\r\nAuthorization: Basic dXNlcjpwYXNz\r\n\r\n",
        "GET /gone HTTP/1.1\r\nHost: a.test\r\nReferer: {\"a\":\"b\"}\r\n\r\n",
    ]

    @Test("A client that leaves has the status 499 of nginx, unless its answer had begun")
    func abandoned() throws {
        let format = try AccessLogFormat("$status")
        var account = ExchangeAccount(RequestHead(), time: Timestamp(seconds: 0), start: .now())
        #expect(format.line(account) == Array("000\n".utf8))
        account.isAborted = true
        #expect(format.line(account) == Array("499\n".utf8))
        account.status = 200
        #expect(format.line(account) == Array("200\n".utf8))
    }

    @Test("Lines are those of nginx", .timeLimit(.minutes(10)), arguments: ["default", "json", "none"])
    func asNginx(escape: String) async throws {
        let folder = try TestFolder()
        let rules = "server { listen 80; location /gone { return 410 gone; } return 200 \"some text\"; }"
        let log = folder.path + "/nginx.log"
        let nginxRules =
            "log_format own escape=\(escape) '\(Self.variables)';\n"
            + rules.replacing("listen 80;", with: "listen 80; access_log \(log) own;")
        let change = RunningGateway.Change { options in
            options.accessLog = folder.path + "/own.log"
            if let format = try? AccessLogFormat("escape=\(escape) \(Self.variables)") {
                options.accessLogFormat = format
            }
        }
        try await RunningGateway.with(["rules.conf": rules], options: change) { gateway in
            let port = gateway.port
            try await Blocking.run {
                try RealNginx.with(nginxRules) { nginx in
                    for request in Self.requests {
                        for port in [nginx, port] {
                            _ = try BesideProxy.ask(port, request, isHead: request.hasPrefix("HEAD"))
                        }
                    }
                }
            }
            let expected = try folder.text("nginx.log")
            try await Wait.until("the log is written") {
                try folder.text("own.log").split(separator: "\n").count == Self.requests.count
            }
            let found = try folder.text("own.log")
            for (line, other) in zip(found.split(separator: "\n"), expected.split(separator: "\n")) {
                // nginx writes a tab as it is with escape=none, which is a control byte.
                #expect(line == (escape == "none" ? other.replacing("\t", with: "\\x09")[...] : other))
            }
            #expect(expected.split(separator: "\n").count == Self.requests.count)
        }
    }

    @Test("The combined form, and what Shunt decided")
    func combined() async throws {
        let folder = try TestFolder()
        for (format, pattern) in [
            (
                "combined",
                #"^127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:[\d:]{8} \+0000\] "GET /x HTTP/1\.1" 410 5 "-" "curl"\n$"#
            ),
            (
                "$msec $request_time $shunt_decision $shunt_version $shunt_rule",
                #"^\d{10}\.\d{3} 0\.\d{3} respond 1 .*:1:21\n$"#
            ),
        ] {
            let change = RunningGateway.Change { options in
                options.accessLog = folder.path + "/log"
                if let format = try? AccessLogFormat(format) { options.accessLogFormat = format }
            }
            try await RunningGateway.with(["rules.conf": "server { listen 80; return 410 'gone\n'; }"], options: change)
            {
                _ = try await $0.get("/x", headers: ["User-Agent: curl"])
                try await Wait.until("the log is written") { (try? folder.text("log").hasSuffix("\n")) == true }
            }
            let text = try folder.text("log")
            let expression = try Regex(pattern)
            #expect(text.contains(expression), "\(text)")
            try folder.remove("log")
        }
    }

    /// A client's text with controls, and one that is not UTF-8: a control of one byte, and one that two values make.
    private static let agents: [[UInt8]] = [
        Array("\u{9b}31m\u{202e}x\u{200f}é–\u{61c}".utf8), [0x9b] + Array("31m é ".utf8) + [0xc2, 0xc2, 0x9b, 0xc2],
    ]

    @Test(
        "Bytes that a terminal obeys are escaped: C1 controls, and marks that turn the direction",
        arguments: [
            (0, "escape=json $http_user_agent", #"\u009B31m\u202Ex\u200Fé–\u061C"#),
            (0, "escape=none $http_user_agent", #"\xC2\x9B31m\xE2\x80\xAEx\xE2\x80\x8Fé–\xD8\x9C"#),
            (0, "json", #""user_agent":"\u009b31m\u202ex\u200fé–\u061c""#),
            (
                1, "escape=json $http_user_agent$http_next é",
                #"\u009B31m \u00C3\u00A9 \u00C2\u00C2\u009B\u00C2\u009B31m é"#
            ),
            (
                1, "escape=none $http_user_agent$http_next é",
                #"\x9B31m \xC3\xA9 \xC2\xC2\x9B\xC2\x9B31m é"#
            ),
            (1, "json", #""user_agent":"�31m é �\u009b�""#),
        ]
    )
    func terminals(agent: Int, format: String, expected: String) async throws {
        let folder = try TestFolder()
        let change = RunningGateway.Change { options in
            options.accessLog = folder.path + "/log"
            if let format = try? AccessLogFormat(format) { options.accessLogFormat = format }
        }
        try await RunningGateway.with(["rules.conf": "server { return 204; }"], options: change) {
            let head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nUser-Agent: "
            let next = Array("\r\nNext: ".utf8) + [0x9b] + Array("31m\r\n\r\n".utf8)
            _ = try await $0.send(Array(head.utf8) + Self.agents[agent] + next)
        }
        let text = try folder.text("log")
        #expect(text.contains(expected), "\(text)")
    }

    @Test(
        "Texts that are not a format",
        arguments: [
            ("$remote_adr", "did you mean \"$remote_addr\"?"), ("escape=jsn $host", "default, json or none"),
            ("combned", "neither json, common or combined"), ("${host", "without its \"}\""), ("", "neither json"),
        ]
    )
    func refused(text: String, message: String) {
        #expect(performing: { try AccessLogFormat(text) }, throws: { "\($0)".contains(message) })
    }
}
#endif
