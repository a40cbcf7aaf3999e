import ShuntCore

/// The share of a part of a pattern in the work of a backtracking matcher.
///
/// The matcher goes from left to right. Where the next byte decides between continuing with a repetition and leaving it, a
/// repetition is gone through once; where it does not, what follows is tried from each of its places. So the work is a
/// power of the subject's length, whose exponent is found by counting such repetitions. Everything here is an upper bound.
struct CostShape {
    /// By how many powers what follows is tried more often than this.
    private(set) var raise = 0
    /// The power of the work in it, each time that it is reached.
    private(set) var peak = 0
    /// In how many ways it can match one text, apart from the powers.
    private(set) var ways = 1.0
    /// The number of things that are tried at one place.
    private(set) var work = 1.0
    /// True if it may read the same bytes again each time that it is repeated.
    private(set) var looksAgain = false
    /// True if the work has no bound that is a power.
    private(set) var isUnbounded = false
    private(set) var hasBackreference = false
    /// True if it can only match at the start of the subject.
    private(set) var startsAtStart = false
    /// The most bytes that a step reads before it may fail.
    private(set) var longestStep = 0
    /// The most brackets that can close in a row.
    private(set) var closings = 0
    /// True if one of them may be around nothing.
    private(set) var mayCloseNothing = false

    /// A repetition whose counts differ by no more than this has so many ways; a larger one counts as without end.
    private static let fewCounts = 8
    /// A repetition that must occur more often than this has its own work.
    private static let manyCopies = 64
    /// The limit above which a number counts as infinite.
    private static let mostWays = 1e15

    /// The shape of `node`, after which one of the bytes `next` may come.
    init(_ node: PatternNode, next: ByteSet) {
        switch node {
        case .literal, .set, .end, .absoluteEnd, .wordBoundary, .matchStart: break
        case .start: startsAtStart = true
        case .lookaround(let inner, _, _): look(for: inner)
        case .backreference:
            peak = 1
            looksAgain = true
            hasBackreference = true
        case .lineBreak: ways = 2
        case .capture(let inner, _), .atomic(let inner): self = CostShape(inner, next: next)
        case .sequence(let nodes): join(nodes, next)
        case .choice(let branches): choose(branches, next)
        case .repeated(let inner, let minimum, let maximum, let preference):
            if maximum != 0 {
                makeRepetition(inner, minimum: minimum, maximum: maximum, preference: preference, next: next)
            }
        }
    }

    private mutating func look(for inner: PatternNode) {
        let shape = CostShape(inner, next: ByteSet())
        peak = max(shape.peak, shape.raise)
        work = shape.work * shape.ways
        take(shape)
        looksAgain = peak > 0
    }

    private mutating func join(_ nodes: [PatternNode], _ next: ByteSet) {
        // From the right, because a part's choices depend on what follows it.
        var following = next
        var shapes: [CostShape] = []
        for node in nodes.reversed() {
            shapes.append(CostShape(node, next: following))
            following = PatternBeginning(node).before(following)
        }
        for shape in shapes.reversed() {
            // An anchor in front of any choice.
            if shape.startsAtStart, peak == 0 { startsAtStart = true }
            peak = max(peak, raise + shape.peak)
            raise += shape.raise
            ways = min(Self.mostWays, ways * shape.ways)
            work = max(work, shape.work)
            take(shape)
        }
    }

    private mutating func choose(_ branches: [PatternNode], _ next: ByteSet) {
        var seen = ByteSet()
        var areApart = true
        var (mostWays, allWays) = (1.0, 0.0)
        var (mostWork, allWork) = (1.0, 0.0)
        startsAtStart = true
        for branch in branches {
            let shape = CostShape(branch, next: next)
            let begins = PatternBeginning(branch).before(next)
            areApart = areApart && begins.isDisjoint(with: seen)
            seen.formUnion(begins)
            startsAtStart = startsAtStart && shape.startsAtStart
            raise = max(raise, shape.raise)
            peak = max(peak, shape.peak)
            (mostWays, allWays) = (max(mostWays, shape.ways), allWays + shape.ways)
            (mostWork, allWork) = (max(mostWork, shape.work), allWork + shape.work)
            take(shape)
        }
        ways = areApart || Self.areDifferent(branches) ? mostWays : allWays
        work = areApart ? mostWork : allWork
    }

    /// Returns true if all branches are texts of which none begins with another, so that only one of them fits a place.
    private static func areDifferent(_ branches: [PatternNode]) -> Bool {
        var texts: [[UInt8]] = []
        for branch in branches {
            guard case .literal(let bytes, _) = branch else { return false }
            texts.append(bytes.map(\.folded))
        }
        texts.sort { $0.lexicographicallyPrecedes($1) }
        return zip(texts, texts.dropFirst()).allSatisfy { !$1.starts(with: $0) }
    }

    private mutating func makeRepetition(
        _ inner: PatternNode,
        minimum: Int,
        maximum: Int?,
        preference: PatternNode.Preference,
        next: ByteSet
    ) {
        let begins = PatternBeginning(inner).before(next)
        let shape = CostShape(inner, next: maximum == 1 ? next : begins.union(next))
        startsAtStart = shape.startsAtStart && minimum > 0
        work = shape.work
        take(shape)
        if let maximum, maximum > minimum, !inner.isOneByte {
            closings += maximum - minimum
            mayCloseNothing = mayCloseNothing || PatternBeginning(inner).mayBeEmpty
        }
        let choosesCount =
            preference != .possessive && minimum != maximum && !PatternBeginning(inner).bytes.isDisjoint(with: next)
        if let maximum, maximum - minimum <= Self.fewCounts, maximum <= Self.manyCopies {
            raise = shape.raise * maximum
            peak = shape.raise * (maximum - 1) + shape.peak
            for _ in 0..<maximum { ways = min(Self.mostWays, ways * shape.ways) }
            if choosesCount { ways = min(Self.mostWays, ways * Double(maximum - minimum + 1)) }
            work *= Double(maximum)
        } else {
            if shape.ways > 1 || shape.raise > 0 { isUnbounded = true }
            raise = choosesCount ? 1 : 0
            peak = max(1, shape.peak) + (shape.looksAgain ? 1 : 0)
            longestStep = max(longestStep, minimum)
        }
    }

    /// Takes over what holds for the whole if it holds for a part.
    private mutating func take(_ shape: CostShape) {
        looksAgain = looksAgain || shape.looksAgain
        isUnbounded = isUnbounded || shape.isUnbounded
        hasBackreference = hasBackreference || shape.hasBackreference
        longestStep = max(longestStep, shape.longestStep)
        closings = max(closings, shape.closings)
        mayCloseNothing = mayCloseNothing || shape.mayCloseNothing
    }
}
