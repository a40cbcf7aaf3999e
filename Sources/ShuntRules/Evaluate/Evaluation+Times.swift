import ShuntCore

/// Comparisons of moments and of times of day.
extension Evaluation {
    /// Compares a value with the moment or the time of day of a condition; false when the value is none.
    func comparesTime(_ value: ByteRange, _ condition: Condition) -> Bool {
        let bytes = arena.array(value)
        switch condition.comparison {
        case .version:
            return false
        case .moment(let bound):
            guard let moment = TimeValue.moment(of: bytes, offset: program.tables.zoneOffset) else { return false }
            return Self.holds(condition.kind, moment, bound)
        case .timeOfDay(let bound):
            guard let seconds = TimeValue.timeOfDay(bytes) else { return false }
            return Self.holds(condition.kind, seconds, bound)
        }
    }

    private static func holds<Value: Comparable>(_ kind: Condition.Kind, _ left: Value, _ right: Value) -> Bool {
        switch kind {
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        default: left >= right
        }
    }
}
