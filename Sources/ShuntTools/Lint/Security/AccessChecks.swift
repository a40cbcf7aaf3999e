import Shunt

extension LintSubject {
    func returnBypassesAccess() -> [LintFound] {
        let found = self.rules.compactMap { rule -> LintFound? in
            guard rule.operation == .finish || rule.operation == .rewrite, let rules = accessRules(around: rule),
                let sighting = decided(by: rule), (sighting.decision.status ?? 200) < 400
            else { return nil }
            for address in [sighting.request.request.remoteAddress, "203.0.113.77", "198.51.100.77", "2001:db8::77"]
            where Self.denies(rules, address) {
                let witness = decide(like: sighting.request) { $0.remoteAddress = address }
                guard decides(rule, witness), witness.decision.kind != .forward else { continue }
                return LintFound(
                    rule.position,
                    "this answers before the address is checked",
                    advice: "test the address with geo and if"
                )
                .confirmed(by: witness, "\(witness.text), which \(shown(rules[0].position)) and those after it deny")
            }
            return nil
        }
        return found + beforeLogin()
    }

    /// Each `return` of a location that answers before its login is checked.
    private func beforeLogin() -> [LintFound] {
        directives("location")
            .compactMap { location in
                let inner = tree.nodes[location.children]
                guard
                    let login = inner.first(where: { node in
                        ["auth_basic", "auth_request"].contains(node.name) && node.arguments.first?.text != "off"
                    }),
                    let answer = inner.first(where: { $0.name == "return" }),
                    (answer.arguments.first.flatMap { Int($0.text) } ?? 302) < 400
                else { return nil }
                return LintFound(
                    answer.position,
                    "this answers before the login is checked",
                    advice: "lead to another location that returns it, such as with try_files \"\" @NAME"
                )
                .rated(.warning).based(on: .structure).remarking("\(shown(login.position)) has no effect here")
            }
    }

    func allowWithoutDeny() -> [LintFound] {
        var known: Set<SourcePosition> = []
        return blocks.compactMap { goal, settings in
            guard let rules = settings.accessRules?.rules, let first = rules.first, !known.contains(first.position),
                rules.allSatisfy(\.allows), !rules.contains(where: { if case .all = $0.scope { true } else { false } }),
                !asksOtherwise(first.position), case .confirmed(let request) = verdict(goal)
            else { return nil }
            let witness = decide(like: request) { $0.remoteAddress = "203.0.113.77" }
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

    func weakRefererCheck() -> [LintFound] {
        directives("valid_referers")
            .compactMap { node in
                guard let word = node.arguments.first(where: { ["none", "blocked"].contains($0.text) }) else {
                    return nil
                }
                let message = "\"\(word.text)\" accepts clients that leave the Referer out"
                return LintFound(word, message, advice: "name the hosts only")
            }
    }

    func splitKeyClientControlled() -> [LintFound] {
        model.splits.compactMap { split in
            let choices = split.source.choices
            guard let own = choices.first, choices.allSatisfy({ $0.part.variable?.isChosenByClient ?? false }) else {
                return nil
            }
            let share = split.share(of: MurmurHash2.hash([UInt8]().span))
            let value = share.map { split.values[$0].asText } ?? ""
            return LintFound(
                split.position,
                "clients choose their share by \(own.part.name)",
                advice: "use $remote_addr, or an input"
            )
            .remarking("proved: all that do not send it are in the share \"\(value)\"")
        }
    }

    func permanentInCondition() -> [LintFound] {
        rules.compactMap { rule in
            guard let status = redirectStatus(rule), status == 301 || status == 308 else { return nil }
            let ways = rule.ways()
            guard let first = ways.first, !ways.contains(where: \.isEmpty) else { return nil }
            for case .condition(let condition, _) in first {
                guard let variable = condition.variable, let why = changing(variable, depth: 0) else { continue }
                return LintFound(
                    rule.position,
                    "browsers keep this redirect for good, and $\(variable.name) depends on \(why)",
                    advice: status == 301 ? "use 302" : "use 307"
                )
                .remarking("proved: each way to it tests $\(variable.name)")
            }
            return nil
        }
    }

    /// The rules on addresses that hold where a rule of a server is.
    fileprivate func accessRules(around rule: RuleModel.Step) -> [AccessRule]? {
        guard let rules = rule.sequence?.settings?.accessRules?.rules else { return nil }
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

    func redirectStatus(_ rule: RuleModel.Step) -> Int? {
        switch rule.action {
        case .rewrite(let rewrite): rewrite.status
        case .rewriteURL(let rewrite): rewrite.status
        case .answer(let answer): answer.form == .redirect ? answer.status : nil
        default: nil
        }
    }

    /// On what a variable depends that is not the same for a URL for ever; nil for none.
    fileprivate func changing(_ variable: RuleModel.Variable, depth: Int) -> String? {
        switch variable.source {
        case .cookie: return "a cookie"
        case .split: return "a share"
        case .geo: return "the address"
        case .input: return "an input of the caller"
        case .map(let map) where depth < 4:
            return map.source.pieces.lazy.compactMap(\.variable)
                .compactMap { self.changing($0, depth: depth + 1) }
                .first
        case .builtin(let builtin):
            switch builtin {
            case .time, .timeISO8601, .timeLocal, .timeOfDay, .weekday, .milliseconds, .dateGMT: return "the time"
            case .remoteAddress, .binaryRemoteAddress: return "the address"
            default: return nil
            }
        default: return nil
        }
    }
}

extension RuleModel.Variable {
    /// True if a client sets it to any value.
    var isChosenByClient: Bool {
        switch source {
        case .cookie, .argument, .requestHeader: true
        default: false
        }
    }
}
