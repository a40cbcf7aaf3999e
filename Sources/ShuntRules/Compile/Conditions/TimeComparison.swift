import ShuntCore

/// Comparisons of moments and of times of day: `$time >= 2026-11-23`, `$time_of_day < 09:30`.
enum TimeComparison {
    /// Variables that hold a moment, or what can be one.
    private static let moments: Set<BuiltinVariable> = [.time, .timeISO8601, .timeLocal, .milliseconds]

    /// Sets what `<`, `<=`, `>` or `>=` compares with; true if it is a date or a time of day, or an error in one.
    static func take(_ value: Word, for condition: inout Condition, in context: inout CompileContext) -> Bool {
        let variable = context.tables.variables[condition.variable]
        let builtin = variable.source == .builtin ? BuiltinVariable(rawValue: variable.index) : nil
        guard !value.bytes.contains(UInt8(ascii: "$")) else { return false }
        if TimeValue.looksLikeDate(value.bytes) {
            do throws(TimestampError) {
                condition.comparison = .moment(try TimeValue.moment(value.text, offset: context.tables.zoneOffset))
                setUnit(of: builtin, among: moments, "a date", value, for: &condition, in: &context)
            } catch {
                let message = "\(value.shownText) is not a date: \(error)"
                context.error(.invalidDate, message, at: value, suggestion: dateAdvice)
            }
            return true
        }
        if TimeValue.looksLikeTimeOfDay(value.bytes) {
            if let seconds = TimeValue.timeOfDay(value.bytes.span) {
                condition.comparison = .timeOfDay(seconds)
                setUnit(of: builtin, among: [.timeOfDay], "a time of day", value, for: &condition, in: &context)
            } else {
                let message = "\(value.shownText) is not a time of day"
                context.error(.invalidDate, message, at: value, suggestion: clockAdvice)
            }
            return true
        }
        guard let builtin, builtin != .milliseconds, moments.contains(builtin) || builtin == .timeOfDay else {
            return false
        }
        let isClock = builtin == .timeOfDay
        let message = "\(value.shownText) is not a \(isClock ? "time of day" : "date or time")"
        context.error(.invalidDate, message, at: value, suggestion: isClock ? clockAdvice : dateAdvice)
        return true
    }

    private static let dateAdvice = "write 2026-11-23, 2026-11-23T08:00 or 2026-11-23T08:00:00+08:00"
    private static let clockAdvice = "write 09:30 or 09:30:15"

    /// Returns the advice for a date and a time of day next to each other; nil if they are something else.
    static func advice(onDate date: String, time: String) -> String? {
        guard TimeValue.looksLikeDate(Array(date.utf8)), TimeValue.looksLikeTimeOfDay(Array(time.utf8)) else {
            return nil
        }
        return "write a T between date and time, \(date)T\(time), or quotes around both"
    }

    /// Sets the unit of a variable's value; a variable that never has the kind of value that it is compared with is warned of.
    private static func setUnit(
        of builtin: BuiltinVariable?,
        among fitting: Set<BuiltinVariable>,
        _ kind: String,
        _ value: Word,
        for condition: inout Condition,
        in context: inout CompileContext
    ) {
        guard let builtin else { return }
        guard fitting.contains(builtin) else {
            let name = context.tables.variables[condition.variable].name
            let message = "$\(name) is never \(kind), so the test is never true"
            let advice = "compare $time with dates, and $time_of_day with times of day"
            return context.warning(.neverADate, message, at: value, suggestion: advice)
        }
        condition.clockUnit = builtin == .milliseconds ? 1_000_000 : 1_000_000_000
    }

    /// Reads `timezone`, before anything is compared in it.
    static func declareZone(_ directives: [CheckedDirective], in context: inout CompileContext) {
        for directive in directives where directive.keyword == .timezone {
            guard let word = directive.arguments.first else { continue }
            guard let offset = TimeValue.offset(word.text) else {
                let advice = "write one such as +08:00; the meaning of zone names depends on the files of each machine"
                context.error(.invalidZone, "\(word.shownText) is not an offset from UTC", at: word, suggestion: advice)
                continue
            }
            context.tables.zoneOffset = offset
        }
    }
}
