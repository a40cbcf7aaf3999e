import ShuntCore
import ShuntPatterns

/// The indexes over consecutive rules.
extension Compiler {
    /// The fewest rules that are worth an index.
    private static let shortestChain = 4
    /// The fewest host names that are worth one, however few rules they stand in.
    private static let fewestHosts = 16

    private mutating func install(_ chain: Chain) {
        let number = tables.chains.adding(chain)
        for (link, instruction) in chain.links.enumerated() {
            tables.instructions[Int(instruction)].chain = number
            tables.instructions[Int(instruction)].link = Int32(link)
        }
    }

    /// Covers consecutive `rewrite`s, each of which is one instruction and one entry in the table of rewrites.
    mutating func addPathChain(_ links: [Int32]) {
        guard links.count >= Self.shortestChain, let first = links.first, let last = links.last,
            Int(last - first) == links.count - 1
        else { return }
        var chain = Chain(subject: .path, links: links, end: nextInstruction)
        chain.patterns = PatternIndex(
            links.map { link in
                let rule = tables.rewrites[Int(tables.instructions[Int(link)].a)]
                return tables.patterns[Int(rule.pattern)]
            }
        )
        install(chain)
    }

    /// The variable that a test of a chain looks at: for comparisons with a constant and plain expressions.
    func chainableVariable(_ condition: Condition) -> Int32? {
        guard !condition.isNegated else { return nil }
        switch condition.kind {
        case .equal: return tables.parts[Int(condition.template)].isConstant ? condition.variable : nil
        case .matches: return condition.variable
        default: return nil
        }
    }

    /// Covers consecutive `if`s on one variable, as long as they are of one kind.
    mutating func addTestChain(_ links: [Int32], variable: Int32) {
        var start = 0
        while start < links.count {
            let kind = condition(of: links[start]).kind
            var end = start
            while end < links.count, condition(of: links[end]).kind == kind { end += 1 }
            addTestChain(Array(links[start..<end]), variable: variable, kind: kind)
            start = end
        }
    }

    private func condition(of link: Int32) -> Condition {
        tables.conditions[Int(tables.instructions[Int(link)].a)]
    }

    private mutating func addTestChain(_ links: [Int32], variable: Int32, kind: Condition.Kind) {
        guard links.count >= Self.shortestChain, let last = links.last else { return }
        var chain = Chain(subject: .variable, variable: variable, links: links, end: tables.instructions[Int(last)].b)
        if kind == .equal {
            var builder = ByteTableBuilder()
            for (index, link) in links.enumerated() {
                let value = constantBytes(of: condition(of: link).template)
                switch builder.add(value.span, value: Int32(chain.valueLinks.count)) {
                case .added: chain.valueLinks.append([Int32(index)])
                case .duplicate(let entry): chain.valueLinks[Int(entry)].append(Int32(index))
                case .full, .malformed: return
                }
            }
            chain.values = builder.build()
        } else {
            chain.patternLinks = links.map { condition(of: $0).pattern }
            chain.patterns = PatternIndex(chain.patternLinks.map { tables.patterns[Int($0)] })
        }
        install(chain)
    }

    private func constantBytes(of template: Int32) -> [UInt8] {
        let part = tables.parts[Int(template)]
        return Array(tables.constants[Int(part.a)..<Int(part.b)])
    }

    /// Covers consecutive rules of the URL phase: each with its instruction and its matcher.
    mutating func addURLChain(_ links: [(instruction: Int32, matcher: Int32)]) {
        let hostCount = links.reduce(0) { $0 + tables.matchers[Int($1.matcher)].names.count }
        guard links.count >= Self.shortestChain || hostCount >= Self.fewestHosts else { return }
        var chain = Chain(subject: .url, links: links.map(\.instruction), end: nextInstruction)
        var hosts = HostTableBuilder()
        var hasHosts = false
        var hostPatterns: [RegularExpression] = []
        var patterns: [RegularExpression] = []
        for (index, link) in links.enumerated() {
            let matcher = tables.matchers[Int(link.matcher)]
            let number = Int32(index)
            switch matcher.kind {
            case .any:
                chain.always.append(number)
            case .url:
                patterns.append(tables.patterns[Int(matcher.pattern)])
                chain.patternLinks.append(number)
            case .host:
                for name in matcher.names {
                    hasHosts = true
                    if case .full = hosts.add(tables.hostNames[name].text.span, value: number) { return }
                }
                for pattern in matcher.hostPatterns {
                    hostPatterns.append(tables.patterns[Int(tables.hostPatterns[pattern])])
                    chain.hostPatternLinks.append(number)
                }
            }
        }
        if hasHosts { chain.hosts = hosts.build() }
        if !hostPatterns.isEmpty { chain.hostPatterns = PatternIndex(hostPatterns) }
        if !patterns.isEmpty { chain.patterns = PatternIndex(patterns) }
        install(chain)
    }
}
