import Shunt
import ShuntPatterns

extension LintSubject {
    func exactGuard() -> [LintFound] {
        let found = model.locations.compactMap { location -> LintFound? in
            guard location.modifier == .exact, location.name.count > 1, location.name.last != UInt8(ascii: "/"),
                // A file has no other address.
                location.name.split(separator: UInt8(ascii: "/")).last?.contains(UInt8(ascii: ".")) == false,
                !location.settings.isInternal, case .confirmed(let request) = verdict(.location(location)),
                let below = request.asking(path: location.name + [UInt8(ascii: "/")]),
                [401, 403].contains(decide(request).decision.status)
            else { return nil }
            let witness = decide(below)
            guard witness.decision.letsIn else { return nil }
            let name = location.name.asText
            return LintFound(
                location.position,
                "this turns \(name) away, and \(name)/ gets through",
                advice: "write a location for \(name)/ as well"
            )
            .confirmed(by: witness)
        }
        return found + prefixGuards()
    }

    /// The most guarding locations, and the most expressions for each, of which a part is looked for that one lets in.
    private static let mostGuards = 64

    /// Guarding locations of which an expression takes a part that it lets in.
    private func prefixGuards() -> [LintFound] {
        model.locations.lazy
            .filter { location in
                guard location.modifier == .prefix, location.name.count > 1, !location.settings.isInternal,
                    !location.level.expressions.isEmpty, case .confirmed(let own) = self.verdict(.location(location))
                else { return false }
                return [401, 403].contains(self.decide(own).decision.status)
            }
            .prefix(Self.mostGuards)
            .compactMap { location in
                expression(takingPartOf: location, among: Self.mostGuards) { $0.decision.letsIn }
                    .map { expression, witness in
                        LintFound(
                            location.position,
                            "this turns \(ShownBytes.text(location.name)) away, and \(shown(expression.position)) lets a part of it in",
                            advice: "write ^~ before the prefix"
                        )
                        .confirmed(by: witness)
                    }
            }
    }

    /// Locations by an expression that let in what is turned away elsewhere, wherever their text stands in the path.
    func locationsFoundAnywhere() -> [LintFound] {
        model.locations.compactMap { location in
            guard let expression = location.expression, checker.tree(of: expression)?.beginsWithFolder == true,
                case .confirmed(let request) = verdict(.location(location)), request.target != nil,
                decide(request).decision.letsIn, let own = checker.language(of: expression),
                let below = checker.language("^/x/[a-z0-9./-]+\\z"), let path = checker.shortest(own, below),
                // What does not have the text is turned away.
                let other = request.asking(path: Array("/x/".utf8)).map(decide), !other.decision.letsIn,
                let witness = request.asking(path: path).map(decide), witness.decision.letsIn,
                solver.reaches(.location(location), solver.ask(witness.request))
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
