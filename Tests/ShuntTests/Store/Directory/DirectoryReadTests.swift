import ShuntCore
import Testing

@testable import Shunt

@Suite("Reading a directory at one moment")
struct DirectoryReadTests {
    static func files(_ number: Int) -> [String: String] {
        var files: [String: String] = [:]
        for file in 0..<3 { files["/rules/\(file)0.conf"] = NumberedRules.text(file, number) }
        files["/rules/50.conf"] = "include parts/*.txt;\nblocklist list.txt;\n"
        files["/rules/parts/a.txt"] = NumberedRules.text(7, number)
        files["/rules/list.txt"] = "number-\(number).example\n"
        return files
    }

    static func source(_ files: any FileSystem, _ path: String = "/rules") -> DirectorySource {
        var options = DirectorySource.Options()
        options.attempts = 3
        return DirectorySource(path, options: options, clock: HandClock(), files: files) { nil }
    }

    /// The numbers in the files of a set, the list's host name included.
    static func numbers(_ rules: LoadedRules) -> Set<String> {
        Set(NumberedRules.numbers(in: rules.archive).map { $0.hasSuffix(".example") ? String($0.dropLast(8)) : $0 })
    }

    @Test func readsAllFilesAndListsIntoTheArchive() async throws {
        let files = EditableFiles(Self.files(1))
        let loaded = try await Self.source(files).load()
        #expect(loaded.archive.entries.count == 7)
        #expect(Self.numbers(loaded) == ["1"])
        // The archive stands for the directory: compiled again, it is the same set.
        #expect(try loaded.archive.compile().contentHash == loaded.ruleSet.contentHash)
    }

    /// At each question in turn the whole set is exchanged, by renames and in place: whatever comes out is all old or
    /// all new.
    @Test(arguments: [true, false]) func mixesNothing(_ renames: Bool) async throws {
        let quiet = EditableFiles(Self.files(1))
        _ = try await Self.source(quiet).load()
        let count = quiet.operations
        #expect(count > 30)
        for moment in 0..<count {
            let files = EditableFiles(Self.files(1))
            files.edit(before: moment) { files in
                for (path, text) in Self.files(2) {
                    if renames { files.remove(path) }
                    files.set(path, .file(Array(text.utf8)), modificationTime: .init(seconds: 5))
                }
            }
            let loaded = try await Self.source(files).load()
            #expect(Self.numbers(loaded).count == 1, "changed before question \(moment)")
        }
    }

    /// One file after another is exchanged while the set is read.
    @Test func mixesNothingWhenFilesChangeOneByOne() async throws {
        let quiet = EditableFiles(Self.files(1))
        _ = try await Self.source(quiet).load()
        for moment in stride(from: 0, to: quiet.operations, by: 3) {
            let files = EditableFiles(Self.files(1))
            for (step, (path, text)) in Self.files(2).sorted(by: { $0.key < $1.key }).enumerated() {
                files.edit(before: moment + step) { files in
                    files.set(path, .file(Array(text.utf8)), modificationTime: .init(seconds: 5))
                }
            }
            let loaded = try await Self.source(files).load()
            #expect(Self.numbers(loaded).count == 1, "changed from question \(moment) on")
        }
    }

    @Test func givesUpOnFilesThatNeverStandStill() async throws {
        let files = EditableFiles(Self.files(1))
        for moment in 0..<2000 {
            files.edit(before: moment) { files in
                files.set("/rules/00.conf", .file(Array("set $set0 number-\(moment);".utf8)))
            }
        }
        await #expect(throws: DirectorySource.UnstableError.self) { try await Self.source(files).load() }
    }

    @Test func seesAFileThatChangesWithinOneStepOfTheClock() async throws {
        // Same size, same time, same file: only reading again shows it.
        let now = HandClock().date
        let quiet = EditableFiles(Self.files(1))
        _ = try await Self.source(quiet).load()
        for moment in 0..<quiet.operations {
            let files = EditableFiles(Self.files(1), stamp: now)
            files.edit(before: moment) { files in
                for (path, text) in Self.files(2) { files.set(path, .file(Array(text.utf8))) }
            }
            let loaded = try await Self.source(files).load()
            #expect(Self.numbers(loaded).count == 1, "changed before question \(moment)")
        }
    }

    @Test func followsATurningLinkOnce() async throws {
        func kubernetes(_ data: String) -> EditableFiles {
            let files = EditableFiles([:])
            files.edit { files in
                for number in 1...2 {
                    for file in 0..<3 {
                        let text = NumberedRules.text(file, number)
                        files.set("/rules/..ts\(number)/\(file)0.conf", .file(Array(text.utf8)))
                    }
                }
                files.set("/rules/..data", .link(data))
                for file in 0..<3 { files.set("/rules/\(file)0.conf", .link("..data/\(file)0.conf")) }
            }
            return files
        }
        let quiet = kubernetes("..ts1")
        let before = try await Self.source(quiet).load()
        #expect(Self.numbers(before) == ["1"])
        #expect(before.archive.entries["/rules/00.conf"] != nil)
        for moment in 0..<quiet.operations {
            let files = kubernetes("..ts1")
            files.edit(before: moment) { $0.set("/rules/..data", .link("..ts2")) }
            // The old directory goes at once, as Kubernetes removes it.
            files.edit(before: moment + 1) { $0.remove("/rules/..ts1") }
            let loaded = try await Self.source(files).load()
            #expect(Self.numbers(loaded).count == 1, "turned before question \(moment)")
        }
    }

    @Test func keepsLinksInTheArchive() async throws {
        let files = EditableFiles(["/rules/real/a.txt": "set $a number-1;"])
        files.edit { files in
            files.set("/rules/10.conf", .file(Array("include alias/a.txt;".utf8)))
            files.set("/rules/alias", .link("real"))
            files.set("/rules/20.conf", .link("real/a.txt"))
        }
        let loaded = try await Self.source(files).load()
        #expect(try loaded.archive.compile().contentHash == loaded.ruleSet.contentHash)
    }

    @Test func compilesNothingThatIsTheSame() async throws {
        let files = EditableFiles(Self.files(1))
        let source = Self.source(files)
        let first = try await source.load()
        files.edit { files in
            // A swap file, and a copy of the same content under the same name.
            files.set("/rules/.00.conf.swp", .file([1]))
            files.set(
                "/rules/00.conf",
                .file(Array(NumberedRules.text(0, 1).utf8)),
                modificationTime: .init(seconds: 9)
            )
        }
        #expect(try await source.load().ruleSet === first.ruleSet)
        files.edit { $0.set("/rules/00.conf", .file(Array(NumberedRules.text(0, 2).utf8))) }
        #expect(try await source.load().ruleSet !== first.ruleSet)
    }

    @Test func tellsAllErrorsAndReadsAFileThatIsNamed() async throws {
        let files = EditableFiles([
            "/etc/main.conf": "include part.conf;", "/etc/part.conf": "nonsense;\nmore_nonsense;",
        ])
        do {
            _ = try await Self.source(files, "/etc/main.conf").load()
            Issue.record("nonsense was loaded")
        } catch let error as RuleSetError {
            #expect(error.diagnostics.map { "\($0.location)" } == ["/etc/part.conf:1:1", "/etc/part.conf:2:1"])
        }
    }
}
