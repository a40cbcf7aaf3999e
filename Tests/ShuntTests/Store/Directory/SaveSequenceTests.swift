import Shunt
import Synchronization
import TestFolder
import Testing

/// The steps of editors and copying programs with a file, on a real disk with real events.
@Suite("Saving rule files")
struct SaveSequenceTests {
    struct Sequence: Sendable, CustomTestStringConvertible {
        var name: String
        /// Commands that put `new.txt`, which is next to the rules, in place of `rules/20.conf`.
        var commands: String
        var testDescription: String { name }
    }

    static let sequences: [Sequence] = [
        Sequence(name: "in place", commands: "cat new.txt > rules/20.conf"),
        Sequence(
            name: "appended in two steps",
            commands: "head -c 9 new.txt > rules/20.conf; tail -c +10 new.txt >> rules/20.conf"
        ),
        Sequence(
            name: "vim",
            commands:
                "touch rules/4913; rm rules/4913; mv rules/20.conf rules/20.conf~; cat new.txt > rules/20.conf; rm rules/20.conf~"
        ),
        Sequence(
            name: "vim, with a backup copy",
            commands: "cp rules/20.conf rules/20.conf~; cat new.txt > rules/20.conf; rm rules/20.conf~"
        ),
        Sequence(
            name: "emacs",
            commands:
                "ln -s user@host rules/.#20.conf; cp new.txt rules/#20.conf#; mv rules/20.conf rules/20.conf~; cat new.txt > rules/20.conf; rm rules/.#20.conf rules/#20.conf#"
        ),
        Sequence(
            name: "nano and gedit",
            commands: "cp new.txt rules/.goutputstream-AB12; mv rules/.goutputstream-AB12 rules/20.conf"
        ),
        Sequence(
            name: "a rename over it",
            commands: "cp new.txt rules/20.conf.tmp; mv rules/20.conf.tmp rules/20.conf"
        ),
        Sequence(name: "sed -i", commands: "sed -i 's/number-1/number-2/' rules/20.conf"),
        Sequence(
            name: "rsync",
            commands:
                "cp new.txt rules/.20.conf.Xy12zz; touch -d '2001-01-01' rules/.20.conf.Xy12zz; mv rules/.20.conf.Xy12zz rules/20.conf"
        ),
        Sequence(
            name: "the same size and time",
            commands: "touch -r rules/20.conf stamp; cat new.txt > rules/20.conf; touch -r stamp rules/20.conf"
        ),
        Sequence(name: "removed and made anew", commands: "rm rules/20.conf; cp new.txt rules/20.conf"),
        Sequence(name: "a hard link", commands: "cp new.txt other.txt; ln -f other.txt rules/20.conf"),
        Sequence(
            name: "a link to elsewhere in the rules",
            commands: "mkdir rules/parts; cp new.txt rules/parts/20.txt; ln -sf parts/20.txt rules/20.conf"
        ),
        Sequence(
            name: "the directory renamed",
            commands: "cp -r rules rules.new; cp new.txt rules.new/20.conf; mv rules rules.old; mv rules.new rules"
        ),
        Sequence(
            name: "the directory removed and made anew",
            commands: "cp -r rules copy; rm -r rules; mkdir rules; cp copy/* rules; cp new.txt rules/20.conf"
        ),
        Sequence(
            name: "a directory put in by a link",
            commands: "cp -r rules release; cp new.txt release/20.conf; mv rules rules.old; ln -s release rules"
        ),
    ]

    /// A store that watches `rules` in a folder, and the reports it makes.
    static func watching(_ folder: TestFolder, _ path: String = "rules") async throws -> (
        RuleStore, AsyncStream<ReloadReport>
    ) {
        let (reports, sink) = AsyncStream.makeStream(of: ReloadReport.self)
        var options = RuleStore.Options()
        options.observers.append { if case .reload(let report) = $0 { sink.yield(report) } }
        options.damping = nil
        var watching = DirectorySource.Options()
        // As short as it may be, for a test that is run often.
        watching.quietPeriod = .milliseconds(40)
        let source = DirectorySource(folder.path + "/" + path, options: watching)
        return (try await RuleStore.open(source, options: options), reports)
    }

    static func text(_ number: Int) -> String { "set $set20 number-\(number);\n" }

