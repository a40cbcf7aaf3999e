import ShuntCore
import ShuntPatterns

/// Looking rules up instead of trying them one by one.
///
/// A chain is a run of rules of which each is followed by the next when it does not apply. Its index proves of most of
/// them that they cannot apply; the first that may is then tried as any other rule.
extension Evaluation {
    /// Returns the distance from `instruction` to the first rewrite that matches, with its captures taken; nil for
    /// none.
    ///
    /// Rewrites of a chain are one after the other, and so are their instructions.
    @inline(__always)
    mutating func nextRewrite(of instruction: Instruction) throws(EvaluationFailure) -> Int? {
        let chain = instruction.chain.position
        guard let patterns = program.chainTables[chain].patterns else { return nil }
        switch firstMatch(of: patterns, on: server.uri, from: Int(instruction.link), to: nil) {
        case .none:
            return nil
        case .match(let link):
            let ahead = link &- Int(instruction.link)
            takeCaptures(of: program.rewrites[Int(instruction.a.number) &+ ahead].rule.pattern, on: server.uri)
            return ahead
        case .limitExceeded(let link):
            position = program.tables.rewrites[Int(instruction.a.number) + link - Int(instruction.link)].position
            throw failure(.patternLimit)
        }
    }

    /// The place where the rules on whole URLs continue.
    struct Link {
        var instruction: Int
        /// True if the host of the URL was found among the names of its rule, which settles that it applies.
        var hostIsProven: Bool
    }

    /// The first rule of the URL phase from `instruction` on that may apply, or what follows the chain.
    mutating func nextLink(of instruction: Instruction) throws(EvaluationFailure) -> Link {
        // The chain is not taken out of its list, which would count a reference for each of its tables.
        let chain = instruction.chain.position
        let tables = program.chainTables[chain]
        let end = tables.linkCount
        var best = end
        var named = end
        let start = instruction.link
        if tables.hosts != nil || tables.hostPatterns != nil, url.parts.host != nil {
            let host = try hostOfURL()
            if let hosts = tables.hosts {
                let link = hosts.with { hosts in arena.withBytes(host) { hosts.firstValue(of: $0, from: start) } }
                if let link {
                    best = link
                    named = link
                }
            }
            // Mostly a name was found before the first expression.
            if tables.firstHostPattern < best, let patterns = tables.hostPatterns {
                let links = program.tables.chains[chain].hostPatternLinks
                best = search(patterns, links, on: host, from: start, before: best)
            }
        }
        if let patterns = tables.patterns {
            let links = program.tables.chains[chain].patternLinks
            best = search(patterns, links, on: url.range, from: start, before: best)
            if program.tables.chains[chain].seesNormalForm {
                let form = try normalForm()
                if form != url.range { best = search(patterns, links, on: form, from: start, before: best) }
                if try hasMoreForms() {
                    for other in urlForms { best = search(patterns, links, on: other.range, from: start, before: best) }
                }
            }
        }
        guard best < end else {
            return Link(instruction: tables.end.position, hostIsProven: false)
        }
        return Link(instruction: program.tables.chains[chain].links[Int(best)].position, hostIsProven: best == named)
    }

    /// The first link in `start ..< before` whose expression matches; `before` when there is none.
    ///
    /// A link whose expression reaches its limit is one too: trying it reports the failure.
    private func search(
        _ patterns: UncountedReference<PatternIndex>,
        _ links: [Int32],
        on subject: ByteRange,
        from start: Int32,
        before: Int32
    ) -> Int32 {
        guard let first = firstIndex(of: start, in: links) else { return before }
        let end = firstIndex(of: before, in: links) ?? links.count
        guard first < end else { return before }
        return switch firstMatch(of: patterns, on: subject, from: first, to: end) {
        case .none: before
        case .match(let index), .limitExceeded(let index): links[index]
        }
    }

    /// The first expression from `start` on, and before `end` where there is one, that matches.
    func firstMatch(
        of patterns: UncountedReference<PatternIndex>,
        on subject: ByteRange,
        from start: Int,
        to end: Int?
    ) -> IndexOutcome {
        patterns.with { patterns in
            arena.withBytes(subject) {
                patterns.firstMatch($0, from: start, to: end ?? patterns.count, scratch: memory.scratch, mode: mode)
            }
        }
    }

    /// The first place in rising numbers that holds `value` or more.
    private func firstIndex(of value: Int32, in numbers: [Int32]) -> Int? {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < value { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count ? low : nil
    }

    /// The body of the first `if` from `instruction` on that holds, or what follows the chain.
    mutating func nextTest(of instruction: Instruction) throws(EvaluationFailure) -> Int {
        let chain = instruction.chain.position
        let tables = program.chainTables[chain]
        let start = instruction.link
        let value = try value(of: program.tables.chains[chain].variable)
        let count = Int32(program.tables.chains[chain].links.count)
        var best = count
        if let values = tables.values,
            let entry = values.with({ values in arena.withBytes(value) { values.value($0) } })
        {
            let links = program.tables.chains[chain].valueLinks[Int(entry)]
            if let index = firstIndex(of: start, in: links) { best = links[index] }
        } else if let link = try matchingTest(from: instruction, on: value) {
            best = link
        }
        guard best < count else { return program.tables.chains[chain].end.position }
        let found = program.tables.chains[chain].links[Int(best)].position
        position = program.tables.instructions[found].position
        return found + 1
    }

    /// The place where it continues after tests that all go to one place when their expressions match.
    mutating func nextExclusion(of instruction: Instruction) throws(EvaluationFailure) -> Int {
        let chain = instruction.chain.position
        position = instruction.position
        let value = try value(of: program.tables.chains[chain].variable)
        if try matchingTest(from: instruction, on: value) != nil { return instruction.target.position }
        return program.chainTables[chain].end.position
    }

    /// The first link of a chain of tests from `instruction` on whose expression matches, with its captures taken; nil for none,
    /// and then there are no captures.
    private mutating func matchingTest(
        from instruction: Instruction,
        on value: ByteRange
    ) throws(EvaluationFailure) -> Int32? {
        let chain = instruction.chain.position
        guard let patterns = program.chainTables[chain].patterns else { return nil }
        switch firstMatch(of: patterns, on: value, from: Int(instruction.link), to: nil) {
        case .none:
            values.captureCount = 0
            return nil
        case .match(let index):
            takeCaptures(of: program.tables.chains[chain].patternNumbers[index], on: value)
            return Int32(index)
        case .limitExceeded(let index):
            position = program.tables.instructions[program.tables.chains[chain].links[index]].position
            throw failure(.patternLimit)
        }
    }
}
