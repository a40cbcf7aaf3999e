import ShuntCore
import ShuntRules

extension LintCheck {
    static let returnBypassesAccess = LintCheck(
        "return-bypasses-access",
        group: .security,
        severity: .error,
        basis: .witness,
        summary: "a return next to allow and deny, which runs before them",
        explanation: """
            `return`, and a `rewrite` that redirects, answer in the phase before `allow` and `deny` are checked. A denied address gets the \
            answer. Test the address with `geo` and `if`.
            """,
        example: """
            server {
                location /b { deny all; return 200 x; }
            }
            """
    ) { subject in
        subject.rules.compactMap { index in
            let operation = subject.program.tables.instructions[index].operation
            guard operation == .finish || operation == .rewrite, let rules = subject.accessRules(around: index),
                let sighting = subject.example(of: index), sighting.decision.position == subject.position(of: index),
                (sighting.decision.status ?? 200) < 400
            else { return nil }
            for address in [sighting.request.request.remoteAddress, "203.0.113.77", "198.51.100.77", "2001:db8::77"]
            where LintSubject.denies(rules, address) {
                let witness = subject.decide(like: sighting.request) { $0.remoteAddress = address }
                guard subject.decides(index, witness), witness.decision.kind != .forward else { continue }
                return LintFound(
                    subject.position(of: index),
                    "this answers before the address is checked",
                    advice: "test the address with geo and if"
                )
                .shown(by: [witness])
                .remarking(
                    "confirmed: \(witness.text), which \(subject.shown(rules[0].position)) and those after it deny"
                )
            }
            return nil
        }
    }

    static let allowWithoutDeny = LintCheck(
        "allow-without-deny",
        group: .security,
        severity: .warning,
        basis: .witness,
        summary: "an allow without a deny that it could except from",
        explanation: "A client that no `allow` or `deny` names gets in. Put `deny all;` after the last `allow`.",
        example: """
            server {
                location /a { allow 10.0.0.0/8; }
            }
            """
    ) { subject in
        var known: Set<SourcePosition> = []
        let program = subject.program
        let blocks =
            program.tables.locations.indices.map { (RuleGoal.location($0), program.tables.locations[$0].settings) }
            + program.tables.servers.indices.map { (RuleGoal.server($0), program.tables.servers[$0].settings) }
        return blocks.compactMap { goal, settings in
            let number = program.tables.settings[settings].accessRules
            guard !number.isNone, let first = program.tables.accessRules[number].first, !known.contains(first.position),
                program.tables.accessRules[number].allSatisfy(\.allows),
                !program.tables.accessRules[number]
                    .contains(where: { if case .all = $0.scope { true } else { false } }),
                !subject.asksOtherwise(first.position), case .confirmed(let request) = subject.verdict(goal)
            else { return nil }
            let witness = subject.decide(like: request) { $0.remoteAddress = "203.0.113.77" }
            guard witness.decision.status != 403 else { return nil }
            known.insert(first.position)
            return LintFound(
                first.position,
                "addresses that are not named get in, too",
                advice: "put deny all; after it"
            )
            .confirmed(by: witness)
        }
    }

    static let weakRefererCheck = LintCheck(
        "weak-referer-check",
        group: .security,
        severity: .warning,
        basis: .structure,
        summary: "valid_referers that accepts requests without a referer",
        explanation: """
            `none` and `blocked` accept clients that leave the Referer out, which every page can have its visitors do. The check keeps out \
            honest clients only.
            """,
        example: """
            server {
                location /img/ { valid_referers none server_names; if ($invalid_referer) { return 403; } }
                server_name www.example.com;
            }
            """
    ) { subject in
        (subject.tree.named["valid_referers"] ?? [])
            .compactMap { node in
                subject.tree.nodes[node].arguments.first { ["none", "blocked"].contains($0.text) }
                    .map {
                        LintFound(
                            $0,
                            "\"\($0.text)\" accepts clients that leave the Referer out",
                            advice: "name the hosts only"
                        )
                    }
            }
    }

    static let splitKeyClientControlled = LintCheck(
        "split-key-client-controlled",
        group: .security,
        severity: .warning,
        basis: .proof,
        summary: "shares by a value that the client chooses",
        explanation: """
            With shares by a cookie, an argument or a header, a client chooses its share, and all that do not send it have one share \
            together: the one of the empty text. Use `$remote_addr`, or an input that your service checks.
            """,
        example: """
            split_clients $cookie_id $group { 10% new; * old; }
            server { return 200 $group; }
            """
    ) { subject in
        let program = subject.program
        return program.tables.splits.compactMap { split in
            let choices = TargetProbe(subject).choices(of: split.source)
            guard !choices.isEmpty,
                let own = choices.first(where: { choice in
                    guard choice.part.kind == .variable else { return false }
                    let source = program.tables.variables[choice.part.variable].source
                    return source == .cookie || source == .argument || source == .requestHeader
                }),
                choices.allSatisfy({ choice in
                    choice.part.kind == .variable
                        && [.cookie, .argument, .requestHeader]
                            .contains(program.tables.variables[choice.part.variable].source)
                })
            else { return nil }
            let name = TargetProbe(subject).name(own.part)
            let share = split.share(of: MurmurHash2.hash([UInt8]().span))
            let value = share.map {
                String(decoding: program.tables.constants[split.shares[$0].value.indices], as: UTF8.self)
            }
            return LintFound(
                split.position,
                "clients choose their share by \(name)",
                advice: "use $remote_addr, or an input"
            )
            .remarking("proved: all that do not send it are in the share \"\(value ?? "")\"")
        }
    }

