#if Fleet
import Foundation
import Shunt
import ShuntCore
import ShuntFleet
import Synchronization
import Testing

@Suite("Disks of nodes that answer late")
struct SlowDiskTests {
    @Test("Nodes that wait for their disks keep no other node from following, however many they are")
    func waiting() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let disk = HeldStorage()
        let count = 2 * ProcessInfo.processInfo.activeProcessorCount
        let waiting = (0..<count)
            .map { number in
                Task { try await fleet.node("edge-\(number)", storage: disk).open() }
            }
        while disk.waiting < count, !disk.isTooLate { try await Task.sleep(for: .milliseconds(5)) }
        let other = try await fleet.node("other").open()
        #expect(ReleasedFleet.status(other) == 201)
        #expect(!disk.isTooLate)
        disk.release()
        for node in waiting { #expect(ReleasedFleet.status(try await node.value) == 201) }
    }
}

/// A disk that answers only when a test allows it, or after a minute, so that a test that should fail ends.
final class HeldStorage: FileStorage {
    private let local = LocalFileStorage()
    private let state = Mutex((waiting: 0, isReleased: false, isTooLate: false))

    var waiting: Int { state.withLock(\.waiting) }
    var isTooLate: Bool { state.withLock(\.isTooLate) }

    func release() { state.withLock { $0.isReleased = true } }

    private func wait() {
        state.withLock { $0.waiting += 1 }
        for _ in 0..<6000 where !state.withLock({ $0.isReleased }) { Thread.sleep(forTimeInterval: 0.01) }
        state.withLock { if !$0.isReleased { ($0.isReleased, $0.isTooLate) = (true, true) } }
    }

    func synchronize(directory: String) throws(FileError) {
        wait()
        try local.synchronize(directory: directory)
    }

    func write(_ path: String, _ bytes: [UInt8]) throws(FileError) { try local.write(path, bytes) }
    func rename(_ path: String, to other: String) throws(FileError) { try local.rename(path, to: other) }
    func remove(_ path: String) throws(FileError) { try local.remove(path) }
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try local.read(path, limit: limit) }
}
#endif
