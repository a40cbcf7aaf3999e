import CPCRE2
package import ShuntCore

/// The memory that matching needs, reused from one match to the next: captures, PCRE2's working space, the JIT's stack.
///
/// Not thread safe: a scratch belongs to one evaluation at a time. It holds about 3 KiB, and up to 512 KiB more when a
/// pattern needs the JIT's stack.
///
/// Why the unsafe code is sound: the four PCRE2 objects and the offset vector are made in `init`, never replaced, and
/// freed once in `deinit`, the stack after the context that refers to it. `offsets` points into `matchData` and has room
/// for `RegularExpression.maximumCaptures + 1` pairs; every index is checked against `setGroups`, which never exceeds
/// that.
@safe
package final class MatchScratch {
    private static let stackStartSize = 32 * 1024
    private static let stackMaximumSize = 512 * 1024

    let matchData: OpaquePointer?
    let context: OpaquePointer?
    private let stack: OpaquePointer?
    /// Start and end of each group; `Int.max`-like "unset" values where a group took no part.
    let offsets: UnsafeMutablePointer<Int>?

    /// The patterns that an index is about to try.
    let candidates = CandidateQueue()

    /// The limits that `context` has at the moment.
    private var limits: MatchLimits

    /// One more than the highest group that took part in the last match; 0 when there was none.
    private var setGroups: Int = 0

    /// Makes a scratch that serves any pattern.
    package init() {
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
        self.limits = .standard
        if unsafe context != nil {
            unsafe pcre2_jit_stack_assign_8(context, nil, stack.map { unsafe UnsafeMutableRawPointer($0) })
        }
        apply(.standard)
    }

    deinit {
        unsafe pcre2_match_data_free_8(matchData)
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_jit_stack_free_8(stack)
    }

    /// Makes `newLimits` the limits of the next match.
    @inline(__always)
    func use(_ newLimits: MatchLimits) {
        if newLimits != limits { apply(newLimits) }
    }

    private func apply(_ newLimits: MatchLimits) {
        limits = newLimits
        guard unsafe context != nil else { return }
        _ = unsafe pcre2_set_match_limit_8(context, newLimits.steps)
        _ = unsafe pcre2_set_depth_limit_8(context, newLimits.depth)
        _ = unsafe pcre2_set_heap_limit_8(context, newLimits.heapKibibytes)
    }

    /// Records that groups `0..<groups` may be read from the offset vector.
    @inline(__always)
    func set(groups: Int) {
        setGroups = min(groups, RegularExpression.maximumCaptures + 1)
    }

    /// Records that there are no captures, and returns `outcome`.
    @inline(__always)
    func fail(_ outcome: MatchOutcome) -> MatchOutcome {
        setGroups = 0
        return outcome
    }

    /// The number of groups up to the last one that took part in the last match, not counting group 0.
    package var captureCount: Int { max(0, setGroups - 1) }

    /// What `group` captured in the last match, relative to its subject; nil when it took no part.
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
