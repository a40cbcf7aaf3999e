import Dispatch
import Foundation
import Glibc
import Synchronization
import TestFolder
import Testing

@testable import Shunt

/// The clients of one inotify instance, on a thread of the system, where waiting holds up no other test.
@Suite("One inotify instance for many watchers")
struct SharedInotifyTests {
    /// A watcher that keeps its events, and can be stopped in the middle of a call.
    final class Client: Sendable {
        let events: InotifyEvents
        private let told = Mutex<[FileEvent]>([])
        /// Signalled when a call with an event of a file named "hold" begins, which then waits.
        let isHeld = DispatchSemaphore(value: 0)
        let release = DispatchSemaphore(value: 0)
        let isReleased = Flag()

        init(_ inotify: SharedInotify, _ directories: String...) throws {
            events = InotifyEvents(inotify)
            try events.start { [weak self] list in
                guard let self else { return }
                let isFirst = told.withLock { told in
                    defer { told += list }
                    return told.isEmpty
                }
                guard isFirst, list.contains(where: { $0.name == "hold" }) else { return }
                isHeld.signal()
                release.wait()
                isReleased.set()
            }
            #expect(try events.watch(Set(directories)) == [])
        }

        /// The events of everything that has happened.
        var all: [FileEvent] {
            events.deliverPending()
            return told.withLock { $0 }
        }

        /// The names of files that came, with their directories.
        var arrivals: Set<String> { Set(all.filter { $0.kind == .appeared }.map { $0.directory + "/" + $0.name }) }
    }

    @Test("Clients see the events of their own directories, those of a common one too")
    func sees() async throws {
        try await BackgroundThread.run {
            let folder = try TestFolder(["a/x": "", "b/x": "", "c/x": ""])
            let inotify = SharedInotify()
            let path = folder.path
            let one = try Client(inotify, path + "/a", path + "/b")
            let two = try Client(inotify, path + "/./b", path + "/c")
            try folder.write("a/1", "")
            try folder.write("b/2", "")
            try folder.write("c/3", "")
            #expect(one.arrivals == [path + "/a/1", path + "/b/2"])
            #expect(two.arrivals == [path + "/./b/2", path + "/c/3"])
            // Without the interest of one client in the common directory, the other still has it, and so by its end.
            #expect(try one.events.watch([path + "/a"]) == [])
            try folder.write("b/4", "")
            #expect(one.arrivals == [path + "/a/1", path + "/b/2"])
            #expect(two.arrivals.contains(path + "/./b/4"))
            one.events.stop()
            try folder.write("b/5", "")
            #expect(two.arrivals.contains(path + "/./b/5"))
            two.events.stop()
        }
    }

    @Test("A directory in the place of another is watched again by those that want it")
    func replaced() async throws {
        try await BackgroundThread.run {
            let folder = try TestFolder(["a/x": ""])
            let inotify = SharedInotify()
            let path = folder.path + "/a"
            let (one, two) = (try Client(inotify, path), try Client(inotify, path))
            folder.shell("rm -r a; mkdir a")
            for client in [one, two] { #expect(client.all.contains(FileEvent(.directoryGone, in: path))) }
            #expect(try one.events.watch([path]) == [])
            try folder.write("a/1", "")
            #expect(one.arrivals == [path + "/1"])
            #expect(two.arrivals == [])
            #expect(try two.events.watch([path]) == [])
            try folder.write("a/2", "")
            for client in [one, two] { #expect(client.arrivals.contains(path + "/2")) }
            for client in [one, two] { client.events.stop() }
        }
    }

    @Test("A client that ends while its event is on the way is not called")
    func ends() async throws {
        try await BackgroundThread.run {
            let folder = try TestFolder(["a/x": "", "b/x": ""])
            let inotify = SharedInotify()
            let ending = try Client(inotify, folder.path + "/a")
            let other = try Client(inotify, folder.path + "/b")
            defer { other.release.signal() }
            try folder.write("b/hold", "")
            other.isHeld.wait()
            // The only reader of events is held.
            try folder.write("a/1", "")
            ending.events.stop()
            other.release.signal()
            try folder.write("b/2", "")
            #expect(other.arrivals.contains(folder.path + "/b/2"))
            #expect(ending.all == [])
            other.events.stop()
        }
    }

    @Test("The end waits for a call that is in progress")
    func waits() async throws {
        try await BackgroundThread.run {
            let folder = try TestFolder()
            let client = try Client(SharedInotify(), folder.path)
            defer { client.release.signal() }
            try folder.write("hold", "")
            client.isHeld.wait()
            let isStopped = DispatchSemaphore(value: 0)
            let wasReleased = Flag()
            try #require(
                BackgroundThread.start {
                    client.events.stop()
                    if client.isReleased.isSet { wasReleased.set() }
                    isStopped.signal()
                }
            )
            client.release.signal()
            isStopped.wait()
            #expect(wasReleased.isSet)
        }
    }

    @Test("All clients learn that the system dropped events")
    func lost() async throws {
        try await BackgroundThread.run {
            let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            let folder = try TestFolder(["a/x": "", "a/y": "", "b/x": ""])
            let inotify = SharedInotify()
            let one = try Client(inotify, folder.path + "/a")
            let two = try Client(inotify, folder.path + "/b")
            defer { two.release.signal() }
            try folder.write("b/hold", "")
            two.isHeld.wait()
            // The system joins an event with the same one before it, so there are two files.
            for number in 0...(Int(limit.filter(\.isNumber)) ?? 16_384) {
                chmod(folder.path + (number % 2 == 0 ? "/a/x" : "/a/y"), 0o600)
            }
            two.release.signal()
            for client in [one, two] {
                #expect(client.all.contains(FileEvent(.lost)))
                client.events.stop()
            }
        }
    }

    /// The system allows 128 instances for a user: they would not last if one stayed.
    @Test("The last client frees the instance and its thread")
    func frees() async throws {
        let folder = try TestFolder()
        for _ in 0..<140 {
            var inotify: SharedInotify? = SharedInotify()
            for _ in 0..<2 {
                let clients = (0..<3).map { _ in InotifyEvents(inotify ?? .process) }
                for client in clients {
                    try client.start { _ in }
                    #expect(try client.watch([folder.path]) == [])
                }
                for client in clients { client.stop() }
            }
            weak let freed = inotify
            inotify = nil
            // The thread has the last reference.
            try await within { while freed != nil { try await Task.sleep(for: .milliseconds(1)) } }
        }
    }
}
