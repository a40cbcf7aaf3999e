import ShuntCore
import ShuntPatterns

/// Looking rules up instead of trying them one by one.
///
/// A chain is a run of rules of which each is followed by the next when it does not apply. Its index proves of most of
/// them that they cannot apply; the first that may is then tried as any other rule.
extension Evaluator {
    /// What a search answers after a failure.
    static let failed = Int(Int32.min)

    /// The first rewrite from `instruction` on that matches, with its captures taken; -1 for none.
    func nextRewrite(of instruction: Instruction) -> Int {
        let chain = Int(instruction.chain)
        guard let patterns = program.chains[chain].patterns else { return -1 }
        let outcome = arena.withBytes(uri) {
            patterns.firstMatch($0, from: Int(instruction.link), to: patterns.count, scratch: scratch, mode: mode)
        }
        switch outcome {
        case .none:
            return -1
        case .match(let link):
            let pc = Int(program.chains[chain].links[link])
            takeCaptures(of: program.rewrites[Int(program.instructions[pc].a)].pattern, on: uri)
            return pc
        case .limitExceeded(let link):
            position = program.positions[Int(program.chains[chain].links[link])]
            fail(.patternLimit, status: 500)
            return Self.failed
        }
    }

    /// The first rule of the URL phase from `instruction` on that may apply, or what follows the chain.
    func nextLink(of instruction: Instruction) -> Int {
        let chain = program.chains[Int(instruction.chain)]
        let end = Int32(chain.links.count)
        var best = end
        var named = end
        let start = instruction.link
        if chain.hosts != nil || chain.hostPatterns != nil, parts.host != nil {
            let host = hostOfURL()
            if let hosts = chain.hosts, let link = arena.withBytes(host, { hosts.firstValue(of: $0, from: start) }) {
                best = min(best, link)
                named = best
            }
            best = search(chain.hostPatterns, chain.hostPatternLinks, on: host, from: start, before: best)
        }
        best = search(chain.patterns, chain.patternLinks, on: url, from: start, before: best)
        if let link = firstIndex(of: start, in: chain.always).map({ chain.always[$0] }) { best = min(best, link) }
        hostIsProven = best == named && best < end
        return best < end ? Int(chain.links[Int(best)]) : Int(chain.end)
    }

    /// The first link in `start ..< before` whose expression matches; `before` when there is none.
    ///
    /// A link whose expression reaches its limit is one too: trying it reports the failure.
    private func search(
        _ patterns: PatternIndex?,
        _ links: [Int32],
        on subject: ByteRange,
        from start: Int32,
        before: Int32
    ) -> Int32 {
        guard let patterns, let first = firstIndex(of: start, in: links) else { return before }
        let end = firstIndex(of: before, in: links) ?? links.count
        guard first < end else { return before }
        let outcome = arena.withBytes(subject) {
            patterns.firstMatch($0, from: first, to: end, scratch: scratch, mode: mode)
        }
        return switch outcome {
        case .none: before
        case .match(let index), .limitExceeded(let index): links[index]
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
    func nextTest(of instruction: Instruction) -> Int {
        let chain = program.chains[Int(instruction.chain)]
        let start = instruction.link
        let value = value(of: chain.variable)
        var best = Int32(chain.links.count)
        if let values = chain.values, let entry = arena.withBytes(value, { values.value($0) }) {
            let links = chain.valueLinks[Int(entry)]
            if let index = firstIndex(of: start, in: links) { best = links[index] }
        } else if let patterns = chain.patterns {
            let outcome = arena.withBytes(value) {
                patterns.firstMatch($0, from: Int(start), to: patterns.count, scratch: scratch, mode: mode)
            }
            switch outcome {
            case .none:
                captureCount = 0
            case .match(let index):
                takeCaptures(of: chain.patternLinks[index], on: value)
                best = Int32(index)
            case .limitExceeded(let index):
                position = program.positions[Int(chain.links[index])]
                fail(.patternLimit, status: 500)
                return Self.failed
            }
        }
        guard best < Int32(chain.links.count) else { return Int(chain.end) }
        position = program.positions[Int(chain.links[Int(best)])]
        return Int(chain.links[Int(best)]) + 1
    }
}
