#if Gateway
import Glibc
import Shunt
import ShuntCore
import ShuntRules
import TestFolder
import Testing

@testable import ShuntGateway

/// Files as clients get them.
@Suite struct FileAnswerTests {
    private static var change: RunningGateway.Change {
        RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
    }

    @Test(
        "Ranges are those that nginx reads",
        arguments: [
            (nil, .whole), ("bytes=0-0", .parts([0..<1])), ("bytes=-3", .parts([7..<10])),
            ("bytes=8-", .parts([8..<10])),
            ("bytes=-30", .parts([0..<10])), ("bytes=0-1,5-6", .parts([0..<2, 5..<7])), ("bytes=10-", .unsatisfiable),
            ("bytes=0-9,0-9", .whole), ("bytes=5-1", .unsatisfiable), ("bytes=0-1,2-3,4-5,6-7", .whole),
            ("bytes=x", .unsatisfiable), ("bytes=", .whole), ("lines=0-1", .whole), ("bytes=3-5;", .unsatisfiable),
            ("BYTES= 1 - 2 , 4 - 4", .parts([1..<3, 4..<5])), ("bytes=0-99999999999999999999", .unsatisfiable),
            ("bytes=0-99999999999", .parts([0..<10])), ("bytes=-99999999999", .parts([0..<10])),
        ] as [(String?, FileRanges)]
    )
    func ranges(value: String?, expected: FileRanges) {
        #expect(FileRanges(value.map { Array($0.utf8) }, size: 10, limit: 3) == expected)
    }

    @Test(
        "A link leads where the policy lets it",
        arguments: [("d/f", true), ("d/own", false), ("up/f", false), ("up/own", false), ("d//f", true)]
    )
    func links(path: String, isOpen: Bool) throws {
        let folder = try TestFolder(["d/f": "x"])
        #expect(symlink("f", folder.path + "/d/own") == 0 && symlink("d", folder.path + "/up") == 0)
        func opens(_ links: LinkPolicy, after start: Int = 0) -> Bool {
            guard let file = try? LocalFileSystem.open(Array("\(folder.path)/\(path)".utf8), links: links, after: start)
            else { return false }
            close(file)
            return true
        }
        #expect(opens(.any) && opens(.ofOwner) && opens(.none) == isOpen)
        let start = folder.path.utf8.count + 1 + (path.split(separator: "/").first?.utf8.count ?? 0)
        #expect(opens(.none, after: start) == !path.hasSuffix("own"))
    }

    @Test("No file is answered with a NUL byte in its path, and none above the root")
    func escapes() async throws {
        let folder = try TestFolder(["www/f": "in", "out": "out"])
        let rules = "server { location / { root \(folder.path)/www; } location /a { alias \(folder.path)/www/; } }"
        try await RunningGateway.with(["rules.conf": rules], options: Self.change) { (gateway) async throws in
            #expect(try await gateway.get("/f").text == "in")
            #expect(try await gateway.get("/af").text == "in")
            for target in [
                "/../out", "/%2e%2e/out", "/a../out", "/a%2e%2e/out", "/f%00", "/..%2fout", "//../out", "/x/../../out",
            ] {
                #expect(try await gateway.get(target).status >= 400, "\(target)")
            }
        }
    }

    @Test("A default upstream answers in the place of files")
    func upstream() async throws {
        let folder = try TestFolder(["f": "file"])
        let upstream = try TestUpstream { _ in .text("up") }
        let change = RunningGateway.Change {
            Self.change.apply(&$0)
            RunningGateway.Change.upstream(upstream).apply(&$0)
        }
        try await RunningGateway.with(["r.conf": "server { root \(folder.path); }"], options: change) {
            (gateway) async throws in
            #expect(try await gateway.get("/f").text == "up")
        }
    }

