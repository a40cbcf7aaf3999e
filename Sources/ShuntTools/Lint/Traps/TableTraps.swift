import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let splitKeyMissing = LintCheck(
        "split-key-missing",
        group: .security,
        severity: .warning,
        basis: .structure,
        summary: "shares by a value that a request may lack",
        explanation: """
            The empty string has one place among all hashes, so that every request without the value is in the same share, mostly the \
            first. Put something before it that each request has, such as `$remote_addr`, or set a default for the input.
            """,
        example: """
            input $device_id;
            split_clients $device_id $half { 50% a; * b; }
            server { if ($half = a) { return 204; } return 404; }
            """
    ) { subject in
        subject.model.splits.compactMap { split in
            guard let name = subject.missingValue(split.source),
                let share = split.share(of: MurmurHash2.hash([UInt8]().span))
            else { return nil }
            let entries = Array(split.entries)
            let value = share < entries.count ? entries[share].arguments[0].text : ""
            return LintFound(
                split.position,
                "every request without \(name) is in one share: \(value)",
                advice: "put something before it that each request has, such as $remote_addr"
            )
        }
    }

    static let matchesEverything = LintCheck(
        "matches-everything",
        group: .order,
        severity: .warning,
        basis: .proof,
        summary: "a key of a map that matches every text",
        explanation: """
            An empty line of a list becomes `"~*"`, which matches every text: all requests get its value. Write `default` for the rest.
            """,
        example: """
            map $http_user_agent $bot { "~*badbot" 1; "~*" 1; default 0; }
            server { if ($bot) { return 403; } return 204; }
            """
    ) { subject in
        subject.model.maps.flatMap { map in
            map.expressions
                .compactMap { expression, position, _ -> LintFound? in
                    guard let own = try? subject.checker.automaton(of: expression),
                        (try? Language.complement(.automaton(own)).isEmpty(limits: subject.options.limits.proof))
                            == true
                    else { return nil }
                    return LintFound(position, "this key matches every text", advice: "remove it, or write default")
                        .remarking("proved: its expression matches the empty text and all others")
                }
        }
    }
}

extension LintSubject {
    /// The values that a template is made of and that a request may lack; nil where something else is in it as well.
    fileprivate func missingValue(_ template: RuleModel.Template) -> String? {
        // Of values that clients choose another check tells.
        var hasInput = false
        for piece in template.pieces {
            switch piece.variable?.source {
            case .requestHeader, .cookie, .argument: break
            case .input(let name):
                guard model.inputs.first(where: { $0.name == name })?.defaultValue == nil else { return nil }
                hasInput = true
            default: return nil
            }
        }
        return hasInput ? template.pieces.map(\.name).joined() : nil
    }
}
