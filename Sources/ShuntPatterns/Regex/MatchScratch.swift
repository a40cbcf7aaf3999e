import CPCRE2
package import ShuntCore

/// The memory that matching needs, reused from one match to the next: captures, PCRE2's working space, the JIT's stack.
///
/// Not thread safe: a scratch belongs to one evaluation at a time. It holds about 3 KiB, and up to 512 KiB more when a
/// pattern needs the JIT's stack.
///
/// Why the unsafe code is sound: the four PCRE2 objects, the budget and the offset vector are made in `init`, never
/// replaced, and freed once in `deinit`, the stack and the budget after the context that refers to them. `offsets` points into `matchData` and has room
/// for `RegularExpression.maximumCaptures + 1` pairs; every index is checked against `setGroups`, which never exceeds
/// that.
@safe package final class MatchScratch {
    private static let stackStartSize = 32 * 1024
    private static let stackMaximumSize = 512 * 1024

    let matchData: OpaquePointer?
    let context: OpaquePointer?
    private let stack: OpaquePointer?
    /// Start and end of each group; `Int.max`-like "unset" values where a group took no part.
    let offsets: UnsafeMutablePointer<Int>?

    /// The patterns that an index is about to try.
    let candidates = CandidateQueue()

    /// The steps left for the matches of the current evaluation.
    private let budget: UnsafeMutablePointer<MatchBudget>

    /// One more than the highest group that took part in the last match; 0 when there was none.
    private var setGroups: Int = 0

    /// The steps that the matches of an evaluation may take unless something else is set: about 10 ms.
    package static let standardSteps = 8_000_000

    /// PCRE2's own limits, which only stop what the budget does not count; nginx has the same one for matches.
    private static let matchLimit: UInt32 = 10_000_000
    private static let heapKibibytes: UInt32 = 4096

    /// Makes a scratch that serves any pattern.
    ///
    /// - Parameters:
    ///   - steps: What the matches between two calls of `renew` may cost, in steps of about 1 ns; only expressions whose
    ///     work may grow faster than their subject count.
    ///   - unwatchedSteps: The highest cost of expressions whose steps are not counted, which is faster; a quarter of
    ///     `steps` by default.
    package init(steps: Int = MatchScratch.standardSteps, unwatchedSteps: Int? = nil) {
        unsafe budget = .allocate(capacity: 1)
        unsafe budget.initialize(to: MatchBudget())
        let data = unsafe pcre2_match_data_create_8(UInt32(RegularExpression.maximumCaptures + 1), nil)
        let context = unsafe pcre2_match_context_create_8(nil)
        let stack = unsafe pcre2_jit_stack_create_8(Self.stackStartSize, Self.stackMaximumSize, nil)
        unsafe self.matchData = data
        unsafe self.context = context
        unsafe self.stack = stack
        if let data = unsafe data, let vector = unsafe pcre2_get_ovector_pointer_8(data) {
            unsafe self.offsets = UnsafeMutableRawPointer(vector).assumingMemoryBound(to: Int.self)
        } else {
            unsafe self.offsets = nil
        }
        if unsafe context != nil {
            unsafe pcre2_jit_stack_assign_8(context, nil, stack.map { unsafe UnsafeMutableRawPointer($0) })
            _ = unsafe pcre2_set_match_limit_8(context, Self.matchLimit)
            _ = unsafe pcre2_set_heap_limit_8(context, Self.heapKibibytes)
            _ = unsafe pcre2_set_callout_8(context, MatchBudget.callout, UnsafeMutableRawPointer(budget))
        }
        limit(steps: steps, unwatchedSteps: unwatchedSteps)
    }

    deinit {
        unsafe pcre2_match_data_free_8(matchData)
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_jit_stack_free_8(stack)
        unsafe budget.deallocate()
    }

    /// Limits what matches may cost, as `init` does, and begins a new evaluation.
    package func limit(steps: Int, unwatchedSteps: Int? = nil) {
        unsafe budget.pointee.limit(steps: steps, unwatched: unwatchedSteps ?? steps / 4)
    }

    /// Begins a new evaluation, whose matches have all their steps before them.
    @inline(__always) package func renew() { unsafe budget.pointee.renew() }

    /// Pays for a match that takes `worst` steps at most and is not watched; false where that is too much.
    func pay(_ worst: Double) -> Bool { unsafe budget.pointee.pay(worst) }

    /// Pays for steps other than those of a match; false when none are left.
    func spend(_ steps: Int) -> Bool { unsafe budget.pointee.spend(steps) }

    /// Prepares for a match that is watched; false when no steps are left.
    func watch(_ cost: MatchCost, inMachineCode: Bool) -> Bool {
        unsafe budget.pointee.watch(cost, inMachineCode: inMachineCode)
    }

    /// The steps that watched matches took since `renew`; more than there were once they did not do.
    package var watchedSteps: Int { unsafe budget.pointee.steps - budget.pointee.watched }

    /// Records that groups `0..<groups` may be read from the offset vector.
    @inline(__always) func set(groups: Int) { setGroups = min(groups, RegularExpression.maximumCaptures + 1) }

    /// Records that there are no captures, and returns `outcome`.
    @inline(__always) func fail(_ outcome: MatchOutcome) -> MatchOutcome {
        setGroups = 0
        return outcome
    }

    /// The number of groups up to the last one that took part in the last match, not counting group 0.
    package var captureCount: Int { max(0, setGroups - 1) }

    /// Copies what the groups of the last match captured, moved by `offset`, as far as there is room; empty for a group that
    /// took no part.
    ///
    /// - Returns: One more than the number of the last group that was copied; 1 where there is none.
    package func copyCaptures<let count: Int>(to captures: inout InlineArray<count, ByteRange>, movedBy offset: Int32)
        -> Int
    {
        guard let offsets = unsafe offsets else { return 1 }
        let end = min(setGroups, count)
        var group = 1
        while group < end {
            let start = unsafe offsets[group &* 2]
            let stop = unsafe offsets[group &* 2 &+ 1]
            // An unset group has the offset ~0, which is -1 here.
            captures[group] = start >= 0 && stop >= start ? ByteRange(start, stop).moved(by: offset) : .empty
            group &+= 1
        }
        return max(1, end)
    }

    /// Returns the capture of `group` in the last match, relative to its subject; nil if it took no part.
    ///
    /// Group 0 is the whole match.
    package func capture(_ group: Int) -> ByteRange? {
        guard group >= 0, group < setGroups, let offsets = unsafe offsets else { return nil }
        let start = unsafe offsets[group &* 2]
        let end = unsafe offsets[group &* 2 &+ 1]
        // An unset group has the offset ~0, which is -1 here.
        guard start >= 0, end >= start else { return nil }
        return ByteRange(start, end)
    }
}
