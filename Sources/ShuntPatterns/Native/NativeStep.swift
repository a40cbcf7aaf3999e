import ShuntCore

/// One step of a pattern that is matched without PCRE2.
enum NativeStep: Equatable {
    /// These bytes.
    case literal([UInt8], folding: Bool)
    /// As many bytes of a set as there are, within bounds; `maximum` nil is not a bound.
    case run(ByteSet, minimum: Int, maximum: Int?)
    /// These bytes, if they are there; `group`, if not 0, captures them.
    case optional([UInt8], folding: Bool, group: Int)
    /// The one of these that is there; `group`, if not 0, captures it.
    case choice([[UInt8]], folding: Bool, group: Int)
    /// A group begins.
    case open(Int)
    case close(Int)
    /// The end of the subject or the place before a final LF.
    case end
    /// The end of the subject.
    case absoluteEnd
}

/// The steps of a pattern in which nothing is ever tried twice.
///
/// A pattern has steps when a greedy first try decides: wherever a step could take less, what follows could not
/// continue from there. Then one pass through the steps finds PCRE2's match, captures included, or shows that nothing
/// matches.
struct NativeSteps: Equatable {
    private(set) var steps: [NativeStep] = []
    /// True if a match begins where the subject begins.
    ///
    /// If not, it ends where the subject ends and has `lengths` bytes.
    private(set) var startsAtStart = false
    /// The least and the greatest number of bytes a match may have; no greatest where it is nil.
    private(set) var lengths: (least: Int, greatest: Int?) = (0, 0)

    /// The groups that a pass through the steps to their end sets, or marks as taking no part.
    var groups: Set<Int> {
        Set(
            steps.compactMap { step in
                switch step {
                case .optional(_, _, let group), .choice(_, _, let group), .close(let group): group
                case .literal, .run, .open, .end, .absoluteEnd: nil
                }
            }
        )
    }

    /// The longest pattern that is worth it, in steps.
    private static let mostSteps = 40
    /// A match that is found from its end may begin at no more places than this.
    private static let mostStarts = 16
    /// Counts of a run are kept in 16 bits.
    static let largestCount = 65_534

    /// The steps of `pattern`; nil when it has to be left to PCRE2.
    init?(_ pattern: PatternNode) {
        guard append(pattern, preceding: true), !steps.isEmpty, steps.count <= Self.mostSteps else { return nil }
        let endings = steps.filter { $0 == .end || $0 == .absoluteEnd }
        guard endings.count <= 1, endings.isEmpty || endsWithEnding else { return nil }
        measure()
        if !startsAtStart {
            guard !endings.isEmpty, let greatest = lengths.greatest, greatest - lengths.least < Self.mostStarts else {
                return nil
            }
        }
        for index in steps.indices where !decides(index) { return nil }
        forgetPreferences()
    }

    static func == (left: NativeSteps, right: NativeSteps) -> Bool {
        left.steps == right.steps && left.startsAtStart == right.startsAtStart
    }

    /// The numbers of steps that are lazy, until they are checked.
    private var lazySteps: Set<Int> = []

    private mutating func forgetPreferences() { lazySteps = [] }

    // MARK: From the pattern

    /// Appends the steps of `node`; false when it has none.
    ///
    /// `preceding` is empty if nothing was before it.
    private mutating func append(_ node: PatternNode, preceding isFirst: Bool) -> Bool {
        switch node {
        case .literal(let bytes, let caseless):
            steps.append(.literal(bytes, folding: caseless && Self.hasLetter(bytes)))
            return bytes.count < 256
        case .set(let set): return append(run: set, minimum: 1, maximum: 1, preference: .greedy)
        case .start:
            guard isFirst, steps.isEmpty, !startsAtStart else { return false }
            startsAtStart = true
            return true
        case .end: steps.append(.end)
        case .absoluteEnd: steps.append(.absoluteEnd)
        case .wordBoundary, .lookaround, .matchStart, .backreference, .lineBreak: return false
        case .atomic(let inner):
            // What takes as little as it can may not take more later.
            let lazyBefore = lazySteps.count
            return append(inner, preceding: isFirst) && lazySteps.count == lazyBefore
        case .choice(let branches): return append(choice: branches, group: 0)
        case .capture(let inner, let number):
            if case .choice(let branches) = inner { return append(choice: branches, group: number) }
            steps.append(.open(number))
            guard append(inner, preceding: false) else { return false }
            steps.append(.close(number))
        case .sequence(let nodes):
            for (index, node) in nodes.enumerated() {
                guard append(node, preceding: isFirst && index == 0) else { return false }
            }
        case .repeated(let inner, let minimum, let maximum, let preference):
            return append(repeated: inner, minimum: minimum, maximum: maximum, preference: preference)
        }
        return true
    }

