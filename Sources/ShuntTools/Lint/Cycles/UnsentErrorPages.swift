import Shunt

/// Error pages that the same cause keeps from being sent.
extension LintSubject {
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
