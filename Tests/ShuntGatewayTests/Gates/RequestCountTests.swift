#if Gateway
import ShuntRules
import Synchronization
import Testing

@testable import ShuntGateway

/// The arithmetic of `limit_req` and the memory of zones, without a clock and a socket.
@Suite struct RequestCountTests {
    private static func memory(_ kind: LimitZone.Kind = .requests, size: Int = 1 << 20) -> ZoneMemory {
        ZoneMemory(of: kind, named: "z", size: size)
    }

    private static func limit(
        _ memory: ZoneMemory,
        rate: Int,
        burst: Int,
        free: Int = 0,
        key: String = "k"
    ) -> RequestCount.Limit {
        RequestCount.Limit(memory: memory, rate: rate, burst: burst * 1_000, free: free, key: Array(key.utf8))
    }

    @Test("Ten requests a second and two beyond them")
    func arithmetic() {
        let memory = Self.memory()
        let steps: [(Int64, RequestCount.Answer)] = [
            (5_000, .passes), (5_000, .waits(100, excess: 1_000, number: 0)),
            (5_000, .waits(200, excess: 2_000, number: 0)),
            (5_000, .isTooMany(excess: 3_000, number: 0)), (5_050, .isTooMany(excess: 2_500, number: 0)),
            (5_100, .waits(200, excess: 2_000, number: 0)), (5_149, .isTooMany(excess: 2_510, number: 0)),
            (5_399, .waits(1, excess: 10, number: 0)), (5_500, .passes), (90_000, .passes),
            // A clock that goes back is still, and one that goes back far begins again.
            (89_999, .waits(100, excess: 1_000, number: 0)), (1, .waits(199, excess: 1_990, number: 0)),
        ]
        for (time, answer) in steps {
            #expect(RequestCount.count([Self.limit(memory, rate: 10_000, burst: 2)], at: time) == answer, "\(time)")
        }
    }

    @Test("Requests within the delay are not delayed, and nodelay delays none")
    func free() {
        let memory = Self.memory()
        let limits = [Self.limit(memory, rate: 1_000, burst: 3, free: 1_000)]
        let answers = (0..<5).map { _ in RequestCount.count(limits, at: 9) }
        #expect(
            answers == [
                .passes, .passes, .waits(1_000, excess: 2_000, number: 0), .waits(2_000, excess: 3_000, number: 0),
                .isTooMany(excess: 4_000, number: 0),
            ]
        )
        let other = [Self.limit(Self.memory(), rate: 16, burst: 1, free: .max)]
        #expect(
            (0..<3).map { _ in RequestCount.count(other, at: 9) } == [
                .passes, .passes, .isTooMany(excess: 2_000, number: 0),
            ]
        )
    }

    @Test("A request that one limit refuses counts in none, and the longest delay is taken")
    func several() {
        let (first, second) = (Self.memory(), Self.memory())
        func count(_ key: String, at time: Int64 = 100_000) -> RequestCount.Answer {
            RequestCount.count(
                [Self.limit(first, rate: 1_000, burst: 2), Self.limit(second, rate: 10_000, burst: 1, key: key)],
                at: time
            )
        }
        #expect(count("a") == .passes)
        #expect(count("a") == .waits(1_000, excess: 1_000, number: 0))
        #expect(
            count("a") == .isTooMany(excess: 2_000, number: 1) && count("a") == .isTooMany(excess: 2_000, number: 1)
        )
        // The last limit does not count it, so the first one does.
        #expect(count("") == .waits(2_000, excess: 2_000, number: 0))
        #expect(count("b") == .isTooMany(excess: 3_000, number: 0))
        #expect(RequestCount.count([Self.limit(first, rate: 1, burst: 0, key: "")], at: 1) == .passes)
        first.table.withLock { table in
            let place = table.place(of: Array("k".utf8)) ?? 0
            #expect(table[place].holders == 0)
        }
    }

    @Test("A full zone forgets the oldest key, and never one that a request holds")
    func full() {
        let memory = Self.memory(size: 32_768)
        func count(_ key: Int, at time: Int64) -> RequestCount.Answer {
            RequestCount.count([Self.limit(memory, rate: 16, burst: 0, key: "key \(key)")], at: time)
        }
        for key in 0..<191 { #expect(count(key, at: 1_000) == .passes) }
        #expect(memory.table.withLock { $0.count } == 191)
        #expect(count(0, at: 1_000) == .isTooMany(excess: 1_000, number: 0))
        // The second one is the oldest now.
        #expect(count(191, at: 1_000) == .passes && count(0, at: 1_000) != .passes && count(1, at: 1_000) == .passes)
        #expect(memory.table.withLock { $0.count } == 191)
        memory.table.withLock { table in
            let oldest = table.oldest
            table[oldest].holders = 1
        }
        #expect(count(500, at: 1_000) == .isTooMany(excess: nil, number: 0))
        memory.table.withLock { table in
            let oldest = table.oldest
            table[oldest].holders = 0
        }
        // After a minute nothing is left of two at a time.
        #expect(count(501, at: 100_000) == .passes)
        #expect(memory.table.withLock { $0.count } == 190)
    }

    @Test("Connections are counted up to the most, and a full zone refuses")
    func connections() throws {
        let memory = Self.memory(.connections, size: 32_768)
        let key = Array("k".utf8)
        let (one, two) = (try #require(memory.enter(key, most: 2)), try #require(memory.enter(key, most: 2)))
        #expect(memory.enter(key, most: 2) == nil)
        memory.leave(one)
        #expect(memory.enter(key, most: 2) != nil)
        memory.leave(two)
        memory.leave(one)
        #expect(memory.table.withLock { $0.count } == 0)
        var places: [Int] = []
        while let place = memory.enter(Array("\(places.count)".utf8), most: 1) { places.append(place) }
        #expect(places.count == 383)
        for place in places { memory.leave(place) }
        #expect(memory.enter(key, most: 1) != nil)
    }
}
#endif
