public import Shunt

/// The time when the outcome of a request changes with the time, because rules read it.
///
/// The request is decided for each hour and at each moment and time of day that the rule files name; between two of these with
/// different outcomes the second of the change is found. What changes and changes back within an hour, by an expression that
/// names no time, is not seen.
public struct OutcomeTimeline: Sendable {
    /// An outcome and the first second at which it holds.
    public struct Entry: Sendable {
        /// The first second.
        public var time: Timestamp
        /// The decision from then on.
        public var decision: Decision
    }

    /// The longest time that is read, in days.
    public static let longestDays = 1_000
    private static let day: Int64 = 86_400
    private static let hour: Int64 = 3_600

    /// The outcomes in their order; the first is that at the beginning.
    public let entries: [Entry]

    /// Looks for the outcomes of a request.
    ///
    /// - Parameters:
    ///   - request: The request; its time is not read.
    ///   - rules: The rules.
    ///   - start: The first moment.
    ///   - end: The last moment, no more than `longestDays` after the first.
    /// - Complexity: O(*n*) in the hours between both, times what a decision costs.
    public init(of request: RuleRequest, by rules: LoadedRules, from start: Timestamp, until end: Timestamp) {
        var options = Engine.Options()
        // A rule on a random value would seem to change with the time.
        options.requestIdentifier = [UInt8](repeating: UInt8(ascii: "0"), count: 32)
        let engine = Engine(rules.ruleSet, options: options)
        func decision(at seconds: Int64) -> Decision {
            var request = request
            request.time = Timestamp(seconds: seconds)
            return engine.decide(request)
        }
        func isSame(_ one: Decision, _ other: Decision) -> Bool { OutcomeChange(from: one, to: other) == nil }

        let last = min(end.seconds, start.seconds + Int64(Self.longestDays) * Self.day)
        let offset = Int64(rules.ruleSet.model.zoneOffset) * 60
        let moments = Self.moments(from: start.seconds, until: last, offset: offset, named: RuleTimes(rules.archive))
        var found = [Entry(time: Timestamp(seconds: start.seconds), decision: decision(at: start.seconds))]
        var before = start.seconds
        for moment in moments {
            var next = decision(at: moment)
            if let current = found.last, !isSame(current.decision, next) {
                var (low, high) = (before, moment)
                while high - low > 1 {
                    let middle = low + (high - low) / 2
                    let there = decision(at: middle)
                    if isSame(current.decision, there) { low = middle } else { (high, next) = (middle, there) }
                }
                found.append(Entry(time: Timestamp(seconds: high), decision: next))
                // Between the change and the moment there may be another one.
                let later = decision(at: moment)
                if high < moment, !isSame(next, later) {
                    found.append(Entry(time: Timestamp(seconds: moment), decision: later))
                }
            }
            before = moment
        }
        entries = found
    }

    private static func moments(from start: Int64, until end: Int64, offset: Int64, named: RuleTimes) -> [Int64] {
        var moments = Set<Int64>([end])
        for moment in named.moments { moments.formUnion([moment - 1, moment, moment + 1]) }
        let midnight = (start + offset) / day * day - offset
        for begin in stride(from: midnight, through: end, by: Int(day)) {
            for time in stride(from: 0, to: day, by: Int(hour)) { moments.insert(begin + time) }
            for time in named.timesOfDay { moments.formUnion([begin + time - 1, begin + time, begin + time + 1]) }
        }
        return moments.filter { $0 > start && $0 <= end }.sorted()
    }
}