    static let permanentInCondition = LintCheck(
        "permanent-in-condition",
        group: .security,
        severity: .warning,
        basis: .proof,
        summary: "a permanent redirect under a test whose outcome may change",
        explanation: """
            Browsers keep 301 and 308 for good. Under a test of time, share, version, cookie or address the client still goes there when \
            the test is no longer true. Use 302 or 307.
            """,
        example: """
            input $app_version "0";
            if ($app_version < 3) { rewrite_url ^https://a\\.example/(.*)$ https://b.example/$1 301; }
            """
    ) { subject in
        subject.rules.compactMap { index in
            guard let status = subject.redirectStatus(index), status == 301 || status == 308 else { return nil }
            let ways = subject.outline.ways(to: index)
            guard let first = ways.first, !ways.contains(where: \.isEmpty) else { return nil }
            for case .condition(let number, _) in first {
                let condition = subject.program.tables.conditions[number]
                guard !condition.variable.isNone, let why = subject.changing(condition.variable, depth: 0) else {
                    continue
                }
                let name = subject.program.tables.variables[condition.variable].name
                return LintFound(
                    subject.position(of: index),
                    "browsers keep this redirect for good, and $\(name) depends on \(why)",
                    advice: status == 301 ? "use 302" : "use 307"
                )
                .remarking("proved: each way to it tests $\(name)")
            }
            return nil
        }
    }
}

extension LintSubject {
    /// The rules on addresses that hold where a rule of a server stands.
    fileprivate func accessRules(around index: Int) -> [AccessRule]? {
        let settings: SettingsIndex
        switch outline.sequence(of: index)?.owner {
        case .server(let server): settings = program.tables.servers[server].settings
        case .location(let location): settings = program.tables.locations[location].settings
        default: return nil
        }
        let number = program.tables.settings[settings].accessRules
        guard !number.isNone else { return nil }
        let rules = program.tables.accessRules[number]
        return rules.contains { !$0.allows } ? rules : nil
    }

    fileprivate static func denies(_ rules: [AccessRule], _ text: String) -> Bool {
        guard let address = InternetAddress(text) else { return false }
        for rule in rules {
            switch rule.scope {
            case .all: return !rule.allows
            case .network(let network): if network.contains(address) { return !rule.allows }
            case .unix: continue
            }
        }
        return false
    }

    /// Returns true if something else than the address may let a client in: `satisfy any`.
    fileprivate func asksOtherwise(_ position: SourcePosition) -> Bool {
        guard let node = tree.node(at: position) else { return false }
        return tree.ancestors(of: node)
            .contains { block in
                tree.children(of: block, named: "satisfy").contains { tree.nodes[$0].arguments.first?.text == "any" }
            }
    }

    /// The status of a rule that redirects.
    func redirectStatus(_ index: Int) -> Int32? {
        let instruction = program.tables.instructions[index]
        switch instruction.operation {
        case .rewrite: return program.tables.rewrites[instruction.a].status
        case .rewriteURL: return program.tables.urlRewrites[instruction.a].status
        case .finish:
            let rule = program.tables.returns[instruction.a]
            return rule.form == .redirect ? rule.status : nil
        default: return nil
        }
    }

    /// On what a variable depends that is not the same for a URL for ever; nil for none.
    fileprivate func changing(_ variable: VariableIndex, depth: Int) -> String? {
        let variable = program.tables.variables[variable]
        switch variable.source {
        case .cookie: return "a cookie"
        case .split: return "a share"
        case .geo: return "the address"
        case .input: return "an input of the caller"
        case .map where depth < 4:
            return TargetProbe(self).choices(of: program.tables.maps[Int(variable.index)].source)
                .lazy.filter { $0.part.kind == .variable }
                .compactMap { self.changing($0.part.variable, depth: depth + 1) }
                .first
        case .builtin:
            switch BuiltinVariable(rawValue: variable.index) {
            case .time, .timeISO8601, .timeLocal, .timeOfDay, .weekday, .milliseconds: return "the time"
            case .remoteAddress, .binaryRemoteAddress: return "the address"
            default: return nil
            }
        default: return nil
        }
    }
}
