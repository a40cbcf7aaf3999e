#if Gateway
import Foundation
import Glibc
import NginxOracle
import Synchronization
import TestFolder
import TestSettings
import Testing

/// Bodies that are far larger than the memory that the gateway may take for them.
///
/// `SHUNT_BODY_BYTES` is their size, 1 GiB unless it is set.
@Suite(.serialized) struct LargeBodyTests {
    static let size = TestSettings.bodyBytes
    /// The memory that the program may have to itself meanwhile.
    ///
    /// 64 MiB is the goal for all of it, and a debug build without a request has 46 to 60 MiB of its file and of its
    /// libraries in memory; the kernel decides.
    static let memory = 12 << 20

    enum Direction: CaseIterable { case toUpstream, toClient }

    /// The side that waits for the other: the reader until nothing more can be sent, the sender until all is read.
    enum Slow: CaseIterable { case nobody, reader, sender }

    @Test("A body of a GiB passes in 12 MiB, whichever side is slow", arguments: Direction.allCases, Slow.allCases)
    func passes(_ direction: Direction, _ slow: Slow) async throws {
        let passage = Passage(size: Self.size, slow: slow)
        let upstream = try ScriptedUpstream { connection in
            guard connection.head() != nil else { return }
            if direction == .toUpstream { passage.receive(connection.descriptor) }
            let length = direction == .toClient ? Self.size : 0
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n")
            if direction == .toClient { passage.send(connection.descriptor) }
        }
        let rules = try TestFolder()
        try rules.replace("rules.conf", "server { client_max_body_size 0; location / { proxy_pass \(upstream.url); } }")
        let gateway = try await ServedProgram.serving(rules: rules.path)
        passage.look = { (try? gateway.ownBytes()) ?? .max }
        let port = gateway.port
        let status = try await Blocking.run {
            let connection = try LoopbackSocket.connected(to: port, timeoutSeconds: 60)
            let client = ScriptedUpstream.Connection(descriptor: connection.descriptor, number: 0)
            let length = direction == .toUpstream ? Self.size : 0
            client.send("PUT /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: \(length)\r\n\r\n")
            if direction == .toUpstream { passage.send(client.descriptor) }
            let head = client.head() ?? "nothing"
            if direction == .toClient { passage.receive(client.descriptor) }
            return head.prefix(12)
        }
        #expect(status == "HTTP/1.1 200")
        #expect(passage.received.load(ordering: .relaxed) == Self.size)
        #expect(passage.isUnchanged)
        #expect(passage.pauses.load(ordering: .relaxed) == (slow == .nobody ? 0 : 4))
        let most = max(passage.most.load(ordering: .relaxed), try gateway.ownBytes())
        #expect(most < Self.memory, "\(most >> 10) KiB")
    }

    /// A body on its way, the end that sends it and the end that reads it.
    final class Passage: Sendable {
        /// The text that is sent repeatedly, twice in a row, so that each part of it is in one piece.
        private static let pattern = (0..<2 * period).map { UInt8(truncatingIfNeeded: $0 % period % 251) }
        private static let period = 251 * 1024

        let size: Int
        let slow: Slow
        let sent = Atomic(0)
        let received = Atomic(0)
        let pauses = Atomic(0)
        /// The most memory that was seen.
        let most = Atomic(0)
        private let differences = Atomic(0)
        private let looking = Mutex<@Sendable () -> Int>({ 0 })

        init(size: Int, slow: Slow) {
            self.size = size
            self.slow = slow
        }

        var look: @Sendable () -> Int {
            get { looking.withLock { $0 } }
            set { looking.withLock { $0 = newValue } }
        }

        var isUnchanged: Bool { differences.load(ordering: .relaxed) == 0 }

        func send(_ descriptor: Int32) {
            var position = 0
            var pause = size / 5
            while position < size {
                let phase = position % Self.period
                let count = Self.pattern.withUnsafeBytes {
                    Glibc.send(
                        descriptor,
                        $0.baseAddress.map { $0 + phase },
                        min(Self.period, size - position),
                        Int32(MSG_NOSIGNAL)
                    )
                }
                guard count > 0 else { return }
                position += count
                sent.store(position, ordering: .relaxed)
                if slow == .sender, position >= pause {
                    pause += size / 5
                    wait { received.load(ordering: .relaxed) == position }
                }
            }
        }

        func receive(_ descriptor: Int32) {
            var space = [UInt8](repeating: 0, count: Self.period)
            var position = 0
            var pause = size / 5
            while position < size {
                let count = recv(descriptor, &space, space.count, 0)
                guard count > 0 else { return }
                let phase = position % Self.period
                let isEqual = Self.pattern.withUnsafeBytes { pattern in
                    pattern.baseAddress.map { memcmp(&space, $0 + phase, count) == 0 } ?? false
                }
                if !isEqual { differences.add(1, ordering: .relaxed) }
                position += count
                received.store(position, ordering: .relaxed)
                if slow == .reader, position >= pause {
                    pause += size / 5
                    // All that lies on the way is full when the sender comes no further.
                    var last = -1
                    var calm = 0
                    wait {
                        let now = sent.load(ordering: .relaxed)
                        calm = now == last ? calm + 1 : 0
                        last = now
                        return calm == 50
                    }
                }
            }
        }

        private func wait(_ condition: () -> Bool) {
            guard pauses.load(ordering: .relaxed) < 4 else { return }
            var isMet = condition()
            for _ in 0..<20_000 where !isMet {
                usleep(1_000)
                isMet = condition()
            }
            guard isMet else { return }
            pauses.add(1, ordering: .relaxed)
            most.store(max(most.load(ordering: .relaxed), look()), ordering: .relaxed)
        }
    }
}
#endif
