import Shunt

/// Finds the first moment that passes tests of the time.
struct TimeSearch {
    let checker: ValueChecker
    let asOf: Timestamp

    enum Answer {
        case moment(Timestamp)
        /// It was possible the last time then.
        case past(Timestamp)
        case none
    }

    private static let day: Int64 = 86_400

    /// The first moment from `asOf` on that passes all tests.
    func search(_ tests: [(variable: BuiltinVariable, test: ValueTest)]) -> Answer {
        var bounds: [Int64] = []
        var times: [Int64] = [0]
        for (_, test) in tests {
            switch test.kind {
            case .moment(_, let bound): bounds += [bound.seconds - 1, bound.seconds, bound.seconds + 1]
            case .timeOfDay(_, let bound): times += [bound - 1, bound, bound + 1]
            case .equals(let text):
                if let moment = TimeValue.moment(of: text.span, offset: checker.model.zoneOffset) {
                    bounds.append(moment.seconds)
                }
                if let seconds = TimeValue.timeOfDay(text.span) { times.append(seconds) }
            default: break
            }
        }
        // Each day of a week after each bound, at each time of day.
        var moments = Set<Int64>([asOf.seconds])
        let zone = Int64(checker.model.zoneOffset) * 60
        for start in [asOf.seconds] + bounds {
            moments.insert(start)
            let midnight = start - TimeValue.secondsOfDay(of: Timestamp(seconds: start), offset: Int(zone / 60))
            for day in Int64(-7)...8 {
                for time in times where (0..<Self.day).contains(time) {
                    moments.insert(midnight + day * Self.day + time)
                }
            }
        }
        let sorted = moments.sorted()
        func passes(_ seconds: Int64) -> Bool {
            tests.allSatisfy { checker.passes(text(of: $0.variable, at: seconds), $0.test) }
        }
        if let found = sorted.first(where: { $0 >= asOf.seconds && passes($0) }) {
            return .moment(Timestamp(seconds: found))
        }
        if let found = sorted.last(where: { $0 < asOf.seconds && passes($0) }) {
            return .past(Timestamp(seconds: found + 1))
        }
        return .none
    }

    private func text(of variable: BuiltinVariable, at seconds: Int64) -> [UInt8] {
        let moment = Timestamp(seconds: seconds)
        let offset = checker.model.zoneOffset
        return switch variable {
        case .time: moment.bytes(as: .iso8601, offset: offset)
        case .timeOfDay: moment.bytes(as: .clock, offset: offset)
        case .weekday: moment.bytes(as: .weekday, offset: offset)
        default: moment.bytes(as: .iso8601)
        }
    }
}
