import Dispatch
import Foundation
import ShuntCore
import TestFolder
import Testing

@testable import Shunt

/// Stores that watch their own directories in one process, such as one for each tenant.
@Suite("Many stores in a process")
struct ManyStoresTests {
    /// Stores with one inotify instance.
    final class Stores: Sendable {
        let folder: TestFolder
        let stores: [RuleStore]
        private let watches: [RuleWatch]

        /// Opens and watches a store for each directory, which may be the same for several.
        init(
            _ directories: [String],
            inotify: SharedInotify = SharedInotify(),
            validating: @escaping @Sendable (RuleStore.Candidate) throws -> Void = { _ in }
        ) async throws {
            folder = try TestFolder()
            for directory in Set(directories) { try folder.write(directory + "/a.conf", Self.text(1)) }
            var options = RuleStore.Options()
            options.damping = nil
            options.validate = validating
            var watching = DirectorySource.Options()
            watching.quietPeriod = .milliseconds(40)
            // Only events show a change.
            watching.pollInterval = .seconds(86_400)
            var stores: [RuleStore] = []
            for directory in directories {
                let source = DirectorySource(
                    folder.path + "/" + directory,
                    options: watching,
                    clock: SystemStoreClock(),
                    files: LocalFileSystem()
                ) { InotifyEvents(inotify) }
                stores.append(try await RuleStore.open(source, options: options))
            }
            self.stores = stores
            watches = stores.map { $0.startWatching() }
        }

        private static func text(_ version: Int) -> String { "set $set\(version) number-\(version);\n" }

        /// Changes the rules of a directory.
        func write(_ directory: String, _ version: Int) throws {
            try folder.write(directory + "/a.conf", Self.text(version))
        }

        /// Waits until stores use rules that were written.
        func use(_ version: Int, _ numbers: some Sequence<Int>) async throws {
            for store in numbers.map({ stores[$0] }) {
                try await within {
                    while store.snapshot.version != version { try await Task.sleep(for: .milliseconds(5)) }
                }
            }
        }
    }

    /// The numbers of threads and of inotify instances of this process; other tests have some, too.
    private static func counts() throws -> (threads: Int, instances: Int) {
        let files = FileManager.default
        let instances = try files.contentsOfDirectory(atPath: "/proc/self/fd")
            .count { name in
                (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) == "anon_inode:inotify"
            }
        return (try files.contentsOfDirectory(atPath: "/proc/self/task").count, instances)
    }

    @Test("They share a thread and an inotify instance, and free both")
    func share() async throws {
        let names = (0..<300).map { "tenant\($0)" }
        var inotify: SharedInotify? = SharedInotify()
        weak let freed = inotify
        let before = try Self.counts()
        var many: Stores? = try await Stores(names, inotify: inotify ?? .process)
        inotify = nil
        do {
            let many = try #require(many)
            for name in names { try many.write(name, 2) }
            // A store that has reloaded by a change watches its directory.
            try await many.use(2, names.indices)
            for store in many.stores { #expect(store.source.condition == nil) }
            try await within {
                while true {
                    let now = try Self.counts()
                    if now.threads < before.threads + names.count / 2, now.instances < before.instances + 32 { return }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            for number in [17, 203] {
                try many.write(names[number], 3)
                try await many.use(3, [number])
            }
            #expect(many.stores.indices.filter { many.stores[$0].snapshot.version != 2 } == [17, 203])
        }
        many = nil
        try await within { while freed != nil { try await Task.sleep(for: .milliseconds(5)) } }
    }

    @Test("Two of one directory both reload")
    func sameDirectory() async throws {
        let both = try await Stores(["rules", "rules"])
        for version in 2...4 {
            try both.write("rules", version)
            try await both.use(version, 0...1)
        }
        for store in both.stores { #expect(store.source.condition == nil) }
    }

    @Test("A slow reload of one does not delay another")
    func slow() async throws {
        let isSlow = Flag()
        let release = DispatchSemaphore(value: 0)
        defer { release.signal() }
        let both = try await Stores(["slow", "quick"]) { candidate in
            guard candidate.trigger == .source, candidate.archive.path.hasSuffix("slow") else { return }
            isSlow.set()
            release.wait()
            release.signal()
        }
        try both.write("slow", 2)
        try await within { while !isSlow.isSet { try await Task.sleep(for: .milliseconds(5)) } }
        for version in 2...4 {
            try both.write("quick", version)
            try await both.use(version, [1])
        }
        #expect(both.stores[0].snapshot.version == 1)
        release.signal()
        try await both.use(2, [0])
    }
}
