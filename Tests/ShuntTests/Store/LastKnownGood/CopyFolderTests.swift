import Glibc
import Shunt
import TestFolder
import Testing

/// Other files in the folder of the copies.
@Suite("The folder of last-known-good copies")
struct CopyFolderTests {
    /// A file where a copy is written first.
    enum Obstacle: String, CaseIterable, CustomTestStringConvertible {
        case pipe, hardLink, symbolicLink, file

        var testDescription: String { rawValue }

        func put(at path: String) -> Bool {
            switch self {
            case .pipe: mkfifo(path, 0o600) == 0
            case .hardLink: link(path + ".precious", path) == 0
            case .symbolicLink: symlink(path + ".precious", path) == 0
            case .file: close(open(path, O_WRONLY | O_CREAT, 0o600)) == 0
            }
        }
    }

    @Test("Nothing that lies there is opened", .timeLimit(.minutes(10)), arguments: Obstacle.allCases)
    func isTakenAway(_ obstacle: Obstacle) async throws {
        let folder = try TestFolder()
        let path = folder.path + "/copy"
        try folder.replace("copy.tmp.precious", "precious")
        #expect(obstacle.put(at: path + ".tmp"))
        var options = RuleStore.Options()
        options.lastKnownGood = LastKnownGood(path: path)
        let store = try await RuleStore.open(MemorySource(NumberedRules.archive(1)), options: options)
        #expect(store.status.copyFailure == nil)
        #expect(try folder.text("copy.tmp.precious") == "precious")
        let restarted = try await RuleStore.open(MemorySource(RuleStoreTests.wrong), options: options)
        #expect(NumberedRules.numbers(in: restarted.snapshot.archive) == ["1"])
    }

    @Test("A directory there is an error that is reported")
    func directory() async throws {
        let folder = try TestFolder()
        #expect(mkdir(folder.path + "/copy.tmp", 0o700) == 0)
        var options = RuleStore.Options()
        options.lastKnownGood = LastKnownGood(path: folder.path + "/copy")
        let store = try await RuleStore.open(MemorySource(NumberedRules.archive(1)), options: options)
        #expect(store.status.copyFailure != nil)
    }
}
