#if Fleet
import SeededRandom
import ShuntFleet
import Testing

@Suite("Following one key of etcd")
struct EtcdFollowingTests {
    typealias Seen = EtcdFollowing.Seen
    static let lost = EtcdError(.lost, "lost")

    /// One that watches from revision 11 on, having seen revision 7 of the key.
    static func watching() -> EtcdFollowing {
        var following = EtcdFollowing()
        #expect(following.handle(.started, at: .zero, random: 0.5) == [.read(1)])
        let effects = following.handle(
            .read(1, .success(Seen(revision: 10, value: [7], changed: 7))),
            at: .zero,
            random: 0.5
        )
        #expect(effects == [.tell([7]), .watch(1, from: 11)])
        return following
    }

    @Test("A change is reported once, and a watch that ends is resumed after the last change")
    func resuming() {
        var following = Self.watching()
        let change = EtcdChange(key: "k", value: [12], revision: 12)
        #expect(following.handle(.changed(watch: 1, change), at: .zero, random: 0.5) == [.tell([12])])
        #expect(following.handle(.changed(watch: 1, change), at: .zero, random: 0.5) == [])
        #expect(following.handle(.over(watch: 1, Self.lost), at: .zero, random: 1) == [.close, .fail(Self.lost)])
        #expect(following.wakeTime == .milliseconds(500))
        #expect(following.handle(.time, at: .milliseconds(499), random: 0.5) == [])
        #expect(following.handle(.time, at: .milliseconds(500), random: 0.5) == [.watch(2, from: 13)])
        // Late events of an earlier watch are ignored.
        let late = EtcdChange(key: "k", value: [14], revision: 14)
        #expect(following.handle(.changed(watch: 1, late), at: .seconds(1), random: 0.5) == [])
        #expect(following.handle(.over(watch: 1, Self.lost), at: .seconds(1), random: 0.5) == [])
        // What was unknown is known again soon, by a read.
        #expect(following.wakeTime == .milliseconds(5500))
        #expect(following.handle(.time, at: .milliseconds(5500), random: 0.5) == [.read(2)])
        let seen = Seen(revision: 20, value: [12], changed: 12)
        #expect(following.handle(.read(2, .success(seen)), at: .seconds(6), random: 0.5) == [.tell([12])])
        #expect(following.wakeTime == .seconds(36))
    }

    @Test("A compacted revision leads to one read at once; the second time it is waited")
    func compaction() {
        let compacted = EtcdError(.compacted, "compacted")
        var following = Self.watching()
        #expect(following.handle(.over(watch: 1, compacted), at: .zero, random: 1) == [.close, .read(2)])
        let seen = Seen(revision: 30, value: [29], changed: 29)
        let effects = following.handle(.read(2, .success(seen)), at: .zero, random: 1)
        #expect(effects == [.tell([29]), .watch(2, from: 31)])
        #expect(following.handle(.over(watch: 2, compacted), at: .zero, random: 1) == [.close, .fail(compacted)])
        #expect(following.handle(.time, at: .milliseconds(500), random: 1) == [.read(3)])
    }

