import ShuntCore

/// Comparisons with `<`, `<=`, `>` and `>=`: of versions, moments and times of day.
extension Evaluation {
    /// Compares a value; false if one side is not a version, or the value is not a moment or time of day.
    mutating func compares(_ value: ByteRange, _ condition: Condition) throws(EvaluationFailure) -> Bool {
        switch condition.comparison {
        case .version:
            return try comparesVersion(value, condition)
        case .moment(let bound):
            let offset = program.tables.zoneOffset
            guard let moment = arena.withBytes(value, { TimeValue.moment(of: $0, offset: offset) }) else {
                return false
            }
            return Self.holds(condition.kind, left: moment, right: bound)
        case .timeOfDay(let bound):
            guard let seconds = arena.withBytes(value, { TimeValue.timeOfDay($0) }) else { return false }
            return Self.holds(condition.kind, left: seconds, right: bound)
        }
    }

    private mutating func comparesVersion(_ left: ByteRange, _ condition: Condition) throws(EvaluationFailure) -> Bool {
        if let bound = condition.version, let version = arena.withBytes(left, { ShortVersion($0) }) {
            return Self.holds(condition.kind, left: version, right: bound)
        }
        let right = try evaluate(template: condition.template)
        let order = arena.withBytes(left) { left in
            arena.withBytes(right) { right in VersionComparison.compare(left, right) }
        }
        guard let order else { return false }
        return Self.holds(condition.kind, left: order.rawValue, right: 0)
    }

    /// Compares the clock itself where the variable of the condition is the clock, and would be read from its own text; nil
    /// where it was assigned, or no such text would be a time.
    mutating func comparesClock(_ condition: Condition) -> Bool? {
        guard !values.isAssigned(condition.variable) else { return nil }
        let time = request.time()
        switch condition.comparison {
        case .version:
            return nil
        case .moment(let bound):
            guard Self.secondsOfPlainYears.contains(time.seconds) else { return nil }
            let nanoseconds = time.nanoseconds / condition.clockUnit * condition.clockUnit
            return Self.holds(
                condition.kind,
                left: Timestamp(seconds: time.seconds, nanoseconds: nanoseconds),
                right: bound
            )
        case .timeOfDay(let bound):
            let seconds = TimeValue.secondsOfDay(of: time, offset: program.tables.zoneOffset)
            return Self.holds(condition.kind, left: seconds, right: bound)
        }
    }

    /// The years 1971 to 9998, in which every zone has years of four digits and seconds from 0 on.
    private static let secondsOfPlainYears: Range<Int64> = 31_536_000..<253_370_764_800

    @inline(__always)
    private static func holds<Value: Comparable>(_ kind: Condition.Kind, left: Value, right: Value) -> Bool {
        switch kind {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        default: left >= right
        }
    }
}
