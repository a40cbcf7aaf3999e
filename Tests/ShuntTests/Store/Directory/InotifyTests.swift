import Glibc
import Synchronization
import TestFolder
import Testing

@testable import Shunt

@Suite("Events of the system")
struct InotifyTests {
    @Test func areTakenFromItsRecords() {
        func record(_ watch: CInt, _ mask: UInt32, _ name: String) -> [UInt8] {
            var bytes: [UInt8] = []
            let padded = name.isEmpty ? 0 : (name.utf8.count / 16 + 1) * 16
            for word in [UInt32(bitPattern: watch), mask, 0, UInt32(padded)] {
                withUnsafeBytes(of: word) { bytes += $0 }
            }
            return bytes + Array(name.utf8) + [UInt8](repeating: 0, count: padded - name.utf8.count)
        }
        let bytes = record(1, 2, "a.conf") + record(-1, 0x4000, "") + record(3, 0x100, "exactly-16-bytes")
        let records = InotifyRecord.all(in: bytes[...])
        #expect(records.map(\.watch) == [1, -1, 3])
        #expect(records.map(\.mask) == [2, 0x4000, 0x100])
        #expect(records.map(\.name) == ["a.conf", "", "exactly-16-bytes"])
        // Whatever the kernel reports, nothing after the end is read.
        for length in 0..<bytes.count { #expect(InotifyRecord.all(in: bytes[..<length]).count <= 2) }
        #expect(InotifyRecord.all(in: [UInt8](repeating: 0xff, count: 64)[...]).isEmpty)
    }

    @Test func tellWhatHappensInDirectories() async throws {
        let folder = try TestFolder()
        try folder.makeDirectory("rules")
        let (told, sink) = AsyncStream.makeStream(of: FileEvent.self)
        let events = InotifyEvents()
        try events.start { for event in $0 { sink.yield(event) } }
        let directory = folder.path + "/rules"
        #expect(try events.watch([directory, folder.path + "/missing"]) == [folder.path + "/missing"])
        try folder.write("rules/a", "1")
        try folder.rename("rules/a", "rules/b")
        folder.shell("chmod 600 rules/b; rm rules/b; rmdir rules")
        let expected: [FileEvent.Kind] = [
            .appeared, .modified, .closed, .disappeared, .appeared, .attributes, .disappeared, .directoryGone,
        ]
        let kinds = try await within {
            var kinds: [FileEvent.Kind] = []
            for await event in told {
                #expect(event.directory == directory)
                // Unlinking changes the number of links first.
                if event.kind == .attributes, kinds.last == .attributes { continue }
                kinds.append(event.kind)
                if kinds.count == expected.count { break }
            }
            return kinds
        }
        #expect(kinds == expected)
        events.stop()
    }

    @Test func areThereWhenTheyAreAskedFor() throws {
        let folder = try TestFolder()
        let told = Mutex<[FileEvent]>([])
        let events = InotifyEvents()
        defer { events.stop() }
        try events.start { list in told.withLock { $0 += list } }
        _ = try events.watch([folder.path])
        for number in 1...200 {
            try folder.write("a\(number)", "1")
            events.deliverPending()
            // Not the last one: a process that another test runs can hold an earlier file open, and its closing comes late.
            #expect(told.withLock { $0.contains { $0.name == "a\(number)" } })
        }
        events.stop()
        events.deliverPending()
    }

    @Test func stopTwice() throws {
        let folder = try TestFolder()
        let events = InotifyEvents()
        #expect(try events.watch([folder.path + "/missing"]) == [])
        try events.start { _ in }
        _ = try events.watch([folder.path])
        events.stop()
        events.stop()
        #expect(throws: Never.self) { try events.watch([folder.path]) }
    }
}
