import ShuntCore
import ShuntPatterns
import ShuntRules

extension LintCheck {
    static let listOverlap = LintCheck(
        "list-overlap",
        group: .upkeep,
        severity: .note,
        basis: .proof,
        summary: "entries of a list that others cover",
        explanation: """
            An entry below another one of its list, and a host that a rule before blocks for all, change nothing. That is harmless in a \
            third-party list; your own list can be shorter.
            """,
        example: """
            block host .example.com;
            block host ads.example.com www.other.example;
            """
    ) { subject in
        var before = BlockedNames()
        var found: [LintFound] = []
        for step in subject.rules {
            guard let table = subject.blockedHosts(step) else { continue }
            let isList = step.block?.hosts != nil
            let place = subject.shown(step.position)
            var count = 0
            var all = 0
            var covered: [String] = []
            var coverers: Set<String> = []
            table.forEachName { name, isExact, isWildcard in
                all += 1
                let isOwn = table.hasWildcard(above: name)
                let other = before.place(covering: name, itself: isExact, below: isWildcard)
                guard isOwn || other != nil else { return }
                count += 1
                coverers.insert(other ?? "others of its entries")
                covered.append(String(decoding: name, as: UTF8.self))
                // The first ten are told; a list may have a million.
                if covered.count > 1000 { covered = Array(covered.sorted().prefix(10)) }
            }
            if step.ways().contains(where: \.isEmpty) { before.add(table, place, isList: isList) }
            // What covers all of it is told by the checks of dead rules.
            guard count > 0, count < all || coverers.contains("others of its entries") || isList else { continue }
            let names = covered.sorted().prefix(10).joined(separator: ", ")
            found.append(
                LintFound(
                    step.position,
                    "\(count) of \(all) entries \(count == 1 ? "is" : "are") covered by \(coverers.sorted().joined(separator: ", "))",
                    advice: "remove \(count == 1 ? "it" : "them") if the list is yours"
                )
                .remarking("proved: \(names)\(count > 10 ? ", …" : "")")
            )
        }
        return found
    }
}

/// The names that rules for all requests block: those of `block`s in one table, for there may be many, and lists as they are.
private struct BlockedNames {
    private var lists: [(table: HostTable, place: String)] = []
    private var exact: [[UInt8]: String] = [:]
    private var wildcards: [[UInt8]: String] = [:]

    mutating func add(_ table: HostTable, _ place: String, isList: Bool) {
        guard !isList else { return lists.append((table, place)) }
        table.forEachName { name, isExact, isWildcard in
            if isExact, exact[name] == nil { exact[name] = place }
            if isWildcard, wildcards[name] == nil { wildcards[name] = place }
        }
    }

    /// The place where a host is blocked, itself and with all below it, as far as that is asked.
    func place(covering host: [UInt8], itself: Bool, below: Bool) -> String? {
        for dot in host.indices where host[dot] == UInt8(ascii: ".") && !wildcards.isEmpty {
            if let place = wildcards[Array(host[(dot + 1)...])] { return place }
        }
        let own = itself ? exact[host] : wildcards[host]
        if let own, !itself || !below || wildcards[host] != nil { return own }
        return lists.first { $0.table.covers(host, itself: itself, below: below) }?.place
    }
}

extension LintSubject {
    /// The hosts that a `block` names, or that are in its list; nil for one of URLs, and for one with expressions.
    func blockedHosts(_ step: RuleModel.Step) -> HostTable? {
        guard let block = step.block else { return nil }
        if let hosts = block.hosts { return hosts }
        guard let matcher = block.matcher, matcher.kind == .host, matcher.hostExpressions.isEmpty else { return nil }
        var builder = HostTableBuilder()
        for name in matcher.hostNames { _ = builder.add(name.text.span, value: 0) }
        return builder.build()
    }
}
