/// A regular expression in PCRE2's syntax that matches bytes.
///
/// It means what it means in nginx: no UTF mode unless the pattern asks for it, ASCII classes and case folding, not
/// anchored, `.` does not match LF, `$` also matches before one final LF.
///
/// Thread safe and immutable. Reading a pattern finds every error in it: PCRE2 compiles it, unless it is so plain that it
/// is right without a doubt, which takes about 1 µs to see. What was compiled is dropped: until its first match an
/// expression is its text. The first match makes a program, either PCRE2's with machine code or, for a pattern that never
/// needs to backtrack, a few bytes for our own matcher.
public final class RegularExpression: Sendable {
    /// The most capturing groups a pattern may have.
    public static let maximumCaptures = 100

    /// The most bytes a pattern may have.
    public static let maximumLength = 16 * 1024

    /// The pattern as it was given.
    public let pattern: [UInt8]
    /// True if letters match without regard to case (ASCII only).
    public let caseless: Bool
    /// The number of capturing groups.
    public let captureCount: Int
    /// The named groups with their numbers, in the order of the numbers.
    public let captureNames: [(name: [UInt8], number: Int)]

    /// The engine that matches an expression; the answer is the same.
    package enum Engine: Sendable, Hashable {
        /// PCRE2, or our own matcher for the patterns it can do.
        case automatic
        /// PCRE2: the reference.
        case pcre2
    }

    let engine: Engine
    let program = LazyProgram()

    /// Reads a pattern.
    ///
    /// - Parameters:
    ///   - pattern: the expression, of at most `maximumLength` bytes.
    ///   - caseless: whether letters match without regard to case.
    /// - Throws: `PatternError` for a syntax error, a pattern that is too long, more than `maximumCaptures` groups, and
    ///   a name given to two groups.
    public convenience init(_ pattern: [UInt8], caseless: Bool) throws(PatternError) {
        try self.init(pattern, caseless: caseless, engine: .automatic)
    }

    /// Reads a pattern that is matched by `engine`; otherwise like the public initializer.
    package init(_ pattern: [UInt8], caseless: Bool, engine: Engine) throws(PatternError) {
        guard pattern.count <= Self.maximumLength else {
            let message = "regular expression is longer than \(Self.maximumLength) bytes"
            throw PatternError(message: message, offset: Self.maximumLength)
        }
        let count: Int
        var names: [(name: [UInt8], number: Int)] = []
        if let plain = PlainPattern.captureCount(of: pattern) {
            count = plain
        } else {
            let compiled = try CompiledPattern(pattern, caseless: caseless, for: .checking)
            count = compiled.captureCount
            names = compiled.names
        }
        guard count <= Self.maximumCaptures else {
            let message =
                "regular expression has \(count) capturing groups; at most \(Self.maximumCaptures) are allowed"
            throw PatternError(message: message, offset: pattern.count)
        }
        for (first, second) in zip(names, names.dropFirst()) where first.name == second.name {
            let name = String(decoding: first.name, as: UTF8.self)
            throw PatternError(message: "two groups are named \"\(name)\"", offset: pattern.count)
        }
        self.pattern = pattern
        self.caseless = caseless
        self.engine = engine
        self.captureCount = count
        names.sort { $0.number < $1.number }
        self.captureNames = names
    }

    /// The reason why a long subject may reach a limit; nil where only subjects that are longer than most do.
    ///
    /// Takes about as long as reading the pattern where it repeats two things or more, and next to nothing elsewhere.
    package var slowness: String? {
        var repetitions = 0
        for byte in pattern {
            switch byte {
            case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"): repetitions += 1
            default: continue
            }
        }
        guard repetitions > 1, let node = try? PatternParser.parse(pattern, caseless: caseless) else { return nil }
        return MatchCost(node.withoutRetries).advice
    }

    /// Matches `subject`.
    ///
    /// After `.matched` the captures are in `scratch`, as offsets into `subject`.
    package func match(_ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        guard let program = program.program(for: self) else {
            return scratch.fail(.limitExceeded(MatchOutcome.outOfMemory))
        }
        return program.match(subject, scratch: scratch)
    }
}
