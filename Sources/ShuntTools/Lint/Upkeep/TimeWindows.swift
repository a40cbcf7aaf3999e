import Shunt

extension LintSubject {
    func pastWindow() -> [LintFound] {
        timeWindows.compactMap { window in
            guard window.last <= options.asOf.seconds else { return nil }
            let last = Timestamp(seconds: window.last)
            return LintFound(
                window.position,
                "this can never be true again: its last moment was \(last)",
                advice: "remove it"
            )
            .remarking("proved for every time from \(options.asOf) on")
        }
    }

    func futureWindow() -> [LintFound] {
        timeWindows.compactMap { window in
            guard window.first > options.asOf.seconds, window.last > options.asOf.seconds else { return nil }
            let first = Timestamp(seconds: window.first)
            return LintFound(window.position, "this begins at \(first)", advice: "nothing is to be done")
                .remarking("proved for every time before")
        }
    }

    /// The windows of the blocks whose last test on the way is of the time, in seconds; the last is the first moment after it.
    private var timeWindows: [(position: SourcePosition, first: Int64, last: Int64)] {
        var found: [(position: SourcePosition, first: Int64, last: Int64)] = []
        for step in rules {
            let ways = step.ways()
            guard !ways.isEmpty, ways.count < 32,
                let node = tree.node(at: step.position),
                let block = tree.ancestors(of: node).first(where: { ["if", "else"].contains(tree.nodes[$0].name) })
            else { continue }
            // Tests of the time that hold on a way, whatever others there are, bound it.
            let spans = ways.map(span)
            guard spans.allSatisfy({ $0.isTested }) else { continue }
            let position = tree.nodes[block].position
            guard !found.contains(where: { $0.position == position }) else { continue }
            let first = spans.map(\.first).min() ?? .min
            let last = spans.map(\.last).max() ?? .max
            if first < last || ways.count == 1 { found.append((position, first, last)) }
        }
        return found
    }

    /// From when to when the tests on a way can hold.
    private func span(_ way: [RuleModel.Guard]) -> (first: Int64, last: Int64, isTested: Bool) {
        var result = (first: Int64.min, last: Int64.max, isTested: false)
        for case .condition(let condition, let outcome) in way {
            guard let bound = moment(condition) else { continue }
            let holds = outcome != condition.isNegated
            result.isTested = true
            switch (condition.kind, holds) {
            case (.less, true), (.greaterOrEqual, false): result.last = min(result.last, bound)
            case (.lessOrEqual, true), (.greater, false): result.last = min(result.last, bound + 1)
            case (.greaterOrEqual, true), (.less, false): result.first = max(result.first, bound)
            case (.greater, true), (.lessOrEqual, false): result.first = max(result.first, bound + 1)
            default: continue
            }
        }
        return result
    }

    /// The moment that a condition compares the time of the request with, in seconds.
    private func moment(_ condition: RuleModel.Condition) -> Int64? {
        guard let variable = condition.variable, variable.assignments.isEmpty else { return nil }
        switch (variable.builtin, condition.comparison) {
        case (.time, .moment(let bound)), (.timeISO8601, .moment(let bound)), (.timeLocal, .moment(let bound)),
            (.milliseconds, .moment(let bound)):
            return bound.seconds
        case (.milliseconds, .version):
            return condition.text?.constant.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
        default: return nil
        }
    }

    func expiredNote() -> [LintFound] {
        tree.notes.compactMap { position, note in
            guard let text = note.entries.first(where: { $0.key == "until" && !$0.isInherited })?.value else {
                return nil
            }
            guard let end = LintDates.moment(text, self) else {
                return LintFound(position, "\"\(text)\" after until= is not a date", advice: "write it as 2027-01-31")
            }
            let owner = note["owner"].map { ", owner: \($0)" } ?? ""
            let message = "this was to stay until \(text)\(owner)"
            return end <= options.asOf ? LintFound(position, message, advice: "remove it, or change the date") : nil
        }
    }
}
