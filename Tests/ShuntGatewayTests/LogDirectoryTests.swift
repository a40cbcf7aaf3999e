#if Gateway
import Glibc
import NginxOracle
import Shunt
import TestFolder
import Testing

@testable import ShuntGateway

@Suite("The directories that logs of rules may be in", .timeLimit(.minutes(10)))
struct LogDirectoryTests {
    /// A file that must not be written, next to the folders of logs and of rules.
    private static func folder() throws -> TestFolder {
        let folder = try TestFolder(["secret/keys": "own", "logs/a.log": "", "rules/logs/x": ""])
        let links = [
            ("secret/keys", "logs/link"), ("secret", "logs/way"), ("secret", "rules/away"), ("logs", "named"),
        ]
        for (target, link) in links { #expect(symlink("\(folder.path)/\(target)", "\(folder.path)/\(link)") == 0) }
        #expect(mkfifo(folder.path + "/logs/pipe", 0o600) == 0)
        try folder.makeDirectory("logs/folder")
        return folder
    }

    @Test(
        "A file outside, a link and what is not a regular file are refused",
        arguments: [
            (["/logs"], "/logs/b.log", nil), (["/logs/"], "/logs/folder/./b.log", nil),
            (["/named"], "/named/b.log", nil),
            (["/secret", "/logs"], "/logs/b.log", nil), ([], "logs/b.log", nil), ([], "/rules/logs/b.log", nil),
            ([], "/logs/b.log", "allow it with --log-directory {}/logs"),
            ([], "b.log", "allow it with --log-directory {}/rules"),
            ([], "logs", "allow it with --log-directory {}/rules"),
            (["/logs"], "logs/b.log", "allow it with --log-directory {}/rules/logs"),
            (["/logs"], "/logs", "allow it with --log-directory {}"),
            (["/logs"], "/logs2/b.log", "allow it with --log-directory {}/logs2"),
            (["/logs"], "/logs/../secret/keys", "is not in a directory for logs"),
            (["/logs"], "/secret/keys", "is not in a directory for logs"),
            (["/logs"], "/logs/link", "is reached through a link"),
            (["/logs"], "/logs/way/keys", "is reached through a link"),
            ([], "away/keys", "is not in a directory for logs"),
            (["/logs"], "/logs/pipe", "is not a regular file"), (["/logs"], "/logs/folder", "is not a regular file"),
            (["/logs"], "/logs/none/b.log", "No such file or directory"),
        ] as [([String], String, String?)]
    )
    func places(named: [String], path: String, problem: String?) throws {
        let folder = try Self.folder()
        let directories = LogDirectories(named.map { folder.path + $0 }, rules: folder.path + "/rules")
        let full = path.hasPrefix("/") ? folder.path + path : path
        do throws(SystemCallError) {
            let file = try directories.open(full)
            #expect(problem == nil, "\(path)")
            #expect(file.write(Array("line\n".utf8)) == nil)
        } catch {
            let expected = try #require(problem, "\(error)").replacing("{}", with: folder.path)
            #expect(error.description.contains(expected), "\(error)")
            #expect(error.description.contains(full))
        }
        #expect(try folder.text("secret/keys") == "own")
    }

    @Test("The default is not a link that a rule author makes")
    func linkedDefault() throws {
        let folder = try TestFolder(["secret/keys": "own", "rules/a.conf": ""])
        #expect(symlink(folder.path + "/secret", folder.path + "/rules/logs") == 0)
        #expect(throws: SystemCallError.self) {
            try LogDirectories([], rules: folder.path + "/rules").open("logs/keys")
        }
    }

    @Test("Rules that are refused create no file, and rules in use do at once")
    func afterUse() async throws {
        let folder = try TestFolder()
        let change = RunningGateway.Change { $0.logDirectories = [folder.path] }
        func rules(_ name: String, _ server: String) -> String {
            "access_log \(folder.path)/\(name); upstream u { server \(server); } server { listen 80; return 200 x; }"
        }
        try await RunningGateway.with(["a.conf": rules("one", "127.0.0.1")], options: change) { gateway in
            try gateway.directory.replace("a.conf", rules("refused", "no-such-name.invalid"))
            #expect(await gateway.gateway.reload().failure != nil)
            try gateway.directory.replace("a.conf", rules("two", "127.0.0.1"))
            #expect(await gateway.gateway.reload().failure == nil)
            try await Wait.until("the file is there") { access(folder.path + "/two", F_OK) == 0 }
        }
        #expect(access(folder.path + "/one", F_OK) == 0)
        #expect(access(folder.path + "/refused", F_OK) != 0)
    }

    @Test("A log that is not allowed is a warning with the option that allows it")
    func warning() async throws {
        let folder = try TestFolder()
        let rules = "access_log \(folder.path)/a.log; server { listen 80; return 200 x; }"
        try await RunningGateway.with(["a.conf": rules]) { gateway in
            #expect(try await gateway.get("/").status == 200)
            try await Wait.until("a warning comes") {
                gateway.messages.all.contains {
                    $0.contains("a.conf:1:1: the access log \(folder.path)/a.log is not written: ")
                        && $0.contains("allow it with --log-directory \(folder.path); lines are lost")
                }
            }
        }
        #expect(access(folder.path + "/a.log", F_OK) != 0)
    }
}
#endif
