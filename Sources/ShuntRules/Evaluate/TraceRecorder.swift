package import ShuntCore
import ShuntRouting

/// Writes down what an evaluation does, for people to read.
package final class TraceRecorder: StepRecorder {
    /// The steps of the last evaluation; at most `limit`.
    package private(set) var trace = Trace()
    /// The place where each step of the trace is in the rule files.
    package private(set) var positions: [SourcePosition] = []
    /// The directive at a position, as written.
    private let text: (SourcePosition) -> String
    private let limit = 100_000
    private var lastURL = ByteRange.empty
    private var lastPath = ByteRange.empty

    /// Makes a recorder that shows a rule as `text` returns it; `listsEveryRule` shows those an index passes over.
    package init(listsEveryRule: Bool = true, text: @escaping (SourcePosition) -> String) {
        self.text = text
        super.init(listsEveryRule: listsEveryRule)
    }

    override func begin() {
        trace = Trace()
        positions.removeAll()
        lastURL = .empty
        lastPath = .empty
    }

    private func add(
        _ kind: Trace.Step.Kind,
        at position: SourcePosition,
        text: String,
        result: Trace.Step.Result? = nil,
        subject: String? = nil,
        captures: Captures = Captures(),
        change: Trace.Step.Change? = nil,
        in evaluation: borrowing Evaluation
    ) {
        guard trace.steps.count < limit else { return }
        positions.append(position)
        trace.steps.append(
            Trace.Step(
                kind: kind,
                rule: evaluation.program.location(of: position),
                text: text,
                result: result,
                subject: subject,
                captures: captures.texts,
                captureRanges: captures.ranges,
                change: change
            )
        )
    }

    private func string(_ range: ByteRange, in evaluation: borrowing Evaluation) -> String {
        String(decoding: evaluation.arena.array(range), as: UTF8.self)
    }

    override func record(phase name: String, at position: SourcePosition, in evaluation: borrowing Evaluation) {
        let isURL = evaluation.phase == .url
        lastURL = evaluation.url.range
        lastPath = evaluation.server.uri
        let subject = isURL ? evaluation.url.range : evaluation.server.uri
        add(.phase, at: position, text: name, subject: string(subject, in: evaluation), in: evaluation)
    }

    override func record(server: ServerIndex, in evaluation: borrowing Evaluation) {
        let server = evaluation.program.tables.servers[server]
        add(
            .server,
            at: server.position,
            text: String(decoding: server.name, as: UTF8.self),
            subject: string(evaluation.server.host, in: evaluation),
            in: evaluation
        )
    }

    override func record(location: LocationIndex, in evaluation: borrowing Evaluation) {
        let found = location.isNone ? nil : evaluation.program.tables.locations[location]
        add(
            .location,
            at: found?.position ?? .none,
            text: found.map { "location \($0.text)" } ?? "no location",
            subject: string(evaluation.server.uri, in: evaluation),
            in: evaluation
        )
    }

    override func record(rule pc: Int, result: Trace.Step.Result, in evaluation: borrowing Evaluation) {
        let position = evaluation.rulePosition(at: pc, result)
        let isURL = evaluation.phase == .url
        let before = isURL ? lastURL : lastPath
        let after = isURL ? evaluation.url.range : evaluation.server.uri
        var change: Trace.Step.Change?
        if result != .skipped, before != after {
            change = Trace.Step.Change(before: string(before, in: evaluation), after: string(after, in: evaluation))
        }
        lastURL = evaluation.url.range
        lastPath = evaluation.server.uri
        add(
            .rule,
            at: position,
            text: text(position),
            result: result,
            subject: string(before, in: evaluation),
            captures: result == .skipped ? Captures() : captures(of: evaluation, in: before),
            change: change,
            in: evaluation
        )
    }

    private struct Captures {
        var texts: [String] = []
        var ranges: [Range<Int>?] = []
    }

    /// The captures, and their places in a value before which the text that is shown has `lead` bytes.
    private func captures(of evaluation: borrowing Evaluation, in value: ByteRange, lead: Int = 0) -> Captures {
        var captures = Captures()
        guard evaluation.values.captureCount > 1 else { return captures }
        let length = string(value, in: evaluation).utf8.count
        for index in 1..<evaluation.values.captureCount {
            let range = evaluation.values.captures[index]
            let text = string(range, in: evaluation)
            captures.texts.append(text)
            guard range.start >= value.start, range.end <= value.end else {
                captures.ranges.append(nil)
                continue
            }
            let before = string(ByteRange(start: value.start, end: range.start), in: evaluation).utf8.count
            let after = string(ByteRange(start: range.end, end: value.end), in: evaluation).utf8.count
            // Where a capture begins or ends within a character, the pieces are longer than the whole as text.
            let isWhole = before + text.utf8.count + after == length
            captures.ranges.append(isWhole ? lead + before..<lead + before + text.utf8.count : nil)
        }
        return captures
    }

    override func record(
        condition index: ConditionIndex,
        result: Bool,
        value: ByteRange,
        in evaluation: borrowing Evaluation
    ) {
        let condition = evaluation.program.tables.conditions[index]
        var subject: String?
        var lead = ""
        if !condition.variable.isNone {
            lead = "$\(evaluation.program.tables.variables[condition.variable].name) = \""
            subject = "\(lead)\(string(value, in: evaluation))\""
        }
        add(
            .condition,
            at: evaluation.position,
            text: text(evaluation.position),
            result: result ? .matched : .skipped,
            subject: subject,
            captures: result && condition.kind == .matches
                ? captures(of: evaluation, in: value, lead: lead.utf8.count) : Captures(),
            in: evaluation
        )
    }

    override func record(
        share: Int?,
        hash: UInt32,
        of value: ByteRange,
        in split: SplitClients,
        in evaluation: borrowing Evaluation
    ) {
        let shown = string(value, in: evaluation)
        let hundredths = SplitClients.hundredths(hash)
        let subject = "\"\(shown)\" has the hash \(hash), at \(Self.percentage(hundredths)): "
        guard let share else {
            add(.note, at: split.position, text: text(split.position), subject: subject + "in no share", in: evaluation)
            return
        }
        let start = Self.percentage(share == 0 ? 0 : split.end(of: share - 1))
        add(
            .entry,
            at: split.shares[share].position,
            text: text(split.shares[share].position),
            result: .matched,
            subject: "in \(text(split.position)), \(subject)from \(start) to \(Self.percentage(split.end(of: share)))",
            in: evaluation
        )
    }

    override func record(entry: TableEntry, for value: ByteRange, in evaluation: borrowing Evaluation) {
        add(
            .entry,
            at: entry.position,
            text: text(entry.position),
            result: .matched,
            subject: "in \(text(entry.table)), for \"\(string(value, in: evaluation))\"",
            in: evaluation
        )
    }

    /// Hundredths of a percent as people write them, such as `12.5%`.
    private static func percentage(_ hundredths: Int) -> String {
        let fraction = hundredths % 100
        var text = "\(hundredths / 100)"
        if fraction > 0 {
            text += "." + (fraction < 10 ? "0" : "") + "\(fraction % 10 == 0 ? fraction / 10 : fraction)"
        }
        return text + "%"
    }

    override func record(assignment pc: Int, value: ByteRange, in evaluation: borrowing Evaluation) {
        let position = evaluation.program.tables.instructions[pc].position
        lastURL = evaluation.url.range
        add(.assignment, at: position, text: text(position), subject: string(value, in: evaluation), in: evaluation)
    }

    override func record(redirect path: ByteRange, in evaluation: borrowing Evaluation) {
        lastPath = path
        add(
            .redirect,
            at: evaluation.position,
            text: "internal redirect",
            subject: string(path, in: evaluation),
            in: evaluation
        )
    }

    override func record(file path: ByteRange, found: Bool, in evaluation: borrowing Evaluation) {
        add(
            .file,
            at: evaluation.position,
            text: found ? "found" : "not found",
            result: found ? .matched : .skipped,
            subject: string(path, in: evaluation),
            in: evaluation
        )
    }

    override func record(route: RouteLookup, in evaluation: borrowing Evaluation) {
        let found = route.isMatch ? evaluation.program.tables.routes?.route(route.route) : nil
        let place = found?.origin
        add(
            .route,
            at: .none,
            text: found.map { "route \($0.displayName)" } ?? "no route: \(route.outcome)",
            result: found == nil ? .skipped : .matched,
            subject: string(evaluation.answer.outcome.url, in: evaluation),
            in: evaluation
        )
        if let place, !trace.steps.isEmpty { trace.steps[trace.steps.count - 1].rule = place }
    }

    override func record(form: ByteRange, in evaluation: borrowing Evaluation) {
        record(note: "in its normal form: \(string(form, in: evaluation))", at: evaluation.position, in: evaluation)
    }

    override func record(note: String, at position: SourcePosition, in evaluation: borrowing Evaluation) {
        add(.note, at: position, text: note, in: evaluation)
    }

    override func record(decision outcome: Outcome, in evaluation: borrowing Evaluation) {
        var text = outcome.action.rawValue
        if outcome.status != 0 { text += " \(outcome.status)" }
        let subject = outcome.hasURL ? string(outcome.url, in: evaluation) : nil
        if outcome.reason != .none { text += ": \(outcome.reason.text)" }
        add(.decision, at: outcome.position, text: text, subject: subject, in: evaluation)
    }
}
