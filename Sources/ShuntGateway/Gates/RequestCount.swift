#if Gateway
import Synchronization

/// nginx's count of requests by `limit_req`: a bucket for each key that leaks at the rate of its zone.
///
/// Requests are counted in thousandths, and time in milliseconds, so that each request gets nginx's answer.
///
/// Source: https://nginx.org/en/docs/http/ngx_http_limit_req_module.html
enum RequestCount {
    /// A limit with the key of the request; one with an empty key does not count it.
    struct Limit {
        let memory: ZoneMemory
        /// The thousandths of requests a second.
        let rate: Int
        /// The most requests beyond the rate, in thousandths.
        let burst: Int
        /// Those that are not delayed.
        let free: Int
        let key: [UInt8]
    }

    enum Answer: Equatable {
        case passes
        /// There are too many requests by the limit of a number; without an excess where its zone is full.
        case isTooMany(excess: Int?, number: Int)
        /// The request is delayed by so many milliseconds, most of all by the limit of a number.
        case waits(Int, excess: Int, number: Int)
    }

    /// Counts a request in all of its zones, or in none where one refuses it.
    ///
    /// - Parameters:
    ///   - limits: The limits.
    ///   - now: The time.
    /// - Returns: The answer.
    static func count(_ limits: [Limit], at now: Int64) -> Answer {
        var held: [(number: Int, place: Int)] = []
        var longest = (delay: 0, excess: 0, number: 0)
        for (number, limit) in limits.enumerated() where !limit.key.isEmpty {
            let isLast = number == limits.count - 1
            let look = limit.memory.table.withLock { $0.look(limit.key, limit, at: now, isLast: isLast) }
            switch look {
            case .held(let place): held.append((number, place))
            case .counted(let excess): longest = (delay(of: excess, by: limit), excess, number)
            case .isTooMany(let excess):
                for (number, place) in held { limits[number].memory.table.withLock { $0[place].holders -= 1 } }
                return .isTooMany(excess: excess, number: number)
            }
        }
        for (number, place) in held.reversed() {
            let limit = limits[number]
            let excess = limit.memory.table.withLock { $0.count(place, rate: limit.rate, at: now) }
            let delay = delay(of: excess, by: limit)
            if delay > longest.delay { longest = (delay, excess, number) }
        }
        return longest.delay == 0 ? .passes : .waits(longest.delay, excess: longest.excess, number: longest.number)
    }

    private static func delay(of excess: Int, by limit: Limit) -> Int {
        excess <= limit.free ? 0 : (excess - limit.free) * 1_000 / max(1, limit.rate)
    }
}

extension ZoneTable {
    /// The outcome of looking a key up.
    fileprivate enum Look {
        /// The last limit has counted the request.
        case counted(excess: Int)
        /// The state stays until all limits have been checked.
        case held(Int)
        case isTooMany(excess: Int?)
    }

    fileprivate mutating func look(_ key: [UInt8], _ limit: RequestCount.Limit, at now: Int64, isLast: Bool) -> Look {
        if let place = place(of: key) {
            touch(place)
            let excess = excess(of: place, rate: limit.rate, at: now)
            if excess > limit.burst { return .isTooMany(excess: excess) }
            if isLast {
                set(place, excess, at: now)
                return .counted(excess: excess)
            }
            self[place].holders += 1
            return .held(place)
        }
        forget(rate: limit.rate, at: now, isForced: false)
        var added = add(key)
        if added == nil {
            forget(rate: limit.rate, at: now, isForced: true)
            added = add(key)
        }
        guard let place = added else { return .isTooMany(excess: nil) }
        if isLast {
            self[place].last = now
            return .counted(excess: 0)
        }
        self[place].holders += 1
        return .held(place)
    }

    /// Counts a request whose state was held.
    fileprivate mutating func count(_ place: Int, rate: Int, at now: Int64) -> Int {
        let excess = excess(of: place, rate: rate, at: now)
        set(place, excess, at: now)
        self[place].holders -= 1
        return excess
    }

    /// The milliseconds since a state was counted; a clock that goes back a little is still.
    private func age(_ place: Int, at now: Int64) -> Int {
        let age = Int(now - self[place].last)
        return age < -60_000 ? 1 : max(0, age)
    }

    private func excess(of place: Int, rate: Int, at now: Int64) -> Int {
        max(0, self[place].excess - rate &* age(place, at: now) / 1_000 + 1_000)
    }

    private mutating func set(_ place: Int, _ excess: Int, at now: Int64) {
        let age = age(place, at: now)
        self[place].excess = excess
        if age != 0 { self[place].last = now }
    }

    /// Forgets the oldest states where nothing is left of them for a minute, two of them at most; the very oldest in any case if
    /// there must be room.
    private mutating func forget(rate: Int, at now: Int64, isForced: Bool) {
        for step in (isForced ? 0 : 1)..<3 {
            guard oldest != Self.none, self[oldest].holders == 0 else { return }
            if step > 0 {
                let age = Int((now - self[oldest].last).magnitude)
                guard age >= 60_000, self[oldest].excess - rate &* age / 1_000 <= 0 else { return }
            }
            remove(oldest)
        }
    }
}
#endif
