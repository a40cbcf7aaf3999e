#if Gateway
import Shunt
import ShuntCore
import ShuntGateway
import TestFolder
import Testing

/// Pages for requests that cannot be read.
@Suite struct RefusalPageTests {
    @Test("A request that cannot be read gets the page of the default server")
    func pages() async throws {
        let folder = try TestFolder(["bad.html": "bad"])
        let rules = """
            server {
                listen 80;
                root \(folder.path);
                add_header X-Own o always;
                error_page 400 /bad.html;
                error_page 414 = /long;
                error_page 494 =302 http://b.test/large;
                location = /long { return 200 long; }
            }
            """
        let change = RunningGateway.Change { $0.engine.fileSystem = LocalFileSystem() }
        try await RunningGateway.with(["r.conf": rules], options: change) { (gateway) async throws in
            func answer(_ text: String) async throws -> TestResponse? {
                try await gateway.send(text + "\r\n\r\n").first
            }
            for text in ["GET / HTTP/1.1\r\nHost: a\r\nHost: b", "no request", "GET / HTTP/1.1\r\nHost: a b"] {
                let bad = try await answer(text)
                #expect(bad?.status == 400 && bad?.text == "bad" && bad?["X-Own"] == "o", "\(text)")
                #expect(bad?["connection"] == "close")
            }
            let target = "/" + String(repeating: "x", count: 70_000)
            let long = try await answer("GET \(target) HTTP/1.1\r\nHost: a")
            #expect(long?.status == 200 && long?.text == "long")
            let large = try await answer("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "x", count: 70_000))
            #expect(large?.status == 302 && large?["location"] == "http://b.test/large")
        }
    }

    @Test("Without a page such a request gets the reason, and the headers of the default server")
    func reasons() async throws {
        let rules = "server { listen 80; add_header X-Own o always; error_page 404 /x; return 200; }"
        try await RunningGateway.with(["r.conf": rules]) { (gateway) async throws in
            let bad = try await gateway.send("no request\r\n\r\n").first
            #expect(bad?.status == 400 && bad?["X-Own"] == "o" && bad?.text.hasPrefix("400 Bad Request: ") == true)
        }
    }
}
#endif
