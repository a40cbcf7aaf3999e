import Glibc
import ShuntCore
import Testing

/// The same things asked of the real file system and of the one in memory.
@Suite struct FileSystemTests {
    /// A separate directory for each test, taken away afterwards.
    private final class Sandbox {
        let path: String

        init() {
            let number = UInt64.random(in: 0...UInt64.max)
            path = "/tmp/shunt-file-system-tests-\(number)"
            mkdir(path, 0o755)
            mkdir(path + "/d", 0o755)
            write("hello", to: "d/a.txt", mode: 0o644)
            write("", to: "d/B", mode: 0o755)
            mkdir(path + "/d/c", 0o755)
            symlink("a.txt", path + "/d/link")
            symlink("d", path + "/linked")
            symlink("round", path + "/round")
            mkfifo(path + "/pipe", 0o644)
        }

        private func write(_ text: String, to name: String, mode: mode_t) {
            let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT, mode)
            _ = Glibc.write(descriptor, text, text.utf8.count)
            close(descriptor)
        }

        deinit {
            for name in ["d/a.txt", "d/B", "d/link", "linked", "round", "pipe"] { unlink(path + "/" + name) }
            for name in ["/d/c", "/d", ""] { rmdir(path + name) }
        }
    }

    private static func inMemory(_ root: String) -> InMemoryFileSystem {
        var files = InMemoryFileSystem([root + "/d/a.txt": "hello"])
        files.set(root + "/d/B", .file([], isOwnerExecutable: true))
        files.set(root + "/d/c", .directory)
        files.set(root + "/d/link", .link("a.txt"))
        files.set(root + "/linked", .link("d"))
        files.set(root + "/round", .link("round"))
        files.set(root + "/pipe", .special(.pipe))
        return files
    }

    private func both(_ body: (any FileSystem, String) throws -> Void) rethrows {
        let sandbox = Sandbox()
        try body(LocalFileSystem(), sandbox.path)
        try body(Self.inMemory(sandbox.path), sandbox.path)
        withExtendedLifetime(sandbox) {}
    }

    private func reason(_ body: () throws -> Void) -> FileError.Reason? {
        do {
            try body()
            return nil
        } catch {
            return (error as? FileError)?.reason
        }
    }

    @Test func readsRegularFiles() throws {
        try both { (files, root) throws in
            try #expect(files.read(root + "/d/a.txt", limit: 5) == Array("hello".utf8))
            try #expect(files.read(root + "/d/B", limit: 0) == [])
            #expect(reason { _ = try files.read(root + "/d/a.txt", limit: 4) } == .overLimit(4))
            #expect(reason { _ = try files.read(root + "/none", limit: 4) } == .notFound)
            #expect(reason { _ = try files.read(root + "/d/a.txt/x", limit: 4) } == .notFound)
        }
    }

    @Test func readsNothingElseAndDoesNotWait() {
        both { files, root in
            #expect(reason { _ = try files.read(root + "/pipe", limit: 9) } == .wrongKind(.pipe))
            #expect(reason { _ = try files.read(root + "/d", limit: 9) } == .wrongKind(.directory))
        }
        #expect(reason { _ = try LocalFileSystem().read("/dev/zero", limit: 9) } == .wrongKind(.device))
    }

    @Test func followsNoLinkWhenItReads() {
        both { files, root in
            #expect(reason { _ = try files.read(root + "/d/link", limit: 9) } == .symbolicLink)
            // In the middle of a path too.
            #expect(reason { _ = try files.read(root + "/linked/a.txt", limit: 9) } != nil)
        }
    }

    @Test func listsNamesInOrder() throws {
        try both { (files, root) throws in
            try #expect(files.list(root + "/d", limit: 9) == ["B", "a.txt", "c", "link"])
            try #expect(files.list(root + "/linked", limit: 9) == ["B", "a.txt", "c", "link"])
            #expect(reason { _ = try files.list(root + "/d", limit: 3) } == .overLimit(3))
            #expect(reason { _ = try files.list(root + "/d/a.txt", limit: 3) } == .notFound)
        }
    }

    @Test func listsNamesThatAreNoText() throws {
        let sandbox = Sandbox()
        let name: [CChar] = Array("\(sandbox.path)/d/c/x".utf8CString.dropLast()) + [CChar(bitPattern: 0xff), 0]
        close(open(name, O_WRONLY | O_CREAT, 0o644))
        defer { unlink(name) }
        let files = LocalFileSystem()
        let names = try files.list(sandbox.path + "/d/c", limit: 9)
        #expect(names == ["x\u{fffd}"])
        // Reading it fails, so that it is not left out.
        #expect(reason { _ = try files.read(sandbox.path + "/d/c/x\u{fffd}", limit: 9) } == .notFound)
        withExtendedLifetime(sandbox) {}
    }

    @Test func knowsWhatAPathLeadsTo() throws {
        try both { (files, root) throws in
            try #expect(files.attributes(root + "/d/link").kind == .regular)
            try #expect(files.attributes(root + "/linked/a.txt").size == 5)
            try #expect(files.attributes(root + "/linked").kind == .directory)
            try #expect(files.attributes(root + "/pipe").kind == .pipe)
            try #expect(files.attributes(root + "/d/B").isOwnerExecutable)
            try #expect(!files.attributes(root + "/d/a.txt").isOwnerExecutable)
            try #expect(files.attributes(root + "/d").isOwnerExecutable)
            #expect(reason { _ = try files.attributes(root + "/none") } == .notFound)
            #expect(reason { _ = try files.attributes(root + "/round") } == .symbolicLink)
        }
    }

    @Test func takesPathsOfAnyBytes() throws {
        try both { (files, root) throws in
            let good = Array((root + "/d/a.txt").utf8)
            try #expect(files.attributes(good.span).size == 5)
            for bad in [
                good + [0], good + [0, 0x41], good + [0xff], [], [0x2f] + [UInt8](repeating: 0x61, count: 100_000),
            ] {
                #expect(reason { _ = try files.attributes(bad.span) } == .notFound)
            }
        }
    }

    @Test func findsRealPaths() throws {
        try both { (files, root) throws in
            try #expect(files.realPath(root + "/linked/../d/./link") == root + "/d/a.txt")
            #expect(reason { _ = try files.realPath(root + "/none") } == .notFound)
        }
    }

    @Test func memoryForgetsWhatIsTakenAway() throws {
        var files = Self.inMemory("/r")
        files.remove("/r/d")
        #expect(reason { _ = try files.attributes("/r/d/a.txt") } == .notFound)
        try #expect(files.list("/r", limit: 9) == ["linked", "pipe", "round"])
    }
}
