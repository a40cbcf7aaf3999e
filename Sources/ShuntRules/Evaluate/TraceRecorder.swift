package import ShuntCore
import ShuntRouting

/// Writes down what an evaluator does.
///
/// Without a recorder nothing of this costs anything.
package final class TraceRecorder {
    /// What was recorded of the last evaluation; at most `limit` steps.
    package private(set) var trace = Trace()
    /// The directive that stands at a position, as it is written.
    private let text: (SourcePosition) -> String
    private let limit = 100_000
    private var lastURL = ByteRange.empty
    private var lastPath = ByteRange.empty

    /// Makes a recorder that shows a rule as `text` gives it.
    package init(text: @escaping (SourcePosition) -> String) {
        self.text = text
    }

    func begin() {
        trace = Trace()
        lastURL = .empty
        lastPath = .empty
    }

    private func add(
        _ kind: Trace.Step.Kind,
        at position: SourcePosition,
        text: String,
        result: Trace.Step.Result? = nil,
        subject: String? = nil,
        captures: [String] = [],
        change: Trace.Step.Change? = nil,
        in evaluator: Evaluator
    ) {
        guard trace.steps.count < limit else { return }
        trace.steps.append(
            Trace.Step(
                kind: kind,
                rule: evaluator.program.location(of: position),
                text: text,
                result: result,
                subject: subject,
                captures: captures,
                change: change
            )
        )
    }

    private func string(_ range: ByteRange, in evaluator: Evaluator) -> String {
        String(decoding: evaluator.arena.array(range), as: UTF8.self)
    }

    func record(phase name: String, at position: SourcePosition, in evaluator: Evaluator) {
        let isURL = evaluator.phase == .url
        lastURL = evaluator.url
        lastPath = evaluator.uri
        let subject = isURL ? evaluator.url : evaluator.uri
        add(.phase, at: position, text: name, subject: string(subject, in: evaluator), in: evaluator)
    }

    func record(server: Int32, in evaluator: Evaluator) {
        let server = evaluator.program.servers[Int(server)]
        add(
            .server,
            at: server.position,
            text: String(decoding: server.name, as: UTF8.self),
            subject: string(evaluator.host, in: evaluator),
            in: evaluator
        )
    }

    func record(location: Int32, in evaluator: Evaluator) {
        let found = location < 0 ? nil : evaluator.program.locations[Int(location)]
        add(
            .location,
            at: found?.position ?? .none,
            text: found.map { "location \($0.text)" } ?? "no location",
            subject: string(evaluator.uri, in: evaluator),
            in: evaluator
        )
    }

    func record(rule pc: Int, result: Trace.Step.Result, in evaluator: Evaluator) {
        let position = evaluator.program.instructions[pc].position
        let isURL = evaluator.phase == .url
        let before = isURL ? lastURL : lastPath
        let after = isURL ? evaluator.url : evaluator.uri
        var change: Trace.Step.Change?
        if result != .skipped, before != after {
            change = Trace.Step.Change(before: string(before, in: evaluator), after: string(after, in: evaluator))
        }
        lastURL = evaluator.url
        lastPath = evaluator.uri
        add(
            .rule,
            at: position,
            text: text(position),
            result: result,
            subject: string(before, in: evaluator),
            captures: result == .skipped ? [] : captures(of: evaluator),
            change: change,
            in: evaluator
        )
    }

    private func captures(of evaluator: Evaluator) -> [String] {
        guard evaluator.captureCount > 1 else { return [] }
        return (1..<evaluator.captureCount).map { string(evaluator.captures[$0], in: evaluator) }
    }

    func record(condition index: Int32, result: Bool, in evaluator: Evaluator) {
        let condition = evaluator.program.conditions[Int(index)]
        var subject: String?
        if condition.variable >= 0 {
            let name = evaluator.program.variables[Int(condition.variable)].name
            subject = "$\(name) = \"\(string(evaluator.value(of: condition.variable), in: evaluator))\""
        }
        add(
            .condition,
            at: evaluator.position,
            text: text(evaluator.position),
            result: result ? .matched : .skipped,
            subject: subject,
            captures: result && condition.kind == .matches ? captures(of: evaluator) : [],
            in: evaluator
        )
    }

    func record(assignment pc: Int, value: ByteRange, in evaluator: Evaluator) {
        let position = evaluator.program.instructions[pc].position
        lastURL = evaluator.url
        add(.assignment, at: position, text: text(position), subject: string(value, in: evaluator), in: evaluator)
    }

    func record(redirect path: ByteRange, in evaluator: Evaluator) {
        lastPath = path
        add(
            .redirect,
            at: evaluator.position,
            text: "internal redirect",
            subject: string(path, in: evaluator),
            in: evaluator
        )
    }

    func record(file path: ByteRange, found: Bool, in evaluator: Evaluator) {
        add(
            .file,
            at: evaluator.position,
            text: found ? "found" : "not found",
            result: found ? .matched : .skipped,
            subject: string(path, in: evaluator),
            in: evaluator
        )
    }

    func record(route: RouteLookup, in evaluator: Evaluator) {
        let found = route.isMatch ? evaluator.program.routes?.route(route.route) : nil
        let place = found?.origin
        add(
            .route,
            at: .none,
            text: found.map { "route \($0.displayName)" } ?? "no route: \(route.outcome)",
            result: found == nil ? .skipped : .matched,
            subject: string(evaluator.outcome.url, in: evaluator),
            in: evaluator
        )
        if let place, !trace.steps.isEmpty { trace.steps[trace.steps.count - 1].rule = place }
    }

    func record(note: String, at position: SourcePosition, in evaluator: Evaluator) {
        add(.note, at: position, text: note, in: evaluator)
    }

    func record(decision outcome: Outcome, in evaluator: Evaluator) {
        var text = outcome.action.rawValue
        if outcome.status != 0 { text += " \(outcome.status)" }
        let subject = outcome.hasURL ? string(outcome.url, in: evaluator) : nil
        if outcome.reason != .none { text += ": \(outcome.reason.text)" }
        add(.decision, at: outcome.position, text: text, subject: subject, in: evaluator)
    }
}