    @Test("The read next to a watch finds a silent one, a deleted key and a store that begins again")
    func reading() {
        for (seen, told) in [
            (Seen(revision: 20, value: [19], changed: 19), [19]),
            (Seen(revision: 20, value: nil, changed: 0), nil),
        ] as [(Seen, [UInt8]?)] {
            var following = Self.watching()
            #expect(following.wakeTime == .seconds(30))
            #expect(following.handle(.time, at: .seconds(30), random: 0.5) == [.read(2)])
            #expect(
                following.handle(.read(2, .success(seen)), at: .seconds(30), random: 0.5)
                    == [.tell(told), .watch(2, from: 21)]
            )
        }
        // An answer that a change has overtaken is ignored; the second one does.
        var following = Self.watching()
        _ = following.handle(.time, at: .seconds(30), random: 0.5)
        let change = EtcdChange(key: "k", value: [50], revision: 50)
        _ = following.handle(.changed(watch: 1, change), at: .seconds(30), random: 0.5)
        let old = Seen(revision: 3, value: [2], changed: 2)
        #expect(following.handle(.read(2, .success(old)), at: .seconds(30), random: 0.5) == [])
        #expect(following.handle(.time, at: .seconds(31), random: 0.5) == [.read(3)])
        #expect(
            following.handle(.read(3, .success(old)), at: .seconds(31), random: 0.5) == [
                .tell([2]), .watch(2, from: 4),
            ]
        )
    }

    @Test("A stopped etcd is noticed within 40 seconds, whatever the chance")
    func stopped() {
        for random in [0.0, 0.5, 1.0] {
            var following = EtcdFollowing()
            _ = following.handle(.started, at: .zero, random: random)
            _ = following.handle(
                .read(1, .success(Seen(revision: 1, value: nil, changed: 0))),
                at: .zero,
                random: random
            )
            let wake = following.wakeTime ?? .seconds(1000)
            #expect((.seconds(25) ... .seconds(35)).contains(wake))
            #expect(following.handle(.time, at: wake, random: random) == [.read(2)])
            let late = EtcdError(.late, "late")
            let end = wake + .seconds(5)
            #expect(following.handle(.read(2, .failure(late)), at: end, random: random) == [.close, .fail(late)])
            #expect(end <= .seconds(40))
        }
    }

    @Test(
        "Waits double up to a minute, and grow with the fleet; failures for an operator take a minute"
    )
    func waits() {
        var following = Self.watching()
        var now = Duration.zero
        var waits: [Duration] = []
        for number in 1...10 {
            _ = following.handle(.over(watch: number, Self.lost), at: now, random: 1)
            let wake = following.wakeTime ?? .zero
            waits.append(wake - now)
            now = wake
            _ = following.handle(.time, at: now, random: 1)
        }
        let expected = [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60].map { Duration.seconds($0) }
        #expect(waits == expected)
        var early = Self.watching()
        _ = early.handle(.over(watch: 1, Self.lost), at: .zero, random: 0)
        #expect(early.wakeTime == .zero)
        for reason in [EtcdError.Reason.denied, .refused, .unauthenticated] {
            var denied = Self.watching()
            _ = denied.handle(.over(watch: 1, EtcdError(reason, "")), at: .zero, random: 0)
            #expect(denied.wakeTime == .seconds(60))
        }
    }

    @Test(
        "A thousand nodes come back to an etcd that was away spread over five seconds, no second with more than 30 % of them"
    )
    func herd() throws {
        let progress = RolloutProgress(state: .done, live: 1000, since: EtcdConversationTests.date)
        let envelope = EtcdConversationTests.signed[0].envelope
        let pointer = ReleasePointer(release: envelope, stable: envelope, progress: progress).encoded
        var random = SeededGenerator(seed: 43)
        var following = EtcdFollowing()
        _ = following.handle(.started, at: .zero, random: 0.5)
        let seen = Seen(revision: 10, value: pointer, changed: 7)
        _ = following.handle(.read(1, .success(seen)), at: .zero, random: 0.5)
        var seconds: [Int64: Int] = [:]
        for _ in 0..<1000 {
            var node = following
            _ = node.handle(
                .over(watch: 1, Self.lost),
                at: .zero,
                random: Double(random.below(1 << 20)) / Double(1 << 20)
            )
            seconds[try #require(node.wakeTime).components.seconds, default: 0] += 1
        }
        #expect(seconds.keys.sorted() == [0, 1, 2, 3, 4])
        #expect(seconds.values.allSatisfy { $0 <= 300 }, "\(seconds)")
    }

    @Test("10,000 puts and 100 broken connections: no state is missed and none is reported twice", arguments: 1...5)
    func puts(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var following = EtcdFollowing()
        var now = Duration.zero
        var revision: Int64 = 1
        var told: [Int64] = []
        var watch: (number: Int, next: Int64)?
        var breaks = 0
        func value(_ revision: Int64) -> [UInt8] { Array(String(revision).utf8) }
        func next(_ open: (number: Int, next: Int64)) -> EtcdFollowing.Event {
            watch?.next += 1
            return .changed(watch: open.number, EtcdChange(key: "k", value: value(open.next), revision: open.next))
        }
        func take(_ event: EtcdFollowing.Event) {
            var events = [event]
            while !events.isEmpty {
                for effect in following.handle(events.removeFirst(), at: now, random: Double(random.below(1000)) / 1000)
                {
                    switch effect {
                    case .read(let number):
                        // A watch that works is not behind the reads.
                        while let open = watch, open.next <= revision { events.append(next(open)) }
                        let seen = Seen(revision: revision, value: value(revision), changed: revision)
                        events.append(.read(number, .success(seen)))
                    case .watch(let number, let from): watch = (number, from)
                    case .close: watch = nil
                    case .tell(let value):
                        let number = value.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? -1
                        // A read reports again what is known.
                        if told.last != number { told.append(number) }
                    case .fail: break
                    }
                }
            }
        }
        take(.started)
        while revision < 10_001 || watch == nil || watch?.next != revision + 1 {
            now += .milliseconds(20)
            if revision < 10_001, random.chance(90) { revision += 1 }
            if let wake = following.wakeTime, now >= wake { take(.time) }
            guard let open = watch else { continue }
            if breaks < 100, random.chance(2) {
                breaks += 1
                take(.over(watch: open.number, Self.lost))
                continue
            }
            guard random.chance(50), open.next <= revision else { continue }
            let change = next(open)
            take(change)
            // Some come twice.
            if random.chance(5) { take(change) }
        }
        #expect(breaks == 100)
        #expect(told == Array(1...revision))
    }
}
#endif
