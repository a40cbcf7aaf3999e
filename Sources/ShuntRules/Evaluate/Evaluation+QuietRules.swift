import ShuntCore
import ShuntPatterns

/// The rules of the URL phase that may apply to one URL, by its index.
struct FoundRules {
    private(set) var url = ByteRange.empty
    /// True if the index covers all spellings that rules see of it.
    private(set) var isKnown = false
    /// The first instruction of those that are known.
    private var start: Int32 = 0
    /// The instruction up to which rules are known.
    private var end = Int32.max
    private var count = 0
    private var instructions = InlineArray<8, Int32>(repeating: 0)

    /// Begins again, with what may apply from `start` on.
    mutating func begin(_ url: ByteRange, isKnown: Bool, from start: Int) {
        self.url = url
        self.isKnown = isKnown
        self.start = Int32(start)
        end = .max
        count = 0
    }

    mutating func forget() { url = .empty }

    /// Adds a rule, of which those that come first are kept; false where no later one would be.
    mutating func add(_ instruction: Int32) -> Bool {
        guard instruction < end else { return false }
        guard instruction >= start else { return true }
        var place = count
        while place > 0, instructions[place - 1] >= instruction {
            if instructions[place - 1] == instruction { return true }
            place -= 1
        }
        if count == instructions.count {
            end = place < count ? instructions[count - 1] : instruction
            guard place < count else { return false }
            count -= 1
        }
        var last = count
        while last > place {
            instructions[last] = instructions[last - 1]
            last -= 1
        }
        instructions[place] = instruction
        count += 1
        return true
    }

    /// The first rule from an instruction on; nil where that has to be looked for, and `Int32.max` where there is none.
    func first(from number: Int32) -> Int32? {
        guard number >= start else { return nil }
        for index in 0..<count where instructions[index] >= number { return instructions[index] }
        return end == .max ? .max : nil
    }
}

/// Passing over the rules of the URL phase that do not apply.
extension Evaluation {
    /// Continues from `pc` to what may do something next; true if the index found it, so that it is tried alone.
    @inline(never)
    mutating func passQuietRules(_ pc: inout Int) throws(EvaluationFailure) -> Bool {
        let start = program.urlPhaseIndex.start
        while true {
            let place = program.urlPhaseIndex.places[pc &- start]
            guard place.next >= 0 || place.nextEvent >= 0, let found = try firstFound(from: pc) else {
                return false
            }
            if place.nextEvent >= 0 {
                let statement = found == .max ? .max : program.urlPhaseIndex.places[Int(found) &- start].statement
                let stop = Int(min(place.nextEvent, statement))
                if stop > pc {
                    pc = stop
                    continue
                }
            }
            guard place.next >= 0 else { return false }
            if Int(found) == pc { return true }
            pc = Int(place.next)
        }
    }

    /// The first rule from an instruction on that may apply to the URL; `Int32.max` for none, and nil if that is not known.
    private mutating func firstFound(from pc: Int) throws(EvaluationFailure) -> Int32? {
        if foundRules.url == url.range {
            guard foundRules.isKnown else { return nil }
            if let found = foundRules.first(from: Int32(pc)) { return found }
        }
        // Spelt in another way the URL has other literals in it.
        var isKnown = true
        if program.urlPhaseIndex.seesNormalForm {
            isKnown = try normalForm() == url.range
            if isKnown, try hasMoreForms() { isKnown = false }
        }
        foundRules.begin(url.range, isKnown: isKnown, from: pc)
        guard isKnown else { return nil }
        if url.parts.host != nil, program.urlPhaseIndex.hosts != nil || program.urlPhaseIndex.hostPatterns != nil {
            let host = try hostOfURL()
            if let hosts = program.urlPhaseIndex.hosts {
                var start = Int32(pc)
                while let instruction = hosts.with({ hosts in
                    arena.withBytes(host) { hosts.firstValue(of: $0, from: start) }
                }), foundRules.add(instruction) {
                    start = instruction &+ 1
                }
            }
            if let patterns = program.urlPhaseIndex.hostPatterns {
                add(patterns, program.urlPhaseIndex.hostPatternInstructions, on: host)
            }
        }
        if let patterns = program.urlPhaseIndex.patterns {
            add(patterns, program.urlPhaseIndex.patternInstructions, on: url.range)
        }
        return foundRules.first(from: Int32(pc))
    }

    private mutating func add(
        _ patterns: UncountedReference<PatternIndex>,
        _ instructions: [Int32],
        on subject: ByteRange
    ) {
        var found = foundRules
        patterns.with { patterns in
            arena.withBytes(subject) {
                patterns.forEachCandidate($0, scratch: memory.scratch) { found.add(instructions[$0]) }
            }
        }
        foundRules = found
    }
}
