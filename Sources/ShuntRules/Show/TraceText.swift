import ShuntCore

/// Traces for people: the phases as headings, below them each step with its verdict, its text and its place, and then
/// the decision.
package struct TraceText {
    let style: Style

    package init(style: Style) { self.style = style }

    /// The places of rules are in a column that is at most so far to the right.
    private static let textColumns = 90

    /// Steps whose value is shown even if it is there already.
    private static let alwaysShown: Set<Trace.Step.Kind> = [.assignment, .redirect]

    /// The trace of a decision, step by step, and the decision at the end.
    package func render(_ trace: Trace, _ decision: Decision, heading: String) -> String {
        style(heading, .heading) + "\n" + steps(trace) + "\n" + summary(decision, trace)
    }

    func steps(_ trace: Trace) -> String {
        var result = ""
        // What a rule reads is shown only where it is not what the lines above show already.
        var current: String?
        var captures: [String] = []
        let places = trace.steps.filter { $0.rule != nil && $0.kind != .decision }
        let longest = places.map { Self.text($0).unicodeScalars.count }.max() ?? 0
        let width = min(longest, Self.textColumns)
        // The place of the `if` whose tests are being shown, where it has several.
        var severalTests: SourceLocation?
        for (index, step) in trace.steps.enumerated() where step.kind != .decision {
            if step.kind == .condition {
                if severalTests == nil || step.rule != severalTests {
                    severalTests = Self.isFirstOfSeveral(index, in: trace.steps) ? step.rule : nil
                    if severalTests != nil {
                        result += line("tested", role: .faint, text: Self.text(step), rule: step.rule, width: width)
                    }
                }
            } else if step.kind != .note, step.kind != .entry {
                severalTests = nil
            }
            if severalTests != nil, step.kind == .condition {
                let (verdict, role) = Self.verdict(step)
                result += line(
                    verdict,
                    role: role,
                    text: "  " + details(step, current: nil, captures: captures).joined(separator: ", "),
                    rule: nil,
                    width: 0
                )
            } else if step.kind == .phase {
                let name = step.text == "url" ? "URL" : step.text.prefix(1).uppercased() + step.text.dropFirst()
                result += "\n" + style("\(name) phase", .heading)
                result += step.subject.map { ": \(ShownBytes.text($0))\n" } ?? "\n"
            } else {
                if step.kind == .route { result += "\n" + style("Routes", .heading) + "\n" }
                result += lines(step, current: current, captures: captures, width: width)
            }
            if !step.captures.isEmpty { captures = step.captures }
            if let subject = step.change?.after ?? Self.standing(step) { current = subject }
        }
        return result
    }

    /// Returns true if the next test that was run is in the same `if`: `a && b` is two tests.
    private static func isFirstOfSeveral(_ index: Int, in steps: [Trace.Step]) -> Bool {
        let next = steps[(index + 1)...].first { $0.kind != .note && $0.kind != .entry }
        return next?.kind == .condition && next?.rule == steps[index].rule
    }

    /// The current URL or path, which a step shows.
    private static func standing(_ step: Trace.Step) -> String? {
        switch step.kind {
        case .phase, .location, .rule, .redirect, .route: step.subject
        default: nil
        }
    }

    private func lines(_ step: Trace.Step, current: String?, captures: [String], width: Int) -> String {
        let (verdict, role) = Self.verdict(step)
        var result = line(verdict, role: role, text: Self.text(step), rule: step.rule, width: width)
        for detail in details(step, current: current, captures: captures) { result += "             \(detail)\n" }
        return result
    }

    private func line(_ verdict: String, role: Style.Role, text: String, rule: SourceLocation?, width: Int) -> String {
        let place = rule.map { "  " + style($0.description, .faint) }
        return "  " + style(verdict.padded(to: 9), role) + (place.map { text.padded(to: width) + $0 } ?? text) + "\n"
    }

    private static func verdict(_ step: Trace.Step) -> (String, Style.Role) {
        switch (step.kind, step.result) {
        case (.file, .matched?): ("found", .good)
        case (.file, _): ("missing", .faint)
        case (_, .matched?): ("matched", .good)
        case (_, .skipped?): ("skipped", .faint)
        case (_, .decided?): ("decided", .changed)
        case (_, .ended?): ("ended", .stopped)
        case (.server, nil), (.location, nil): ("chosen", .good)
        case (.assignment, nil): ("set", .good)
        case (.redirect, nil): ("moved", .changed)
        case (_, nil): ("note", .faint)
        }
    }

    /// The values that a step saw, captured and changed, without those that were shown before.
    private func details(_ step: Trace.Step, current: String?, captures: [String]) -> [String] {
        var details: [String] = []
        if let subject = step.subject, step.change == nil, subject != current || Self.alwaysShown.contains(step.kind) {
            switch step.kind {
            case .server where subject == step.text, .file: break
            case .server: details.append("for host \"\(ShownBytes.text(subject))\"")
            case .assignment: details.append("to \"\(ShownBytes.text(subject))\"")
            case .redirect: details.append("to \(ShownBytes.text(subject))")
            case .condition, .entry, .note: details.append(ShownBytes.text(subject))
            default: details.append("at \(ShownBytes.text(subject))")
            }
        }
        for (index, capture) in step.captures.enumerated() where step.captures != captures {
            details.append("$\(index + 1) = \"\(ShownBytes.text(capture))\"")
        }
        if let change = step.change {
            details.append("\(ShownBytes.text(change.before)) → \(ShownBytes.text(change.after))")
        }
        return details
    }

    private func summary(_ decision: Decision, _ trace: Trace) -> String {
        var name = decision.kind.rawValue
        if let status = decision.status { name += " \(status)" }
        var result = style("Decision", .heading) + ": " + style(name, Style.role(of: decision.kind)) + "\n"
        func add(_ label: String, _ value: String?) {
            if let value { result += "  " + label.padded(to: 10) + value + "\n" }
        }
        add("reason", decision.reason.map { ShownBytes.text($0) })
        add("url", decision.urlBytes.map(ShownBytes.text))
        if let rule = decision.rule {
            let text = trace.steps.last { $0.rule == rule && [.rule, .condition, .assignment].contains($0.kind) }?.text
            add("rule", "\(rule)" + (text.map { "  \(ShownBytes.text($0))" } ?? ""))
        }
        add("uri", decision.uri.map(ShownBytes.text))
        if let arguments = decision.arguments, !arguments.isEmpty { add("args", ShownBytes.text(arguments)) }
        if let server = decision.server, !server.isEmpty { add("server", ShownBytes.text(server)) }
        add("location", decision.location.map { ShownBytes.text($0) })
        add("route", DecisionText.route(decision))
        for header in decision.headers + decision.successHeaders {
            add("header", "\(ShownBytes.text(header.nameBytes)): \(ShownBytes.text(header.valueBytes))")
        }
        add("body", decision.body.map { "\"\(ShownBytes.text($0))\"" })
        return result
    }

    private static func text(_ step: Trace.Step) -> String {
        switch step.kind {
        case .server: "server \(step.text.isEmpty ? "without a name" : ShownBytes.text(step.text))"
        case .file: "file \(ShownBytes.text(step.subject ?? ""))"
        default: ShownBytes.text(step.text)
        }
    }
}

extension Trace: CustomStringConvertible {
    /// The steps as `shunt explain` shows them: the phases as headings, below them each step with its verdict.
    public var description: String { TraceText(style: Style(usesColor: false)).steps(self) }
}
