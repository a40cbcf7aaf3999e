import Shunt

extension LintSubject {
    func deadAccessRule() -> [LintFound] {
        let found = model.accessRules.flatMap { list -> [LintFound] in
            var before = TakenAddresses()
            return list.rules.compactMap { rule in
                let covers = before.take(rule)
                guard !covers.isEmpty else { return nil }
                let places = covers.map { shown($0.position) }.joined(separator: ", ")
                let isException = covers.contains { $0.allows != rule.allows }
                return LintFound(
                    rule.position,
                    "this decides nothing: \(places) \(covers.count == 1 ? "takes" : "take") its addresses before",
                    advice: isException ? "put it above \(places)" : "remove it"
                )
                .covered(by: covers.map(\.position), "no address is left for it")
            }
        }
        return found.holdingEverywhere(among: model.accessRules.flatMap { $0.rules.map(\.position) })
    }
}

/// The addresses that the rules of a list have taken.
private struct TakenAddresses {
    /// Ranges that do not meet, in their order, each with the rules that it was put together from.
    private var ranges: [(range: AddressSamples.Range, rules: [AccessRule])] = []
    private var all: AccessRule?
    private var unix: AccessRule?

    /// Takes the addresses of a rule, and returns the rules that have taken all of them before; none if it has some for itself.
    mutating func take(_ rule: AccessRule) -> [AccessRule] {
        if let all { return [all] }
        switch rule.scope {
        case .all:
            all = rule
            return []
        case .unix:
            defer { unix = unix ?? rule }
            return unix.map { [$0] } ?? []
        case .network:
            guard let range = rule.range else { return [] }
            let low = ranges.partitioningIndex { !$0.range.isBefore(range) }
            var end = low
            var own = (range: range, rules: [rule])
            while end < ranges.count, ranges[end].range.touches(range) {
                if ranges[end].range.contains(range) {
                    return ranges[end].rules.filter { $0.range?.meets(range) ?? false }
                }
                own.range = own.range.joined(with: ranges[end].range)
                own.rules = ranges[end].rules + own.rules
                end += 1
            }
            ranges.replaceSubrange(low..<end, with: [own])
            return []
        }
    }
}
