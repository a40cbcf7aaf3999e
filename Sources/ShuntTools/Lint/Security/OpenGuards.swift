import Shunt
import ShuntPatterns

extension LintCheck {
    static let exactGuard = LintCheck(
        "exact-guard",
        group: .security,
        severity: .warning,
        basis: .witness
    ) { subject in
        subject.model.locations.compactMap { location in
            guard location.modifier == .exact, location.name.count > 1, location.name.last != UInt8(ascii: "/"),
                // A file has no other address.
                location.name.split(separator: UInt8(ascii: "/")).last?.contains(UInt8(ascii: ".")) == false,
                !location.settings.isInternal,
                case .confirmed(let request) = subject.verdict(.location(location)),
                case .target(_, let host) = request.request.subject,
                [401, 403].contains(subject.decide(request).decision.status)
            else { return nil }
            let path = location.name + [UInt8(ascii: "/")]
            let witness = subject.decide(like: request) {
                $0.subject = .target(RequestAssembly.encoded(path), host: host)
            }
            guard witness.decision.letsIn else { return nil }
            let name = String(decoding: location.name, as: UTF8.self)
            return LintFound(
                location.position,
                "this turns \(name) away, and \(name)/ gets through",
                advice: "write a location for \(name)/ as well"
            )
            .confirmed(by: witness)
        } + prefixGuards(subject)
    }

    /// The most guarding locations, and the most expressions for each, of which a part is looked for that one lets in.
    private static let mostGuards = 64

    /// Guarding locations of which an expression takes a part that it lets in.
    private static func prefixGuards(_ subject: LintSubject) -> [LintFound] {
        subject.model.locations.lazy
            .filter { location in
                guard location.modifier == .prefix, location.name.count > 1, !location.settings.isInternal,
                    !location.level.expressions.isEmpty, case .confirmed(let own) = subject.verdict(.location(location))
                else { return false }
                return [401, 403].contains(subject.decide(own).decision.status)
            }
            .prefix(mostGuards)
            .compactMap { location in
                subject.expression(takingPartOf: location, among: mostGuards) { $0.decision.letsIn }
                    .map { expression, witness in
                        LintFound(
                            location.position,
                            "this turns \(ShownBytes.text(location.name)) away, and \(subject.shown(expression.position)) lets a part of it in",
                            advice: "write ^~ before the prefix"
                        )
                        .confirmed(by: witness)
                    }
            }
    }

    /// Locations by an expression that let in what is turned away elsewhere, wherever their text stands in the path.
    static func locationsFoundAnywhere(_ subject: LintSubject) -> [LintFound] {
        subject.model.locations.compactMap { location in
            guard let expression = location.expression, let tree = subject.checker.tree(of: expression),
                tree.beginsWithFolder,
                case .confirmed(let request) = subject.verdict(.location(location)),
                case .target(_, let host) = request.request.subject, subject.decide(request).decision.letsIn,
                let own = try? subject.checker.automaton(of: expression),
                let below = subject.checker.automaton("^/x/[a-z0-9./-]+\\z"),
                let path =
                    (try? Language.intersection([.automaton(own), .automaton(below)])
                        .shortestSubject(limits: subject.options.limits.proof)) ?? nil
            else { return nil }
            func decide(_ path: [UInt8]) -> LintWitness {
                subject.decide(like: request) { $0.subject = .target(RequestAssembly.encoded(path), host: host) }
            }
            // What does not have the text is turned away.
            guard !decide(Array("/x/".utf8)).decision.letsIn else { return nil }
            let witness = decide(path)
            guard witness.decision.letsIn,
                subject.solver.reaches(.location(location), subject.solver.ask(witness.request))
            else { return nil }
            return LintFound(
                location.position,
                "the text may be anywhere: \(ShownBytes.text(path)) gets in, too",
                advice: "write ^ before it"
            )
            .confirmed(by: witness)
        }
    }
}

extension Decision {
    /// True if whoever asked gets something.
    fileprivate var letsIn: Bool {
        switch kind {
        case .forward: true
        case .respond: (status ?? 200) < 400
        default: false
        }
    }
}

extension PatternNode {
    /// True if it begins with a slash and a name, and not at the start of the path.
    fileprivate var beginsWithFolder: Bool {
        switch self {
        case .literal(let text, _): text.count > 1 && text[0] == UInt8(ascii: "/") && text[1].isASCIILetter
        case .sequence(let nodes): nodes.first?.beginsWithFolder ?? false
        default: false
        }
    }
}