    /// Waits until a set is in use.
    static func waits(
        for reports: AsyncStream<ReloadReport>,
        until isWanted: @escaping @Sendable (ReloadReport) -> Bool
    ) async throws {
        try await within {
            for await report in reports where isWanted(report) { return }
        }
    }

    /// Runs until a change that is made again and again has been seen once, so that events are being listened to.
    static func isListening(_ folder: TestFolder, _ store: RuleStore) async throws {
        let version = store.snapshot.version
        try await within {
            var number = 0
            while store.snapshot.version == version {
                try folder.write("rules/90.conf", "set $warm w\(number);\n")
                number += 1
                try await Task.sleep(for: .milliseconds(60))
            }
        }
    }

    @Test(arguments: sequences) func isSeen(_ sequence: Sequence) async throws {
        let folder = try TestFolder()
        try folder.makeDirectory("rules")
        try folder.write("rules/10.conf", "set $set10 always;\n")
        try folder.write("rules/20.conf", Self.text(1))
        try folder.write("new.txt", Self.text(2))
        let (store, reports) = try await Self.watching(folder)
        let watcher = Task { await store.watch() }
        try await Self.isListening(folder, store)
        #expect(folder.shell(sequence.commands) == 0)
        try await Self.waits(for: reports) { NumberedRules.numbers(in: $0.snapshot.archive) == ["2"] }
        #expect(store.source.condition == nil)
        watcher.cancel()
        await watcher.value
    }

    @Test func ofManyFilesByGitIsOneChange() async throws {
        let folder = try TestFolder()
        try folder.makeDirectory("rules")
        let git = "git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main"
        for number in 1...2 {
            for file in 0..<100 { try folder.write("rules/\(100 + file).conf", "set $set\(file) number-\(number);\n") }
            let made = number == 1 ? "\(git) init rules && " : ""
            try #require(
                folder.shell("\(made)cd rules && \(git) add . && \(git) commit -m x && \(git) tag v\(number)") == 0
            )
        }
        let (store, reports) = try await Self.watching(folder)
        let watcher = Task { await store.watch() }
        try await Self.isListening(folder, store)
        #expect(folder.shell("cd rules && \(git) checkout -f v1") == 0)
        try await Self.waits(for: reports) { report in
            let numbers = NumberedRules.numbers(in: report.snapshot.archive)
            #expect(numbers.count == 1)
            return numbers == ["1"]
        }
        watcher.cancel()
        await watcher.value
    }

    @Test func byASlowWriterIsSeenWhenItIsDone() async throws {
        let folder = try TestFolder()
        try folder.makeDirectory("rules")
        try folder.write("rules/20.conf", Self.text(1))
        let (store, reports) = try await Self.watching(folder)
        let watcher = Task { await store.watch() }
        try await Self.isListening(folder, store)
        // Each line is a whole rule set: a prefix would pass every check. The writer pauses for longer than the quiet
        // period after each.
        let lines = (0..<8).map { "echo 'set $line\($0) number-2;'; sleep 0.1" }.joined(separator: "; ")
        #expect(folder.shell("{ \(lines); } > rules/20.conf") == 0)
        try await Self.waits(for: reports) { report in
            guard NumberedRules.numbers(in: report.snapshot.archive) == ["2"] else { return false }
            // set $warm, and the eight lines.
            #expect(report.snapshot.ruleCount == 9)
            return true
        }
        watcher.cancel()
        await watcher.value
    }

    @Test func wronglyIsToldAndChangesNothing() async throws {
        let folder = try TestFolder()
        try folder.makeDirectory("rules")
        try folder.write("rules/20.conf", Self.text(1))
        let (store, reports) = try await Self.watching(folder)
        let watcher = Task { await store.watch() }
        try await Self.isListening(folder, store)
        for (command, reason) in [
            ("echo 'sett $a b;' > rules/20.conf", ReloadError.Reason.invalid), ("rm rules/*.conf", .empty),
            ("mv rules rules.away", .invalid),
        ] {
            #expect(folder.shell(command) == 0)
            try await Self.waits(for: reports) { $0.failure?.reason == reason }
            #expect(NumberedRules.numbers(in: store.snapshot.archive) == ["1"])
        }
        #expect(
            folder.shell(
                "mv rules.away rules; echo 'set $a number-3;' > rules/20.conf"
            ) == 0
        )
        try await Self.waits(for: reports) { NumberedRules.numbers(in: $0.snapshot.archive) == ["3"] }
        watcher.cancel()
        await watcher.value
    }
}