    @Test("A slow client gets all of a long file, and one that becomes shorter ends the connection")
    func slow() async throws {
        let folder = try TestFolder()
        let bytes = (0..<30_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try folder.write(bytes, to: "long")
        let rules = "server { root \(folder.path); }"
        try await RunningGateway.with(["r.conf": rules], options: Self.change) { (gateway) async throws in
            let port = gateway.port
            let text = "GET /long HTTP/1.1\r\nHost: a.test\r\n\r\n"
            try await Blocking.run {
                var connection = try TestConnection(port: port)
                try connection.send(text)
                usleep(300_000)
                #expect(try connection.response()?.body == bytes)
                // The connection is of use.
                try connection.send(text)
                #expect(try connection.response()?.body.count == bytes.count)
                try connection.send(text)
                usleep(300_000)
                #expect(truncate(folder.path + "/long", 1_000_000) == 0)
                #expect(throws: TestProblem.self) { try connection.response() }
            }
        }
    }

    @Test(
        "A file that an upstream names is sent as nginx sends it",
        arguments: [
            [], ["Range: bytes=2-4"], ["Range: bytes=90-"], ["If-Modified-Since: Tue, 14 Nov 2100 22:13:20 GMT"],
        ]
    )
    func named(headers: [String]) async throws {
        let folder = try TestFolder(["files/f.bin": "0123456789"])
        let upstream = try TestUpstream { request in
            let target = request.line.contains("lost") ? "/files/none" : "/files/f.bin"
            let kept = ["Content-Type: text/own", "Content-Disposition: attachment", "Set-Cookie: a=b", "ETag: x"]
            return .text("no", headers: ["X-Accel-Redirect: \(target)"] + kept)
        }
        let rules = """
            server {
                listen 80;
                if_modified_since before;
                location / { proxy_pass http://127.0.0.1:\(upstream.port); }
                location /files/ { internal; root \(folder.path); expires 1h; }
            }
            """
        @Sendable func received(_ target: String, at port: UInt16) throws -> [String] {
            var connection = try TestConnection(port: port)
            let lines = ["GET \(target) HTTP/1.1", "Host: a.test"] + headers
            try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            guard let response = try connection.response() else { return [] }
            let isOwn = response.status >= 400
            let names = ["Content-Disposition", "Set-Cookie", "ETag", "Last-Modified", "Content-Range"]
            let more = isOwn ? [] : ["\(response.text)", "\(response["Content-Type"] ?? "-")"]
            return ["\(response.status)"] + names.map { "\($0): \(response[$0] ?? "-")" } + more
        }
        try await RunningGateway.with(["r.conf": rules], options: Self.change) { (gateway) async throws in
            let port = gateway.port
            let pairs = try await Blocking.run {
                try RealNginx.with(rules) { nginx in
                    try ["/a", "/lost", "/files/f.bin"]
                        .map { (try received($0, at: nginx), try received($0, at: port)) }
                }
            }
            for (expected, found) in pairs { #expect(found == expected) }
        }
    }

    @Test(
        "The conditions of a request are not those of the question about it",
        arguments: [
            [], ["Range: bytes=2-3"], ["Range: bytes=90-"], ["If-None-Match: *"], ["If-Match: \"x\""],
            ["If-Modified-Since: Tue, 14 Nov 2100 22:13:20 GMT"],
        ]
    )
    func questions(headers: [String]) async throws {
        let folder = try TestFolder(["f": "file", "ok": "ok"])
        let rules = """
            server {
                listen 80;
                root \(folder.path);
                if_modified_since before;
                location / { auth_request /auth; }
                location = /auth { internal; try_files /ok =401; }
            }
            """
        @Sendable func answer(at port: UInt16) throws -> [String?] {
            var connection = try TestConnection(port: port)
            try connection.send((["GET /f HTTP/1.1", "Host: a.test"] + headers + ["", ""]).joined(separator: "\r\n"))
            guard let response = try connection.response() else { return [] }
            let isOwn = response.status >= 400
            return [
                "\(response.status)", isOwn ? nil : response.text, response["Content-Range"],
                isOwn ? nil : response["ETag"],
            ]
        }
        try await RunningGateway.expectAsNginx(rules, options: Self.change, answer(at:))
    }

    @Test(
        "A file with a status that has no body has no type either, and a status without an end has none",
        arguments: [204, 101]
    )
    func bodiless(status: Int) async throws {
        let folder = try TestFolder(["f.txt": "file"])
        let rules = """
            server { listen 80; root \(folder.path); location /n { error_page 403 =\(status) /f.txt; return 403; } }
            """
        try await RunningGateway.with(["r.conf": rules], options: Self.change) { (gateway) async throws in
            let answer = try await gateway.get("/n")
            guard status != 101 else {
                #expect(answer.status == 200 && answer.text == "file")
                return
            }
            let port = gateway.port
            let names = ["Content-Type", "Content-Length", "Last-Modified"]
            let pair = try await Blocking.run {
                try RealNginx.with(rules) { nginx in
                    try [port, nginx]
                        .map { port in
                            var connection = try TestConnection(port: port)
                            try connection.send("GET /n HTTP/1.1\r\nHost: a.test\r\n\r\n")
                            let response = try connection.response()
                            return names.map { response?[$0] } + [response.map { "\($0.status)" }]
                        }
                }
            }
            #expect(pair[0] == pair[1])
        }
    }

    @Test("Gates come before files, and what a gate refuses gets its page")
    func gates() async throws {
        let folder = try TestFolder(["f": "file", "no.html": "page"])
        let rules = """
            server { root \(folder.path); error_page 403 /no.html; location /f { deny all; } location = /no.html { } }
            """
        try await RunningGateway.with(["r.conf": rules], options: Self.change) { (gateway) async throws in
            let answer = try await gateway.get("/f")
            #expect(answer.status == 403 && answer.text == "page")
        }
    }
}
#endif
