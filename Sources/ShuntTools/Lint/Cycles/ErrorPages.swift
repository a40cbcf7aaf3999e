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

    /// The most lists of addresses of which a refused client is looked for.
    private static let mostLists = 256

    /// Each `error_page` whose page is refused to the clients whose refusal leads to it.
    func deniedErrorPages() -> [LintFound] {
        guard directives("error_page").contains(where: { $0.arguments.contains { $0.text == "403" } }) else {
            return []
        }
        let targets = TargetSolver(solver)
        var known: Set<SourcePosition> = []
        return model.accessRules.prefix(Self.mostLists)
            .compactMap { list in
                for rule in list.rules.filter({ !$0.allows }).prefix(2) {
                    guard let sighting = targets.request(reaching: .rule(rule.position)).map(solver.ask),
                        let page = errorPage(in: sighting, between: rule.position, of: .note),
                        known.insert(page).inserted
                    else { continue }
                    return
                        Self.unsent(
                            page,
                            "\(shown(rule.position)) refuses the request for it, too",
                            advice: "write allow all; into a location for the page"
                        )
                        .confirmed(by: LintWitness(sighting))
                }
                return nil
            }
    }

    /// The most locations with an `error_page` for which its page is looked up.
    private static let mostLocations = 16

    /// Each `error_page` for 502 whose page is of the upstream that did not answer.
    func deadErrorPages() -> [LintFound] {
        var known: Set<SourcePosition> = []
        var tried: [SourcePosition: Int] = [:]
        return model.locations.compactMap { location in
            guard location.settings.proxy != nil,
                let page = location.settings.errorPages?.pages.first(where: { $0.code == 502 }),
                let path = page.target.constant, path.first == UInt8(ascii: "/"), !known.contains(page.position),
                // The location of the page itself.
                location.modifier != .exact || !location.name.elementsEqual(path),
                tried[page.position, default: 0] < Self.mostLocations,
                case .confirmed(let request) = verdict(.location(location)),
                let other = request.asking(target: path)
            else { return nil }
            tried[page.position, default: 0] += 1
            let asked = decide(request)
            let witness = decide(other)
            // A file may be the page.
            guard file(askedBy: solver.served(other.request)) == nil, asked.decision.kind == .forward,
                witness.decision.kind == .forward,
                let upstream = asked.decision.urlBytes.flatMap(HostOfURL.init),
                let other = witness.decision.urlBytes.flatMap(HostOfURL.init),
                (upstream.scheme, upstream.host) == (other.scheme, other.host), upstream.port == other.port
            else { return nil }
            known.insert(page.position)
            return
                Self.unsent(
                    page.position,
                    "it comes from the upstream that does not answer",
                    advice: "write a location for the page that sends a file or a text"
                )
                .confirmed(by: witness)
        }
    }

    /// Each `error_page` of a location for errors that only its upstream answers with, and that are sent to clients.
    func passedErrors() -> [LintFound] {
        directives("error_page")
            .compactMap { node in
                guard node.parent >= 0, tree.nodes[node.parent].name == "location",
                    node.arguments.dropLast().contains(where: { $0.text == "404" })
                else { return nil }
                let inner = tree.nodes[tree.nodes[node.parent].children]
                let ownErrors = ["return", "if", "try_files", "rewrite", "location", "internal"]
                let rule = tree.inherited("proxy_intercept_errors", in: node.parent).first
                guard inner.contains(where: { $0.name == "proxy_pass" }),
                    !inner.contains(where: { ownErrors.contains($0.name) }),
                    rule.map({ tree.nodes[$0].arguments.first?.text != "on" }) ?? true,
                    node.arguments.dropLast()
                        .allSatisfy({ ["404", "501", "505"].contains($0.text) || $0.text.hasPrefix("=") })
                else { return nil }
                return
                    Self.unsent(
                        node.position,
                        "the errors of the upstream are sent to clients",
                        advice: "write proxy_intercept_errors on;"
                    )
                    .based(on: .structure)
            }
    }

    /// The finding about an `error_page` whose page is not sent for a reason.
    static func unsent(_ page: SourcePosition, _ reason: String, advice: String) -> LintFound {
        LintFound(page, "the page is never sent: \(reason)", advice: advice).rated(.warning)
    }
}
