import ShuntCore

/// The growth of the work of matching an expression with its subject, in the worst case.
///
/// A backtracking matcher takes the worst case for a hostile subject only, but that is one that a client may send.
struct MatchCost: Equatable, Sendable {
    /// The reason why the work is more than linear.
    enum Cause: Equatable, Sendable {
        /// The repeated part can be split in many ways: `(a+)+`.
        case nestedRepetition
        /// Several repetitions can share out the same text: `.*a.*b.*`.
        case overlappingRepetitions
        /// The text of a group is looked for again: `(\w+)/\1`.
        case backreference
        /// Many optional parts can match the same text: `(a?){30}a{30}`.
        case optionalParts
        /// The analysis does not follow the syntax.
        case notUnderstood(NotUnderstood)
    }

    /// The work grows with this power of the subject's length; beyond `highestDegree` it has no useful bound.
    let degree: Int
    let factor: Double
    /// The reason why the work is more than linear, or the cause of the highest power.
    let cause: Cause
    /// True if it has back references, whose comparisons take time in proportion to what was captured.
    let hasBackreference: Bool
    /// The most bytes that one step may read before it fails.
    let longestStep: Int
    /// The most brackets that can close in a row, which PCRE2 does without a step that is counted.
    ///
    /// It writes out a group that is repeated up to a number as that many groups, each optional inside of the one before.
    let closings: Int
    /// True if one of them may be around nothing.
    let mayCloseNothing: Bool

    /// A power beyond this is as good as no bound.
    static let highestDegree = 6
    /// An expression with a larger factor is not taken for linear.
    private static let largestLinearFactor = 4096.0

    /// True if the work is in proportion to the subject's length.
    var isLinear: Bool { degree <= 1 && factor <= Self.largestLinearFactor }

    /// The most steps that matching a subject of `length` bytes takes; infinite where there is no useful bound.
    ///
    /// `degree` places in a subject can be chosen, in order, in about `length ^ degree / degree!` ways.
    func steps(_ length: Int) -> Double {
        guard degree <= Self.highestDegree else { return .infinity }
        var steps = factor
        for number in 0..<degree { steps *= Double(length &+ 1 &+ number) / Double(number &+ 1) }
        return steps
    }

    /// The reason why a long subject may reach a limit, for people; nil where only subjects that are longer than most
    /// do.
    var advice: String? {
        guard !isLinear else { return nil }
        switch cause {
        case .nestedRepetition: return "what it repeats can match the same text in many ways"
        case .optionalParts: return "its optional parts can match the same text in many ways"
        case .overlappingRepetitions: return degree > 3 ? "several of its repetitions can match the same text" : nil
        case .backreference: return degree > 2 ? "it looks for the text of a group again" : nil
        case .notUnderstood: return nil
        }
    }
}

extension MatchCost {
    init(_ pattern: [UInt8], caseless: Bool) {
        do throws(NotUnderstood) {
            self.init(try PatternParser.parse(pattern, caseless: caseless))
        } catch {
            self.init(
                degree: Self.highestDegree + 1,
                factor: 1,
                cause: .notUnderstood(error),
                hasBackreference: true,
                longestStep: 64,
                closings: Self.writtenClosings(pattern),
                mayCloseNothing: true
            )
        }
    }

    init(_ pattern: PatternNode) {
        let shape = CostShape(pattern, next: ByteSet())
        let entries = shape.startsAtStart ? 0 : 1
        let degree = max(entries + shape.peak, entries + shape.raise, 1)
        self.init(
            degree: shape.isUnbounded ? Self.highestDegree + 1 : degree,
            factor: min(shape.ways * shape.work * Double(1 + shape.closings), 1e15),
            cause: Self.cause(of: shape),
            hasBackreference: shape.hasBackreference,
            longestStep: shape.longestStep,
            closings: shape.closings,
            mayCloseNothing: shape.mayCloseNothing
        )
    }

    /// The sum of the highest counts after brackets, where the analysis does not follow the syntax.
    private static func writtenClosings(_ pattern: [UInt8]) -> Int {
        var sum = 0
        for part in pattern.split(separator: UInt8(ascii: ")"), omittingEmptySubsequences: false).dropFirst()
        where part.first == UInt8(ascii: "{") {
            let counts = part.dropFirst().prefix { $0 != UInt8(ascii: "}") }
            guard let highest = counts.split(separator: UInt8(ascii: ",")).last else { continue }
            sum += min(Int(String(decoding: highest, as: UTF8.self)) ?? 0, 65_535)
        }
        return sum
    }

    private static func cause(of shape: CostShape) -> Cause {
        if shape.isUnbounded { return .nestedRepetition }
        if shape.hasBackreference { return .backreference }
        return shape.ways > 64 ? .optionalParts : .overlappingRepetitions
    }
}

extension PatternNode {
    /// The same without a text of any length at the end, which never fails, and with atomic repetitions written as possessive ones.
    var withoutRetries: PatternNode {
        guard case .sequence(let nodes) = self, nodes.last?.takesAnyCount == true else { return possessive }
        return PatternNode.sequence(nodes.dropLast()).possessive
    }

    private var takesAnyCount: Bool {
        switch self {
        case .capture(let inner, _): inner.takesAnyCount
        case .repeated(.set, minimum: 0, maximum: nil, _): true
        default: false
        }
    }

    private var possessive: PatternNode {
        guard case .atomic(.repeated(let inner, let minimum, let maximum, _)) = self else {
            return changingParts(\.possessive)
        }
        return .repeated(inner.possessive, minimum: minimum, maximum: maximum, .possessive)
    }
}
