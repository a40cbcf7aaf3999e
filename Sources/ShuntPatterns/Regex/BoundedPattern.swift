import Synchronization

/// A pattern for matching whose time is bounded, whatever the subject.
///
/// Why the unsafe code is sound: `watched` is 0 or the address of one `WatchedPattern`, stored with release order once it
/// is complete, never replaced, and freed in `deinit`.
@safe struct BoundedPattern: ~Copyable, @unchecked Sendable {
    private let pattern: CompiledPattern
    private let cost: MatchCost
    private let source: [UInt8]
    private let caseless: Bool
    /// The same pattern with callouts, made when it is first needed.
    private let watched = Atomic<UInt>(0)

    /// Compiles an expression, which was accepted before: only want of memory is a reason to throw.
    init(_ expression: RegularExpression) throws(PatternError) {
        source = expression.pattern
        caseless = expression.caseless
        cost = MatchCost(source, caseless: caseless)
        pattern = try CompiledPattern(source, caseless: caseless, for: .matching)
    }

    deinit {
        guard let pattern = unsafe UnsafeMutablePointer<WatchedPattern>(bitPattern: watched.load(ordering: .acquiring))
        else { return }
        unsafe pattern.deinitialize(count: 1)
        unsafe pattern.deallocate()
    }

    /// Matches `subject`; the captures are left in `scratch`.
    @inline(__always) borrowing func match(_ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        cost.isLinear ? pattern.match(subject, scratch: scratch) : boundedMatch(subject, scratch)
    }

    @inline(never)
    private borrowing func boundedMatch(_ subject: Span<UInt8>, _ scratch: MatchScratch) -> MatchOutcome {
        if scratch.pay(cost.steps(subject.count)) { return pattern.match(subject, scratch: scratch) }
        var address = watched.load(ordering: .acquiring)
        if address == 0 { address = makeWatched() }
        guard let pattern = unsafe UnsafePointer<WatchedPattern>(bitPattern: address) else {
            return scratch.fail(.limitExceeded(MatchOutcome.outOfMemory))
        }
        return unsafe pattern.pointee.match(subject, scratch: scratch)
    }

    /// Makes the watched pattern; 0 where there is no memory.
    private borrowing func makeWatched() -> UInt {
        guard let compiled = try? WatchedPattern(source, caseless: caseless, cost: cost) else { return 0 }
        let pattern = UnsafeMutablePointer<WatchedPattern>.allocate(capacity: 1)
        unsafe pattern.initialize(to: compiled)
        let address = UInt(bitPattern: pattern)
        let result = watched.compareExchange(expected: 0, desired: address, ordering: .acquiringAndReleasing)
        if result.exchanged { return address }
        // Another thread was faster.
        unsafe pattern.deinitialize(count: 1)
        unsafe pattern.deallocate()
        return result.original
    }
}
