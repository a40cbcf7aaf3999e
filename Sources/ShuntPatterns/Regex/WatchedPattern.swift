/// A pattern for matches that are watched, because they may take long.
struct WatchedPattern: ~Copyable, Sendable {
    private let pattern: CompiledPattern
    private let literals: RequiredLiterals
    private let cost: MatchCost

    /// Compiles a pattern, which was accepted before: only want of memory is a reason to throw.
    init(_ pattern: [UInt8], caseless: Bool, cost: MatchCost) throws(PatternError) {
        self.cost = cost
        literals = RequiredLiterals(pattern, caseless: caseless)
        self.pattern = try CompiledPattern(pattern, caseless: caseless, for: .watchedMatching)
    }

    /// Matches `subject` with the steps that are left; the captures are left in `scratch`.
    borrowing func match(_ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        let isPaid = scratch.spend(subject.count * literals.count / 2)
        guard isPaid, scratch.watch(cost, inMachineCode: pattern.runsMachineCode) else {
            return scratch.fail(.limitExceeded(MatchOutcome.stepLimit))
        }
        guard literals.mayMatch(subject) else { return scratch.fail(.noMatch) }
        return pattern.match(subject, scratch: scratch)
    }
}
