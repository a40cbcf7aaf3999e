import Shunt

extension LintSubject {
    func errorPageCycle() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return refusedErrorPages() + deniedErrorPages() + deadErrorPages() + passedErrors()
            + rules.compactMap { step in
                guard let sighting = failure(of: step, .rewriteCycle), let page = repeatedErrorPage(in: sighting),
                    known.insert(page).inserted
                else { return nil }
                return LintFound(
                    page,
                    "this page ends with an error that leads here again",
                    advice: "let the page answer"
                )
                .confirmed(by: LintWitness(sighting))
            }
    }

    /// Each `error_page` whose page is refused by the rule that leads to it.
    private func refusedErrorPages() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return rules.compactMap { step in
            guard step.answer?.form == .error, let owner = step.sequence?.owner, let sighting = decided(by: step),
                sighting.decision.kind != .fail,
                let page = errorPage(in: sighting, between: step.position, of: .rule), known.insert(page).inserted
            else { return nil }
            // The rules of a server run for whatever leads to it, and those of a location for the pages that it takes.
            let advice =
                if case .server = owner {
                    "let the page pass there, such as with if ($uri != …)"
                } else {
                    "write a location for the page that sends it"
                }
            return Self.unsent(page, "\(shown(step.position)) refuses the request for it, too", advice: advice)
                .confirmed(by: LintWitness(sighting))
        }
    }

    /// The `error_page` that a request reached between two steps of a kind at one place; nil where there is only one.
    func errorPage(
        in sighting: Sighting,
        between position: SourcePosition,
        of kind: Trace.Step.Kind
    ) -> SourcePosition? {
        let own = sighting.positions.indices.filter { number in
            sighting.positions[number] == position && sighting.steps[number].kind == kind
        }
        guard let first = own.first, let last = own.last, first < last else { return nil }
        return sighting.positions[first..<last].first { tree.directive(at: $0)?.name == "error_page" }
    }

    /// The `error_page` that a request reached more than once.
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
