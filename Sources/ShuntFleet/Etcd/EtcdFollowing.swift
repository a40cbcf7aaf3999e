#if Fleet

/// The following of one key as a state machine: results of requests and the time go in, requests come out.
///
/// It reads no clock and no network. A watch is resumed after the last change that it reported, so that none is missed
/// and none is reported twice; a read as well finds a watch that is silent and a store that was emptied.
package struct EtcdFollowing: Sendable {
    package struct Seen: Sendable, Hashable {
        /// The revision of the whole store that it is about.
        package var revision: Int64
        /// The value; nil where there is no such key.
        package var value: [UInt8]?
        /// The revision that changed the key last; 0 where there is no such key.
        package var changed: Int64

        package init(revision: Int64, value: [UInt8]?, changed: Int64) {
            self.revision = revision
            self.value = value
            self.changed = changed
        }
    }

    package enum Event: Sendable {
        case started
        case read(Int, Result<Seen, EtcdError>)
        case changed(watch: Int, EtcdChange)
        case over(watch: Int, EtcdError)
        case time
    }

    /// An effect; effects are carried out in order.
    package enum Effect: Sendable, Hashable {
        /// Read the key, linearizable; an answer to an earlier read is not wanted any more.
        case read(Int)
        /// Watch the key from this revision on, instead of what was watched before.
        case watch(Int, from: Int64)
        /// Watch nothing.
        case close
        /// The key has this value; nil: there is no such key.
        case tell([UInt8]?)
        /// It is not known any more what value it has.
        case fail(EtcdError)
    }

    private enum Phase: Sendable {
        case reading
        case watching
        case waiting(until: Duration, resumes: Bool)
    }

    private let interval: Duration
    private var phase = Phase.reading
    private var watch = 0
    private var reads = 0
    private var isReading = false
    /// The revision to continue from; nil as long as nothing was read.
    private var resume: Int64?
    private var known: Int64 = 0
    private var nextRead = Duration.zero
    private var failures = 0
    private var hasJumped = false
    private var earlier = 0
    /// The number of living nodes, which decides the pause before they come back.
    private var live = 0

    /// - Parameter interval: The interval of the reads that accompany the watch.
    package init(interval: Duration = .seconds(30)) { self.interval = interval }

    /// The time when `time` is to be reported.
    package var wakeTime: Duration? {
        switch phase {
        case .reading: nil
        case .watching: isReading ? nil : nextRead
        case .waiting(let until, _): until
        }
    }

    /// Takes in what happened; `random` is a number from 0 to 1, another one each time.
    package mutating func handle(_ event: Event, at now: Duration, random: Double) -> [Effect] {
        switch event {
        case .started:
            return [read()]
        case .read(let number, let result):
            guard number == reads, isReading else { return [] }
            isReading = false
            switch result {
            case .success(let seen): return take(seen, at: now, random: random)
            case .failure(let failure): return wait(failure, at: now, random: random)
            }
        case .changed(let number, let change):
            guard number == watch, case .watching = phase, change.revision >= resume ?? 0 else { return [] }
            resume = change.revision + 1
            known = change.value == nil ? 0 : change.revision
            calm()
            return [tell(change.value)]
        case .over(let number, let failure):
            guard number == watch, case .watching = phase else { return [] }
            return wait(failure, at: now, random: random)
        case .time:
            switch phase {
            case .reading: return []
            case .watching: return !isReading && now >= nextRead ? [read(beside: true)] : []
            case .waiting(let until, let resumes):
                guard now >= until else { return [] }
                guard resumes, let resume else { return [read()] }
                // Keys that it does not report are not known any more.
                nextRead = now + interval / 6
                return [begin(from: resume)]
            }
        }
    }

    private mutating func read(beside: Bool = false) -> Effect {
        reads += 1
        isReading = true
        if !beside { phase = .reading }
        return .read(reads)
    }

    private mutating func begin(from revision: Int64) -> Effect {
        watch += 1
        isReading = false
        resume = revision
        phase = .watching
        return .watch(watch, from: revision)
    }

    /// Nothing has failed lately.
    private mutating func calm() {
        failures = 0
        hasJumped = false
        earlier = 0
    }

    private mutating func tell(_ value: [UInt8]?) -> Effect {
        if let value, let pointer = try? ReleasePointer(decoding: value) { live = pointer.progress.live }
        return .tell(value)
    }

    private mutating func take(_ seen: Seen, at now: Duration, random: Double) -> [Effect] {
        let isWatching = if case .watching = phase { true } else { false }
        nextRead = now + interval / 6 * 5 + interval / 3 * random
        if isWatching {
            // A change may have come while the answer was on its way; a store that was made again counts from the beginning.
            if seen.revision + 1 < resume ?? 0, earlier == 0 {
                earlier = 1
                nextRead = now + .seconds(1)
                return []
            }
            if seen.changed == known, earlier == 0 {
                calm()
                resume = seen.revision + 1
                return [tell(seen.value)]
            }
            calm()
        }
        known = seen.changed
        return [tell(seen.value), begin(from: seen.revision + 1)]
    }

    private mutating func wait(_ failure: EtcdError, at now: Duration, random: Double) -> [Effect] {
        isReading = false
        if failure.reason == .compacted, !hasJumped {
            hasJumped = true
            return [.close, read()]
        }
        let delay: Duration
        if failure.needsAttention {
            delay = .seconds(60) + .seconds(15) * random
        } else {
            let base = max(0.5, Double(live) / 200)
            let most = min(60, base * Double(1 << min(failures, 10)))
            delay = .seconds(most) * random
            failures += 1
        }
        phase = .waiting(until: now + delay, resumes: failure.reason != .compacted)
        return [.close, .fail(failure)]
    }
}
#endif
