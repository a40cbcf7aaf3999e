import ShuntCore
import Synchronization
import Testing

@testable import Shunt

@Suite("Watching a directory")
struct DirectoryWatchTests {
    /// A source with events, files and a clock that the test controls.
    final class Scene: Sendable {
        let files: EditableFiles
        let events = ToldEvents()
        let clock = HandClock()
        let source: DirectorySource
        /// The rules as they were read before anyone watched.
        let first: RuleSet

        init(hasEvents: Bool = true, stamp: Timestamp? = nil) async throws {
            files = EditableFiles(["/rules/a.conf": "set $a 1;"], stamp: stamp)
            let events = events
            source = DirectorySource("/rules", clock: clock, files: self.files) { hasEvents ? events : nil }
            first = try await source.load().ruleSet
        }

        func write(_ path: String, _ text: String, time: Int64 = 1) {
            files.edit { $0.set(path, .file(Array(text.utf8)), modificationTime: .init(seconds: time)) }
        }
    }

    @Test func firesAfterTheQuietPeriod() async throws {
        let scene = try await Scene()
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.events.watching()
        await scene.clock.sleeper(in: .seconds(2))
        scene.events.tell(FileEvent(.appeared, in: "/rules", name: "a.conf"))
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(100))
        scene.events.tell(FileEvent(.appeared, in: "/rules", name: "a.conf"))
        // The timer of the first event goes off and finds that the change continues.
        scene.clock.advance(by: .milliseconds(100))
        await scene.clock.sleeper(in: .milliseconds(100))
        scene.clock.advance(by: .milliseconds(100))
        #expect(await changes.next() != nil)
        // Nothing is left of it: the next step is the poll.
        await scene.clock.sleeper(in: .seconds(2))
    }

    @Test func waitsForWhoeverWrites() async throws {
        let scene = try await Scene()
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.events.watching()
        await scene.clock.sleeper(in: .seconds(2))
        // A new file: it belongs to no rule set yet, and still its writer is waited for.
        scene.events.tell(FileEvent(.appeared, in: "/rules", name: "b.conf"))
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.events.tell(FileEvent(.modified, in: "/rules", name: "b.conf"))
        scene.clock.advance(by: .milliseconds(200))
        await scene.clock.sleeper(in: .milliseconds(29_800))
        scene.clock.advance(by: .seconds(20))
        // The writer is done, and the change has taken long enough.
        scene.events.tell(FileEvent(.closed, in: "/rules", name: "b.conf"))
        #expect(await changes.next() != nil)
    }

    /// A reload for another reason does not see the half that is there, even if the event of it is late.
    @Test(arguments: [false, true]) func keepsTheSetDuringAWrite(isLate: Bool) async throws {
        let scene = try await Scene()
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.events.watching()
        await scene.clock.sleeper(in: .seconds(2))
        let event = FileEvent(.modified, in: "/rules", name: "a.conf")
        if isLate { scene.events.tellLate(event) } else { scene.events.tell(event) }
        scene.write("/rules/a.conf", "set $a 2;")
        #expect(try await scene.source.load().ruleSet === scene.first)
        scene.write("/rules/a.conf", "set $a 2; set $b 3;")
        scene.events.tell(FileEvent(.closed, in: "/rules", name: "a.conf"))
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(200))
        #expect(await changes.next() != nil)
        #expect(try await scene.source.load().ruleSet.ruleCount == 2)
    }

    /// The end of the quiet is not the end of the change if an event is late.
    @Test func waitsForWhoeverWritesIfTheEventIsLate() async throws {
        let scene = try await Scene()
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.events.watching()
        await scene.clock.sleeper(in: .seconds(2))
        scene.events.tell(FileEvent(.appeared, in: "/rules", name: "b.conf"))
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.events.tellLate(FileEvent(.modified, in: "/rules", name: "b.conf"))
        scene.clock.advance(by: .milliseconds(200))
        await scene.clock.sleeper(in: .milliseconds(29_800))
        scene.clock.advance(by: .seconds(20))
        scene.events.tell(FileEvent(.closed, in: "/rules", name: "b.conf"))
        #expect(await changes.next() != nil)
    }

    @Test func looksAtOnceWhenEventsAreLost() async throws {
        let scene = try await Scene()
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.events.watching()
        await scene.clock.sleeper(in: .seconds(2))
        scene.events.tell(FileEvent(.lost))
        // No hand of the clock is turned.
        #expect(await changes.next() != nil)
    }

    @Test func looksForChangesWhereThereAreNoEvents() async throws {
        let scene = try await Scene(hasEvents: false)
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.clock.sleeper(in: .seconds(2))
        scene.write("/rules/a.conf", "set $a 2;")
        scene.clock.advance(by: .seconds(2))
        await scene.clock.sleeper(in: .milliseconds(200))
        // Still growing.
        scene.write("/rules/a.conf", "set $a 2; set $b 3;")
        scene.clock.advance(by: .milliseconds(200))
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(200))
        #expect(await changes.next() != nil)
        _ = try await scene.source.load()
        await scene.clock.sleeper(in: .seconds(2))
    }

    @Test func comparesContentsNowAndThen() async throws {
        let scene = try await Scene(hasEvents: false, stamp: .init(seconds: 0))
        var changes = scene.source.changes().makeAsyncIterator()
        // Same size and same time, written into the same file: nothing but the content shows it.
        scene.write("/rules/a.conf", "set $a 2;")
        for _ in 0..<30 {
            await scene.clock.sleeper(in: .seconds(2))
            scene.clock.advance(by: .seconds(2))
        }
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(200))
        #expect(await changes.next() != nil)
    }

    @Test func saysThatItOnlyLooks() async throws {
        let scene = try await Scene()
        scene.events.fail("the limit is reached")
        let changes = scene.source.changes()
        await scene.events.watching()
        await scene.clock.sleeper(in: .seconds(2))
        #expect(scene.source.condition?.contains("the limit is reached") == true)
        scene.events.fail(nil)
        scene.write("/rules/a.conf", "set $a 2;")
        scene.clock.advance(by: .seconds(2))
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(200))
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        // The next plan tries again.
        _ = try await scene.source.load()
        await scene.clock.sleeper(in: .seconds(2))
        scene.clock.advance(by: .seconds(2))
        await scene.clock.sleeper(in: .seconds(2))
        #expect(scene.source.condition == nil)
    }

    @Test func seesWhatChangedBeforeItWatched() async throws {
        let scene = try await Scene()
        scene.write("/rules/a.conf", "set $a 2;")
        var changes = scene.source.changes().makeAsyncIterator()
        await scene.clock.sleeper(in: .milliseconds(200))
        scene.clock.advance(by: .milliseconds(200))
        #expect(await changes.next() != nil)
    }

    @Test func endsWithItsListener() async throws {
        let scene = try await Scene()
        let listening = Task { for await _ in scene.source.changes() {} }
        await scene.events.watching()
        listening.cancel()
        await listening.value
        while !scene.source.state.withLock({ $0.listeners.isEmpty }) { await Task.yield() }
        #expect(scene.events.isStopped)
    }

    // MARK: Which directories and names

    @Test func watchesAllDirectoriesThatMatter() async throws {
        let files = EditableFiles([
            "/etc/app/rules/main.conf": "include parts/*.conf;\nblocklist lists/ads.txt;\n",
            "/etc/app/rules/parts/a.conf": "set $a 1;",
            "/etc/app/rules/lists/ads.txt": "a.example",
            "/etc/app/rules/other/x.txt": "",
        ])
        let capture = DirectoryCapture(loading: "/etc/app/rules", trusting: [], from: files)
        var plan = WatchPlan(for: capture, files: files)
        #expect(
            plan.directories == ["/etc/app", "/etc/app/rules", "/etc/app/rules/parts", "/etc/app/rules/lists"]
        )
        let cases: [(FileEvent, Bool)] = [
            (FileEvent(.appeared, in: "/etc/app", name: "rules"), true),
            (FileEvent(.appeared, in: "/etc/app", name: "log"), false),
            (FileEvent(.modified, in: "/etc/app/rules", name: "main.conf"), true),
            (FileEvent(.modified, in: "/etc/app/rules", name: "access.log"), false),
            (FileEvent(.appeared, in: "/etc/app/rules", name: ".main.conf.swp"), false),
            (FileEvent(.appeared, in: "/etc/app/rules", name: "4913"), false),
            (FileEvent(.appeared, in: "/etc/app/rules", name: "new.conf"), true),
            (FileEvent(.modified, in: "/etc/app/rules", name: "new.conf"), true),
            (FileEvent(.disappeared, in: "/etc/app/rules/lists", name: "ads.txt"), true),
            (FileEvent(.attributes, in: "/etc/app/rules/lists", name: "ads.txt"), true),
            (FileEvent(.closed, in: "/etc/app/rules/lists", name: "other.txt"), false),
            (FileEvent(.directoryGone, in: "/etc/app/rules"), true),
            (FileEvent(.modified, in: "/elsewhere", name: "main.conf"), false),
        ]
        for (event, expected) in cases {
            let isConcerned = plan.concerns(event)
            #expect(isConcerned == expected, "\(event)")
        }
    }

    @Test func watchesForDirectoriesThatAreMissing() async throws {
        let files = EditableFiles(["/etc/x": ""])
        let capture = DirectoryCapture(loading: "/etc/app/rules", trusting: [], from: files)
        var plan = WatchPlan(for: capture, files: files)
        #expect(plan.directories == ["/etc"])
        let isConcerned = plan.concerns(FileEvent(.appeared, in: "/etc", name: "app"))
        #expect(isConcerned)
    }

    @Test func watchesWhereLinksTurn() async throws {
        let files = EditableFiles(["/rules/..ts1/a.conf": "set $a 1;"])
        files.edit { files in
            files.set("/rules/..data", .link("..ts1"))
            files.set("/rules/a.conf", .link("..data/a.conf"))
        }
        let capture = DirectoryCapture(loading: "/rules", trusting: [], from: files)
        var plan = WatchPlan(for: capture, files: files)
        #expect(plan.directories.contains("/rules"))
        let (turned, prepared) = (
            plan.concerns(FileEvent(.appeared, in: "/rules", name: "..data")),
            plan.concerns(FileEvent(.appeared, in: "/rules", name: "..data_tmp"))
        )
        #expect(turned && !prepared)
    }
}
