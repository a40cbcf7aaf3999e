#if Fleet
import Foundation
import SeededRandom
import ShuntCore
import ShuntFleet
import Testing
import TestSettings

/// A node with an etcd that answers anything, from what etcd answers to what none would.
///
/// `SHUNT_FLEET_CONVERSATIONS` is the number of conversations of each seed.
@Suite("Conversations with an etcd that answers anything")
struct EtcdConversationTests {
    /// A verifier for the hash of the message, which no other part computes here.
    struct Verifier: SignatureVerifier {
        static func signature(_ message: [UInt8]) -> [UInt8] { Array(ContentName(of: message + [1]).hexadecimal.utf8) }

        func isValid(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
            signature == Self.signature(message)
        }
    }

    static let key = KeyFile.Key(owner: "alice", publicKey: [1, 2, 3], roles: [.publish])
    static let keys = KeyFile(namespace: "web", keys: [key], thresholds: [.publish: 1])
    static let date = Timestamp(seconds: 1_800_000_000)

    static let signed: [(release: Release, envelope: Envelope)] = (1...3)
        .map { number in
            let release = Release(
                namespace: "web",
                sequence: number,
                set: ContentName(of: [UInt8(number)]),
                content: ContentName(of: [UInt8(number)]),
                rules: 1,
                bytes: 1,
                parent: number - 1,
                created: date,
                rollout: .atOnce
            )
            var envelope = Envelope(payloadType: Release.payloadType, payload: release.encoded)
            let signature = Verifier.signature(envelope.signedBytes)
            envelope.signatures = [Envelope.Signature(key: key.identifier, bytes: signature)]
            return (release, envelope)
        }

    /// The value of the key: a pointer, or one that was changed.
    static func value(_ random: inout SeededGenerator) -> [UInt8] {
        let progress = RolloutProgress(
            state: random.pick(RolloutProgress.State.allCases),
            threshold: random.chance(50) ? .max : nil,
            live: random.chance(20) ? .max : 200,
            since: date
        )
        var pointer = ReleasePointer(
            release: random.pick(signed).envelope,
            stable: random.pick(signed).envelope,
            progress: progress
        )
        if random.chance(20) { pointer.release.payload[random.below(pointer.release.payload.count)] ^= 1 }
        if random.chance(20) { pointer.stable.signatures[0].bytes[random.below(64)] ^= 1 }
        var bytes = pointer.encoded
        if random.chance(20) { bytes = EtcdAnswerTests.damaged(bytes, &random) }
        return bytes
    }

    static func number(_ random: inout SeededGenerator) -> String {
        random.chance(90)
            ? "\(random.below(60))" : random.pick(["-1", "9223372036854775807", "9223372036854775806", "1e9", ""])
    }

    static func entry(_ random: inout SeededGenerator) -> String {
        let name = Base64.encode(Array("k".utf8))
        return #"{"key":"\#(name)","mod_revision":"\#(number(&random))","value":"\#(Base64.encode(value(&random)))"}"#
    }

    /// An answer to a read, or a line of a watch.
    static func text(_ random: inout SeededGenerator, isLine: Bool) -> [UInt8] {
        let header = #""header":{"revision":"\#(number(&random))"}"#
        var text = "{\(header),\"kvs\":[\(entry(&random))],\"count\":\"1\"}"
        if random.chance(10) { text = "{\(header)}" }
        if isLine {
            let type = random.chance(20) ? #""type":"DELETE","# : ""
            text = "{\"result\":{\(header),\"events\":[{\(type)\"kv\":\(entry(&random))}]}}"
            if random.chance(30) { text = random.pick(EtcdAnswerTests.texts) }
        }
        let bytes = Array(text.utf8)
        return random.chance(15) ? EtcdAnswerTests.damaged(bytes, &random) : bytes
    }

    @Test("No answer ends the program, and no unsigned release comes into use", arguments: 1...2)
    func anything(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var served: Set<Int> = []
        for _ in 0..<TestSettings.fleetConversations {
            var conversation = Conversation()
            for _ in 0..<30 { conversation.goOn(&random) }
            if let serving = conversation.node.serving { served.insert(serving.sequence) }
        }
        #expect(served == [1, 2, 3])
    }

    /// The follower of a key, and its node.
    struct Conversation {
        var node = FleetNode(
            NodeConfiguration(name: "edge-1", keys: keys, version: "0.1.0"),
            memory: NodeMemory(),
            verifier: Verifier(),
            now: .zero,
            date: date
        )
        private var following = EtcdFollowing()
        private var now = Duration.zero
        private var queue: [EtcdFollowing.Effect]
        private var watch = 0

        init() {
            queue = following.handle(.started, at: .zero, random: 0.5)
            take(.started)
        }

        mutating func goOn(_ random: inout SeededGenerator) {
            now += .milliseconds(random.below(20_000))
            var events: [EtcdFollowing.Event] = [.time]
            for effect in queue {
                switch effect {
                case .read(let number): events.append(.read(number, answer(&random)))
                case .watch(let number, _): watch = number
                case .tell(let value): take(value.map { .pointer($0) } ?? .noPointer("there is no such key"))
                case .fail(let failure): take(.noPointer(failure.description))
                case .close: break
                }
            }
            for _ in 0..<random.below(3) { events += lines(&random) }
            queue = []
            for event in events { queue += following.handle(event, at: now, random: Double(random.below(100)) / 99) }
        }

        private func answer(_ random: inout SeededGenerator) -> Result<EtcdFollowing.Seen, EtcdError> {
            let bytes = EtcdConversationTests.text(&random, isLine: false)
            if random.chance(10) { return .failure(EtcdError(status: 503, body: bytes, at: "etcd")) }
            do throws(EtcdError) {
                let answer = try EtcdRangeAnswer(EtcdFields(bytes, at: "etcd"))
                let entry = answer.entries.first
                let changed = entry?.revision ?? 0
                return .success(EtcdFollowing.Seen(revision: answer.revision, value: entry?.value, changed: changed))
            } catch {
                return .failure(error)
            }
        }

        private func lines(_ random: inout SeededGenerator) -> [EtcdFollowing.Event] {
            do throws(EtcdError) {
                var lines = EtcdLines()
                let bytes = EtcdConversationTests.text(&random, isLine: true) + [0x0a]
                let parts = [bytes.prefix(random.below(bytes.count)), bytes[...]]
                var whole = try lines.take(parts[0])
                whole += try lines.take(parts[1].dropFirst(parts[0].count))
                var events: [EtcdFollowing.Event] = []
                for line in whole {
                    switch try EtcdWatchLine(line, at: "etcd") {
                    case .changes(let changes): events += changes.map { .changed(watch: watch, $0) }
                    case .over(let failure): events.append(.over(watch: watch, failure))
                    case .created, .progress: break
                    }
                }
                return events
            } catch {
                return [.over(watch: watch, error)]
            }
        }

        private mutating func take(_ event: NodeEvent) {
            var events = [event]
            while !events.isEmpty {
                for effect in node.handle(events.removeFirst(), at: now, date: date) {
                    switch effect {
                    case .fetch(let release): events.append(.fetched(release.set, isDurable: true))
                    case .load(let release):
                        #expect(signed.contains { $0.release == release })
                        events.append(.loaded(release.set, .inUse))
                    case .write(_, let number): events.append(.wrote(number, isDurable: true))
                    case .report, .note: break
                    }
                }
            }
        }
    }
}
#endif
