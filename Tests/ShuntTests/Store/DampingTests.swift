import Synchronization
import Testing

@testable import Shunt

@Suite("Damping")
struct DampingTests {
    @Test func leavesAQuietSourceAlone() {
        var damper = Damper(Damping())
        for minute in 0..<100 {
            let now = Duration.seconds(20 * minute)
            let held = damper.wait(at: now)
            #expect(held == nil)
            damper.note(success: true, at: now)
        }
    }

    @Test func holdsASourceThatTurnsBackAndForth() {
        var damper = Damper(Damping())
        var now = Duration.zero
        var delays: [Duration] = []
        for attempt in 0..<16 {
            if let held = damper.wait(at: now) {
                delays.append(held.delay)
                #expect(damper.heldUntil == now + held.delay)
                now += held.delay
                damper.release()
            }
            damper.note(success: attempt % 2 == 0, at: now)
            now += .seconds(1)
        }
        #expect(delays.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(delays.max() == .seconds(32))
        #expect(damper.heldUntil == nil)
        // Quiet for as long as the window: everything is forgiven.
        now += .seconds(61)
        var held = damper.wait(at: now)
        #expect(held == nil)
        damper.note(success: false, at: now)
        held = damper.wait(at: now)
        #expect(held == nil)
    }

    @Test func holdsASourceThatChangesAllTheTime() {
        var damper = Damper(Damping())
        var firstHeld: Int?
        for second in 0..<40 {
            let now = Duration.seconds(second)
            if damper.wait(at: now) != nil, firstHeld == nil { firstHeld = second }
            damper.note(success: true, at: now)
        }
        #expect(firstHeld == 12)
    }

    @Test func countsNoSetThatIsTheSame() {
        var damper = Damper(Damping())
        for second in 0..<40 {
            damper.note(success: true, isNew: false, at: .seconds(second))
            let held = damper.wait(at: .seconds(second))
            #expect(held == nil)
        }
    }

    @Test func waitsNeverLongerThanTheLongestDelay() {
        var damping = Damping()
        damping.window = .seconds(100_000)
        var damper = Damper(damping)
        for attempt in 0..<200 { damper.note(success: attempt % 2 == 0, at: .seconds(attempt)) }
        for _ in 0..<200 {
            let held = damper.wait(at: .seconds(200))
            #expect(held.map { $0.delay <= damping.longestDelay } == true)
        }
    }

    @Test func showsInTheStatusAndDelaysTheNextReload() async throws {
        let clock = HandClock()
        let (events, sink) = AsyncStream.makeStream(of: RuleStoreEvent.self)
        var options = RuleStore.Options()
        options.clock = clock
        options.observers = [{ sink.yield($0) }]
        let source = MemorySource(RuleStoreTests.rules("0"))
        let store = try await RuleStore.open(source, options: options)
        for number in 1...5 {
            source.replace(with: number % 2 == 1 ? RuleStoreTests.wrong : RuleStoreTests.rules("\(number)"))
            await store.reload()
        }
        // Calls are never held back; the watcher is.
        #expect(store.status.heldFor == nil)
        let watching = Task { await store.watch() }
        let nudging = Task {
            var number = 100
            while !Task.isCancelled {
                source.replace(with: RuleStoreTests.rules("\(number)"))
                number += 1
                await Task.yield()
            }
        }
        for await event in events {
            if case .held(let delay, let reason) = event {
                #expect(delay == .seconds(1))
                #expect(reason.contains("right to wrong"))
                break
            }
        }
        nudging.cancel()
        await clock.sleeper(in: .seconds(1))
        #expect(store.status.isDamped && store.status.heldFor == .seconds(1))
        #expect(store.status.lastFailure != nil)
        clock.advance(by: .seconds(1))
        for await event in events {
            if case .reload(let report) = event {
                #expect(report.trigger == .source && report.failure == nil)
                break
            }
        }
        watching.cancel()
        await watching.value
    }
}