    private mutating func append(
        repeated inner: PatternNode,
        minimum: Int,
        maximum: Int?,
        preference: PatternNode.Preference
    ) -> Bool {
        switch inner {
        case .set(let set): return append(run: set, minimum: minimum, maximum: maximum, preference: preference)
        case .literal(let bytes, let caseless):
            if minimum == 0, maximum == 1, preference != .lazy, bytes.count < 256 {
                steps.append(.optional(bytes, folding: caseless && Self.hasLetter(bytes), group: 0))
                return true
            }
            guard bytes.count == 1 else { return false }
            let set = ByteSet(bytes)
            return append(
                run: caseless ? set.closedUnderCase : set,
                minimum: minimum,
                maximum: maximum,
                preference: preference
            )
        case .capture(.literal(let bytes, let caseless), let number):
            guard minimum == 0, maximum == 1, preference != .lazy, bytes.count < 256 else { return false }
            steps.append(.optional(bytes, folding: caseless && Self.hasLetter(bytes), group: number))
            return true
        default: return false
        }
    }

    private mutating func append(
        run set: ByteSet,
        minimum: Int,
        maximum: Int?,
        preference: PatternNode.Preference
    ) -> Bool {
        guard set.count > 0, minimum <= Self.largestCount, maximum ?? 0 <= Self.largestCount else { return false }
        if preference == .lazy, minimum != maximum { lazySteps.insert(steps.count) }
        steps.append(.run(set, minimum: minimum, maximum: maximum))
        return true
    }

    private mutating func append(choice branches: [PatternNode], group: Int) -> Bool {
        var strings: [[UInt8]] = []
        var folding = false
        for (index, branch) in branches.enumerated() {
            guard case .literal(let bytes, let caseless) = branch, bytes.count < 256 else { return false }
            guard index == 0 || caseless == folding else { return false }
            folding = caseless
            strings.append(bytes)
        }
        guard strings.count < 256 else { return false }
        // Only one of the strings may fit any place, or it would matter which comes first.
        let compared = strings.map { folding ? $0.map(\.folded) : $0 }
        let sorted = compared.sorted { $0.lexicographicallyPrecedes($1) }
        for (first, second) in zip(sorted, sorted.dropFirst()) where second.starts(with: first) { return false }
        steps.append(.choice(strings, folding: folding, group: group))
        return true
    }

    private static func hasLetter(_ bytes: [UInt8]) -> Bool {
        bytes.contains { $0.folded != $0 || ByteSet([$0]).closedUnderCase.count > 1 }
    }

    // MARK: Checks

    /// True if nothing but the ends of groups follows the end of the subject.
    private var endsWithEnding: Bool {
        for step in steps.reversed() {
            switch step {
            case .end, .absoluteEnd: return true
            case .close: continue
            default: return false
            }
        }
        return false
    }

    private mutating func measure() {
        var least = 0
        var greatest: Int? = 0
        for step in steps {
            switch step {
            case .literal(let bytes, _):
                least += bytes.count
                greatest = greatest.map { $0 + bytes.count }
            case .run(_, let minimum, let maximum):
                least += minimum
                greatest = greatest.flatMap { sum in maximum.map { sum + $0 } }
            case .optional(let bytes, _, _): greatest = greatest.map { $0 + bytes.count }
            case .choice(let strings, _, _):
                let counts = strings.map(\.count)
                least += counts.min() ?? 0
                greatest = greatest.map { $0 + (counts.max() ?? 0) }
            case .open, .close, .end, .absoluteEnd: continue
            }
        }
        lengths = (least, greatest)
    }

    private struct Following {
        /// The first byte of what follows.
        var first = ByteSet()
        /// True if the end of the subject may follow at once.
        var end = false
        var nothing = false
    }

    private func following(_ index: Int) -> Following {
        var result = Following()
        for step in steps[(index + 1)...] {
            switch step {
            case .open, .close: continue
            case .literal(let bytes, let folding):
                result.first.formUnion(Self.first(bytes, folding))
                return result
            case .run(let set, let minimum, _):
                result.first.formUnion(set)
                if minimum > 0 { return result }
            case .optional(let bytes, let folding, _): result.first.formUnion(Self.first(bytes, folding))
            case .choice(let strings, let folding, _):
                for string in strings { result.first.formUnion(Self.first(string, folding)) }
                return result
            case .end, .absoluteEnd:
                result.end = true
                return result
            }
        }
        result.nothing = true
        return result
    }

    private static func first(_ bytes: [UInt8], _ folding: Bool) -> ByteSet {
        let set = ByteSet(bytes.prefix(1))
        return folding ? set.closedUnderCase : set
    }

    /// Returns true if taking as much as it can is the only way a step can be part of a match.
    private func decides(_ index: Int) -> Bool {
        let lineFeed: UInt8 = 10
        switch steps[index] {
        case .run(let set, let minimum, let maximum):
            if minimum == maximum { return true }
            let following = following(index)
            guard following.first.isDisjoint(with: set) else { return false }
            guard lazySteps.contains(index) else { return true }
            return !following.nothing && !(following.end && set.contains(lineFeed))
        case .optional(let bytes, let folding, _):
            // `$` could match where the optional bytes were given up if they begin with LF.
            guard bytes.first != lineFeed else { return false }
            return following(index).first.isDisjoint(with: Self.first(bytes, folding))
        case .literal, .choice, .open, .close, .end, .absoluteEnd: return true
        }
    }
}
