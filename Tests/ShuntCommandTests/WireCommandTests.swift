import Foundation
import Glibc
import TestFolder
import Testing

@Suite("shunt test --against")
struct WireCommandTests {
    /// A server that answers each path from a table, and closes the connection for others.
    private final class Server: Sendable {
        let port: Int
        private let socket: Int32

        init(_ answers: [String: String]) throws {
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = socket
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, size) == 0 && listen(socket, 64) == 0 ? getsockname(socket, $0, &size) : -1
                }
            }
            guard status == 0 else { throw ProgramError("no port") }
            port = Int(UInt16(bigEndian: address.sin_port))
            Thread.detachNewThread {
                while true {
                    let connection = accept(socket, nil, nil)
                    guard connection >= 0 else { return }
                    var bytes = [UInt8](repeating: 0, count: 8192)
                    let count = recv(connection, &bytes, bytes.count, 0)
                    let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
                    if words.count > 1, let answer = answers[String(words[1])] {
                        let text = Array("HTTP/1.1 \(answer)\r\nConnection: close\r\n\r\n".utf8)
                        _ = send(connection, text, text.count, Int32(MSG_NOSIGNAL))
                    }
                    close(connection)
                }
            }
        }

        deinit {
            shutdown(socket, Int32(SHUT_RDWR))
            close(socket)
        }
    }

    private static let rules = """
        server {
            listen 80;
            location /old/ { rewrite ^/old/(.*)$ /new/$1 permanent; }
            location /gone { return 410; }
            location /shut { return 444; }
        }
        """

    private static let tests = """
        GET /old/a%20b example.com -> redirect 301
        GET /gone example.com -> respond 410
        GET /shut example.com -> respond 444
        GET /x example.com -> forward
        https://example.com/gone -> respond 410
        GET /gone example.com -> respond 410
            @remote 192.0.2.1
        """

    @Test("Answers are compared with what the rules decide")
    func comparison() throws {
        let server = try Server([
            "/old/a%20b": "301 Moved\r\nLocation: /new/a%20b", "/gone": "410 Gone", "/x": "200 OK",
        ])
        let folder = try TestFolder(["rules.conf": Self.rules, "a.requests": Self.tests])
        let outcome = try folder.run([
            "test", "--rules", "rules.conf", "--against", "http://127.0.0.1:\(server.port)", "--jobs", "3",
        ])
        #expect(
            outcome.text == """
                not sent: 1, as each has another client's address
                not sent: 1, as each is for https, and --against names no such server
                6 requests: 3 agree, 0 differ, 1 are forwarded by the rules and cannot be compared

                """
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("Examples of rules for whole URLs have the scheme of the only server, and a check of nothing fails")
    func schemes() throws {
        let server = try Server(["/old": "301 Moved\r\nLocation: http://127.0.0.1/new", "/": "200 OK"])
        let folder = try TestFolder([
            "rules.conf": "redirects l;", "l": "/old http://127.0.0.1/new\n", "urls": "https://example.com/old\n",
        ])
        let arguments = ["test", "--rules", "rules.conf", "--against", "http://127.0.0.1:\(server.port)"]
        let examples = try folder.run(arguments + ["--examples"])
        #expect(examples.text.contains(" 1 agree, 0 differ"), "\(examples.text)")
        #expect(examples.status == 0)
        let log = try folder.run(arguments + ["--log", "urls"])
        #expect(log.text.contains("1 requests: 0 agree, 0 differ"))
        #expect(log.status == 3)
    }

    @Test("A difference is shown with both sides, and ends the command with 1")
    func differences() throws {
        let server = try Server([
            "/old/a%20b": "302 Found\r\nLocation: http://example.com/new/a%20b", "/gone": "404 Not Found",
        ])
        let folder = try TestFolder([
            "rules.conf": Self.rules, "a.requests": Self.tests, "log": "http://example.com/gone\n",
        ])
        let address = "http://127.0.0.1:\(server.port)"
        let outcome = try folder.run(["test", "--rules", "rules.conf", "--against", address, "--log", "log"])
        #expect(
            outcome.text.hasPrefix(
                """
                differs  a.requests:1  example.com/old/a%20b
                         rules   redirect 301 http://example.com/new/a%20b
                         server  302 http://example.com/new/a%20b
                differs  a.requests:2  example.com/gone
                         rules   respond 410
                         server  404
                differs  log  http://example.com/gone

                """
            ),
            "\(outcome.text)"
        )
        #expect(outcome.status == 1)
        let json = try folder.run(["test", "--rules", "rules.conf", "--against", address, "--format", "json"])
        #expect(json.text.hasPrefix(#"{"schema":"shunt-test-against/1","requests":6,"same":1,"#), "\(json.text)")
    }

    @Test("A server that is not there is no answer, and options of --against need it")
    func failures() throws {
        let folder = try TestFolder(["rules.conf": Self.rules, "a.requests": "GET /gone example.com -> respond 410\n"])
        let closed = try folder.run(["test", "--rules", "rules.conf", "--against", "http://127.0.0.1:1"])
        #expect(closed.status == 3)
        #expect(closed.text.contains("127.0.0.1:1: "))
        #expect(try folder.run(["test", "--rules", "rules.conf", "--examples"]).status == 2)
        #expect(try folder.run(["test", "--rules", "rules.conf", "--against", "ftp://x/y"]).status == 2)
    }
}
