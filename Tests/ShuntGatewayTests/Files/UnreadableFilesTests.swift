#if Gateway
import Foundation
import Glibc
import Shunt
import ShuntCore
import TestFolder
import Testing

/// Folders and files that a user may find, but not read.
///
/// As in nginx a file is opened before its kind and the method of the request count.
@Suite struct UnreadableFilesTests {
    @Test(
        "Files that cannot be opened are forbidden",
        arguments: [
            ("GET", "/open", 301), ("GET", "/shut", 403), ("POST", "/shut", 403), ("POST", "/shut/index.html", 405),
            ("POST", "/secret", 403), ("POST", "/secret/", 404),
        ]
    )
    func unreadable(method: String, target: String, status: Int) async throws {
        let folder = try TestFolder(["open/index.html": "o", "shut/index.html": "s", "secret": "x"])
        for (name, mode) in [("shut", 0o311), ("secret", 0o200)] as [(String, mode_t)] {
            #expect(chmod(folder.path + "/" + name, mode) == 0)
        }
        var options = Engine.Options()
        options.fileSystem = LocalFileSystem()
        let engine = Engine(try RuleSet(text: "server { root \(folder.path); }"), options: options)
        var request = RuleRequest(target: target, host: "a.test")
        request.method = method
        let asked = request
        let found = try await Self.asOther { engine.decide(asked).status }
        #expect(found == status)
        #expect(chmod(folder.path + "/shut", 0o755) == 0)
    }

    /// Runs something on a thread whose user is not the superuser, who may read everything.
    private static func asOther<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws -> Value {
        typealias SetUser = @convention(c) (UInt32) -> Int32
        // The C library's header hides it from Swift; it changes this thread only.
        let setUser = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: SetUser.self)
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                if geteuid() == 0 { _ = setUser(65_534) }
                continuation.resume(returning: body())
            }
        }
    }
}
#endif
