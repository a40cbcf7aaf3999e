#if Gateway
import NginxOracle
import Shunt
import ShuntGateway
import TestFolder
import Testing

/// The candidates of `try_files` that are not paths with a slash, and an `alias` to a file, as nginx has them.
@Suite(.serialized) struct TriedFilesTests {
    @Test(
        "A candidate may be the folder itself, or a name without a slash",
        arguments: [
            "/dir/x", "/dir/", "/dir/sub/", "/dir/?a=b", "/name/one", "/name/none", "/name/", "/empty/one",
            "/empty/none", "/empty/sub", "/empty/", "/cdn/one", "/cdn/none", "/index/sub", "/index/one", "/index/none",
            "/post/one", "/file/", "/file", "/file/x", "/regex/",
        ]
    )
    func candidates(target: String) async throws {
        let folder = try TestFolder(["one": "1", "sub/index.html": "i", "index.html": "top", "x": "x"])
        let path = folder.path
        let rules = """
            server {
                listen 80;
                absolute_redirect off;
                location /dir/ { root \(path); try_files $uri / =404; }
                location ~ ^/name/(.*)$ { alias \(path)/; try_files $1 =404; }
                location ~ ^/empty/(.*)$ { alias \(path)/$1; try_files "" =404; }
                location ~ ^/cdn/(.*)$ { alias \(path)/$1; try_files "" @cdn; }
                location ~ ^/index/(.*)$ { alias \(path)/; try_files $1 $1/index.html =410; }
                location /file/ { error_page 404 =200 /name/one; alias \(path)/one; }
                location ~ ^/regex { error_page 404 =200 /name/one; alias \(path)/one; }
                location /post/ { alias \(path)/; try_files one =404; }
                location @cdn { return 302 /cdn; }
            }
            """
        @Sendable func answer(at port: UInt16) throws -> [String?] {
            var connection = try TestConnection(port: port)
            try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n")
            guard let response = try connection.response() else { return [] }
            return ["\(response.status)", response["location"], response.status == 200 ? response.text : nil]
        }
        try await RunningGateway.expectAsNginx(rules, answer(at:))
    }

    @Test("The real root is the root without links, and empty where there is none")
    func realRoot() async throws {
        let folder = try TestFolder(["one/x": "x"])
        try folder.turn("two", to: "one")
        let path = folder.path
        let rules = """
            server {
                listen 80;
                location /link { root \(path)/two/; return 200 "$realpath_root|$document_root"; }
                location /plain { root \(path)/one; return 200 "$realpath_root"; }
                location /up { alias \(path)/two/../one; return 200 "$realpath_root"; }
                location /none { root \(path)/none; return 200 "[$realpath_root]"; }
            }
            """
        try await RunningGateway.expectAsNginx(rules) { (port) throws -> [String?] in
            try ["/link", "/plain", "/up", "/none"]
                .map { target in
                    var connection = try TestConnection(port: port)
                    try connection.send("GET \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n")
                    return try connection.response()?.text
                }
        }
    }
}
#endif
