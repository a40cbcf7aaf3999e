import ShuntRules

/// The host names that rules take, by their texts: which rules take all hosts of a name is looked up, without automata.
struct HostNameCovers {
    private struct Name: Hashable {
        var kind: HostNamePattern.Kind
        var literal: ArraySlice<UInt8>
    }

    /// The rules of each name, in their order.
    private var rules: [Name: [RuleModel.Step]] = [:]

    /// Adds a rule for a name; rules are added in their order.
    mutating func add(_ name: HostNamePattern, rule: RuleModel.Step) {
        let name = Name(kind: name.kind, literal: name.literal[...])
        if rules[name]?.last != rule { rules[name, default: []].append(rule) }
    }

    /// Rules of a range that take a host, in their order; with the same text in another case they may be left out.
    func taking(_ host: [UInt8], in range: Range<RuleModel.Step>) -> [RuleModel.Step] {
        found(names(takingAll: .exact, host), range)
    }

    /// Rules of a range that take all hosts that a name stands for, alone, in their order.
    func takingAll(of name: HostNamePattern, in range: Range<RuleModel.Step>) -> [RuleModel.Step] {
        found(names(takingAll: name.kind, name.literal), range)
    }

    /// The names that stand for all that another one stands for.
    private func names(takingAll kind: HostNamePattern.Kind, _ literal: [UInt8]) -> [Name] {
        let dots = literal.indices.filter { literal[$0] == UInt8(ascii: ".") }
        let ends = dots.map { literal[($0 + 1)...] }.filter { !$0.isEmpty }
        let starts = dots.map { literal[..<$0] }.filter { !$0.isEmpty }
        func below(_ parents: [ArraySlice<UInt8>]) -> [Name] {
            parents.flatMap { [Name(kind: .subdomains, literal: $0), Name(kind: .domain, literal: $0)] }
        }
        let own = literal[...]
        return switch kind {
        case .exact:
            [Name(kind: .exact, literal: own), Name(kind: .domain, literal: own)] + below(ends)
                + starts.map { Name(kind: .prefix, literal: $0) }
        case .subdomains: below([own] + ends)
        case .domain: [Name(kind: .domain, literal: own)] + below(ends)
        case .prefix: ([own] + starts).map { Name(kind: .prefix, literal: $0) }
        }
    }

    private func found(_ names: [Name], _ range: Range<RuleModel.Step>) -> [RuleModel.Step] {
        var found: Set<RuleModel.Step> = []
        for name in names {
            guard let rules = rules[name] else { continue }
            for rule in rules where range.contains(rule) {
                found.insert(rule)
                if found.count > CoverSearch.mostTaking { break }
            }
        }
        return found.sorted()
    }
}
