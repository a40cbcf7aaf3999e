import ShuntPatterns

/// The indexes over consecutive rules.
enum ChainCompiler {
    /// The fewest rules that are worth an index.
    private static let shortestChain = 4
    /// The fewest host names that are worth one, however few rules they are in.
    private static let fewestHosts = 16

    private static func install(_ chain: Chain, in context: inout CompileContext) {
        let number = context.tables.chains.append(chain)
        for (link, instruction) in chain.links.enumerated() {
            context.tables.instructions[instruction].chain = number
            context.tables.instructions[instruction].link = Int32(link)
        }
    }

    /// Covers consecutive `rewrite`s, each of which is one instruction and one entry in the table of rewrites.
    static func addPathChain(_ links: [InstructionIndex], in context: inout CompileContext) {
        guard links.count >= shortestChain, let first = links.first, let last = links.last,
            last.position - first.position == links.count - 1
        else { return }
        var chain = Chain(subject: .path, links: links, end: context.nextInstruction)
        chain.patterns = PatternIndex(
            links.map { link in
                let rule = context.tables.rewrites[context.tables.instructions[link].a]
                return context.tables.patterns[rule.pattern]
            }
        )
        install(chain, in: &context)
    }

    /// The variable that a test of a chain reads: for comparisons with a constant and plain expressions.
    static func testedVariable(of condition: Condition, in context: CompileContext) -> VariableIndex? {
        guard !condition.isNegated else { return nil }
        switch condition.kind {
        case .equal: return context.tables.parts[condition.template].isConstant ? condition.variable : nil
        case .matches: return keepsItsValue(condition.variable, in: context) ? condition.variable : nil
        default: return nil
        }
    }

    /// Returns true if a variable has one value for expressions that are tried one after the other: a `volatile` map
    /// may read captures, which nginx forgets when the expression of an `if` does not match.
    private static func keepsItsValue(_ index: VariableIndex, in context: CompileContext) -> Bool {
        let variable = context.tables.variables[index]
        return switch variable.source {
        case .map, .geo, .split: !variable.isVolatile
        default: true
        }
    }

    /// Covers consecutive `if`s on one variable, as long as they are of one kind.
    static func addTestChain(_ links: [InstructionIndex], variable: VariableIndex, in context: inout CompileContext) {
        var start = 0
        while start < links.count {
            let kind = condition(of: links[start], in: context).kind
            var end = start
            while end < links.count, condition(of: links[end], in: context).kind == kind { end += 1 }
            addTests(Array(links[start..<end]), .variable, of: variable, kind: kind, in: &context)
            start = end
        }
    }

    private static func condition(of link: InstructionIndex, in context: CompileContext) -> Condition {
        context.tables.conditions[context.tables.instructions[link].a]
    }

    private static func addTests(
        _ links: [InstructionIndex],
        _ subject: Chain.Subject,
        of variable: VariableIndex,
        kind: Condition.Kind,
        in context: inout CompileContext
    ) {
        guard links.count >= shortestChain, let last = links.last else { return }
        let end =
            subject == .exclusion
            ? InstructionIndex(last.position + 1) : context.tables.instructions[last].target
        var chain = Chain(subject: subject, variable: variable, links: links, end: end)
        if kind == .equal {
            var builder = ByteTableBuilder()
            for (index, link) in links.enumerated() {
                let value = context.tables.bytes(of: context.tables.parts[condition(of: link, in: context).template])
                switch builder.add(value.span, value: Int32(chain.valueLinks.count)) {
                case .added: chain.valueLinks.append([Int32(index)])
                case .duplicate(let entry): chain.valueLinks[Int(entry)].append(Int32(index))
                case .full, .malformed: return
                }
            }
            chain.values = builder.build()
        } else {
            chain.patternNumbers = links.map { condition(of: $0, in: context).pattern }
            chain.patterns = context.index(over: chain.patternNumbers)
        }
        install(chain, in: &context)
    }

    /// Covers tests that follow each other in the instructions from `start` on and go to one place when their expressions match.
    ///
    /// The values that they read must be the same for all: a `map` that is computed at each use may see captures, which a test
    /// removes.
    static func addExclusions(from start: InstructionIndex, in context: inout CompileContext) {
        var links: [InstructionIndex] = []
        var shared: (variable: VariableIndex, target: InstructionIndex)?
        for number in start.position..<context.tables.instructions.count {
            let instruction = context.tables.instructions[number]
            let excluded = excludedVariable(by: instruction, in: context).map { ($0, instruction.target) }
            if let shared, let excluded, shared == excluded {
                links.append(InstructionIndex(number))
                continue
            }
            if let shared { addTests(links, .exclusion, of: shared.variable, kind: .matches, in: &context) }
            links = excluded == nil ? [] : [InstructionIndex(number)]
            shared = excluded
        }
    }

    /// The variable that a test reads which jumps when its expression matches; nil for any other instruction.
    private static func excludedVariable(by instruction: Instruction, in context: CompileContext) -> VariableIndex? {
        guard instruction.operation == .test || instruction.operation == .testNot else { return nil }
        let condition = context.tables.conditions[instruction.a]
        guard condition.kind == .matches, condition.isNegated == (instruction.operation == .test) else { return nil }
        return keepsItsValue(condition.variable, in: context) ? condition.variable : nil
    }

    /// Covers consecutive rules of the URL phase: each with its instruction and its matcher.
    static func addURLChain(_ links: [URLRuleLink], in context: inout CompileContext) {
        let hostCount = links.reduce(0) { $0 + context.tables.matchers[$1.matcher].names.count }
        guard links.count >= shortestChain || hostCount >= fewestHosts else { return }
        var chain = Chain(subject: .url, links: links.map(\.instruction), end: context.nextInstruction)
        var hosts = HostTableBuilder()
        var hasHosts = false
        var hostPatterns: [RegularExpression] = []
        var patterns: [RegularExpression] = []
        for (index, link) in links.enumerated() {
            let matcher = context.tables.matchers[link.matcher]
            let number = Int32(index)
            switch matcher.kind {
            case .url:
                patterns.append(context.tables.patterns[matcher.pattern])
                chain.patternLinks.append(number)
                if matcher.spelling != .written { chain.seesNormalForm = true }
            case .host:
                for name in matcher.names {
                    hasHosts = true
                    if case .full = hosts.add(context.tables.hostNames[name].text.span, value: number) { return }
                }
                for pattern in matcher.hostPatterns {
                    hostPatterns.append(context.tables.patterns[context.tables.hostPatterns[pattern]])
                    chain.hostPatternLinks.append(number)
                }
            }
        }
        if hasHosts { chain.hosts = hosts.build() }
        if !hostPatterns.isEmpty { chain.hostPatterns = PatternIndex(hostPatterns) }
        if !patterns.isEmpty { chain.patterns = PatternIndex(patterns) }
        install(chain, in: &context)
    }
}
