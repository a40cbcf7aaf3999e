import ShuntCore
import ShuntRules

extension LintCheck {
    static let errorPageCycle = LintCheck(
        "error-page-cycle",
        .cycles,
        .error,
        .witness,
        "an error page that fails itself, until the request does",
        explanation: """
            With `recursive_error_pages on` an error on the way to an error page leads to an error page again. If that is the same, the request \
            ends with 500 after ten changes of the path. Let the page be one that answers.
            """,
        example: """
            server {
                recursive_error_pages on;
                error_page 404 /sorry/;
                location /sorry/ { return 404; }
            }
            """
    ) { subject in
        var known: Set<SourcePosition> = []
        return subject.rules.compactMap { index in
            guard let sighting = subject.example(of: index), sighting.decision.kind == .fail,
                sighting.decision.reason == FailureReason.rewriteCycle.text,
                let page = subject.repeatedErrorPage(in: sighting), known.insert(page).inserted
            else { return nil }
            return LintFound(page, "this page ends with an error that leads here again", advice: "let the page answer")
                .confirmed(by: LintWitness(request: sighting.request, decision: sighting.decision))
        }
    }
}

extension LintSubject {
    /// The `error_page` that a request came to more than once.
    func repeatedErrorPage(in sighting: Sighting) -> SourcePosition? {
        var seen: Set<SourcePosition> = []
        for (step, position) in zip(sighting.steps, sighting.positions) {
            guard step.kind == .note, position.isPlace, let node = tree.node(at: position),
                tree.nodes[node].name == "error_page"
            else { continue }
            if !seen.insert(position).inserted { return position }
        }
        return nil
    }
}
