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
