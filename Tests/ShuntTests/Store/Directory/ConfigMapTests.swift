import Glibc
import Shunt
import TestFolder
import Testing

/// A directory that Kubernetes fills: the files are links through `..data`, which is turned to a new directory.
@Suite("A directory that is turned")
struct ConfigMapTests {
    static let files = NumberedRules.fileCount

    /// Writes a directory with the numbered set and turns `..data` to it; the one before goes.
    static func turn(_ folder: TestFolder, to number: Int) throws {
        try folder.makeDirectory("rules/..ts\(number)")
        for file in 0..<files {
            try folder.write("rules/..ts\(number)/\(file)0.conf", NumberedRules.text(file, number))
        }
        #expect(symlink("..ts\(number)", folder.path + "/rules/..data_tmp") == 0)
        try folder.rename("rules/..data_tmp", "rules/..data")
        guard number > 0 else { return }
        for file in 0..<files { unlink(folder.path + "/rules/..ts\(number - 1)/\(file)0.conf") }
        rmdir(folder.path + "/rules/..ts\(number - 1)")
    }

    static func make() throws -> TestFolder {
        let folder = try TestFolder()
        try folder.makeDirectory("rules")
        try turn(folder, to: 0)
        for file in 0..<files {
            #expect(symlink("..data/\(file)0.conf", folder.path + "/rules/\(file)0.conf") == 0)
        }
        return folder
    }

    @Test func aThousandTimesIsNeverSeenHalf() async throws {
        let folder = try Self.make()
        var options = RuleStore.Options()
        options.damping = nil
        let source = DirectorySource(folder.path + "/rules")
        let store = try await RuleStore.open(source, options: options)
        let isDone = Flag()
        let isLoaded = Flag()
        // Turned until a set was loaded meanwhile, too: a busy machine may not reach it among the first thousand.
        let turned = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                defer { isDone.set() }
                var number = 0
                while number < 1000 || (!isLoaded.isSet && number < 100_000) {
                    number += 1
                    try Self.turn(folder, to: number)
                }
                return number
            }
            var loads = 0
            var last = 0
            while !isDone.isSet {
                let report = await store.reload()
                // Files that do not stay still are an error; a mixture or a set without a file never comes.
                if let failure = report.failure { #expect(failure.reason == .unavailable, "\(failure)") }
                let numbers = NumberedRules.numbers(in: report.snapshot.archive)
                #expect(numbers.count == 1)
                let count = report.snapshot.archive.entries.values.count { if case .file = $0 { true } else { false } }
                #expect(count == Self.files)
                let number = numbers.first.flatMap(Int.init) ?? 0
                #expect(number >= last)
                if number > last {
                    loads += 1
                    isLoaded.set()
                }
                last = number
            }
            #expect(loads > 0)
            return try await group.next()
        }
        let report = await store.reload()
        #expect(report.failure == nil)
        #expect(NumberedRules.numbers(in: report.snapshot.archive) == [turned.map(String.init) ?? ""])
    }

    @Test func isSeenByWatching() async throws {
        let folder = try Self.make()
        let (store, reports) = try await SaveSequenceTests.watching(folder)
        let watcher = Task { await store.watch() }
        // Turned until it is seen, so that the test need not know when the watcher begins.
        let turning = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try Self.turn(folder, to: number)
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        try await SaveSequenceTests.waits(for: reports) { report in
            report.trigger == .source && report.snapshot.version > 3
        }
        turning.cancel()
        _ = await turning.result
        watcher.cancel()
        await watcher.value
    }
}
