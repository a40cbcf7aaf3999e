import Shunt
import ShuntPatterns

extension LintSubject {
    func listOverlap() -> [LintFound] {
        var before = BlockedNames()
        var found: [LintFound] = []
        for step in rules {
            guard let table = blockedHosts(step) else { continue }
            let isList = step.block?.hosts != nil
            let place = shown(step.position)
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
                // The first ten are reported; a list may have a million.
                if covered.count > 1000 { covered = Array(covered.sorted().prefix(10)) }
            }
            if step.ways().contains(where: \.isEmpty) { before.add(table, place, isList: isList) }
            // The checks of dead rules report what covers all of it.
            guard count > 0, count < all || coverers.contains("others of its entries") || isList else { continue }
            let names = covered.sorted().prefix(10).joined(separator: ", ")
            let others = coverers.sorted().joined(separator: ", ")
            found.append(overlap(at: step.position, count, of: all, by: others, proof: names))
        }
        return found + model.listRules.compactMap { repeated($0.entries, status: $0.status) }
    }

    /// The entries of a list of networks, agents or URLs that others of it cover.
    private func repeated(_ list: EntryList, status: Int) -> LintFound? {
        guard let file = ruleSet.file(Int(list.file)) else { return nil }
        var covered: [Int32: Int32]
        var count: Int
        if let hosts = list.hosts {
            (covered, count) = (CoveredEntries.lines(of: list, hosts, self), list.lines.count)
        } else {
            let reader = EntryReader(file, list.kind, verb: status == 0 ? .allow : .deny)
            count = reader.networks.count + reader.agents.count
            covered = CoveredEntries.lines(networks: reader.networks)
            covered.merge(CoveredEntries.lines(agents: reader.agents)) { first, _ in first }
        }
        guard let first = covered.keys.min() else { return nil }
        let pairs = covered.sorted { $0.key < $1.key }.prefix(10).map { "\($0.key) by \($0.value)" }
        let place = SourcePosition(file: list.file, line: first, column: 1)
        let proof = "line \(pairs.joined(separator: ", "))"
        return overlap(at: place, covered.count, of: count, by: "others of this list", proof: proof)
    }

    /// The finding about entries that others cover, with the first ten of them as its proof.
    private func overlap(
        at position: SourcePosition,
        _ count: Int,
        of all: Int,
        by coverers: String,
        proof: String
    ) -> LintFound {
        LintFound(
            position,
            "\(count) of \(all) entries \(count == 1 ? "is" : "are") covered by \(coverers)",
            advice: "remove \(count == 1 ? "it" : "them") if the list is yours"
        )
        .remarking("proved: \(proof)\(count > 10 ? ", …" : "")")
    }

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

/// The entries of a list that others cover, by their lines: each with the line of one that does.
private enum CoveredEntries {
    static func lines(of list: EntryList, _ hosts: HostTable, _ subject: LintSubject) -> [Int32: Int32] {
        var covered: [Int32: Int32] = [:]
        for place in list.positions {
            let text = subject.ruleSet.text(at: place)
            let host = Array(ListRequests.host(onLine: text).lowercased().utf8)
            let first = hosts.firstValue(of: host.span, from: 0)
            // A name that no list has, below the host.
            let below = hosts.firstValue(of: (Array("-.".utf8) + host).span, from: 0)
            if hosts.hasWildcard(above: host), first != place.line || !text.contains("*") {
                covered[place.line] =
                    first == place.line ? hosts.firstValue(of: host.span, from: place.line + 1) : first
            } else if let first, first < place.line, below != place.line {
                covered[place.line] = first
            }
        }
        return covered
    }

    static func lines(networks: [(range: AddressRange, line: Int32)]) -> [Int32: Int32] {
        var covered: [Int32: Int32] = [:]
        var widest: (range: AddressSamples.Range, line: Int32)?
        let sorted =
            networks.map { (range: AddressSamples.Range(first: $0.range.first, last: $0.range.last), line: $0.line) }
            .sorted { one, other in
                if one.range == other.range { return one.line < other.line }
                if one.range.first == other.range.first { return one.range.contains(other.range) }
                return one.range.first.precedes(other.range.first)
            }
        for entry in sorted {
            if let widest, widest.range.contains(entry.range) {
                if widest.line != entry.line { covered[entry.line] = widest.line }
            } else {
                widest = entry
            }
        }
        return covered
    }

    /// Expressions that are the same count, and plain texts that have another one in them.
    static func lines(agents: [(expression: RegularExpression, line: Int32)]) -> [Int32: Int32] {
        var first: [[UInt8]: Int32] = [:]
        var texts: [[UInt8]: Int32] = [:]
        var covered: [Int32: Int32] = [:]
        for (expression, line) in agents {
            if let other = first[expression.pattern] {
                covered[line] = other
            } else if let text = plain(expression.pattern) {
                if let other = texts[text] { covered[line] = other } else { texts[text] = line }
            }
            first[expression.pattern] = first[expression.pattern] ?? line
        }
        let lengths = Set(texts.keys.map(\.count)).sorted()
        for (text, line) in texts {
            search: for length in lengths where length < text.count {
                for start in 0...(text.count - length) {
                    guard let other = texts[Array(text[start..<(start + length)])] else { continue }
                    covered[line] = other
                    break search
                }
            }
        }
        return covered
    }

    /// The text that an expression is, in lower case; nil for one with signs.
    private static func plain(_ pattern: [UInt8]) -> [UInt8]? {
        var text: [UInt8] = []
        var isEscaped = false
        for byte in pattern {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            if isEscaped ? byte.isASCIILetter || byte.isASCIIDigit : ".*+?()[]{}|^$".utf8.contains(byte) { return nil }
            text.append(byte.asciiLowercased)
            isEscaped = false
        }
        return text
    }
}

/// The names that rules for all requests block: those of `block`s in one table, for there may be many, and lists
/// unchanged.
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
