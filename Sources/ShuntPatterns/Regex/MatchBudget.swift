import CPCRE2

/// The steps left for the matches of one evaluation.
///
/// PCRE2's own limit counts some of its steps only, and those of each start separately; it bounds no time. So an
/// expression whose work may grow faster than its subject is matched in one of two ways: without being watched, as long
/// as even the worst that its subject can cause is within `unwatched`; else with callouts, which count each step and the
/// bytes it went over. Counting is the same on every machine, which a clock is not.
struct MatchBudget: BitwiseCopyable {
    /// The steps that watched matches may still take; below 0 once that was not enough.
    private(set) var watched = 0
    /// The steps, at worst, that matches may still take without being watched.
    private(set) var unwatched = 0

    /// The steps that all matches of an evaluation may take together.
    private(set) var steps = 0
    /// The part of the work that need not be watched.
    private var unwatchedSteps = 0

    /// The place where the last step of the current match was.
    private var position = 0
    /// The price of each step of the current match, in addition to its bytes.
    private var price = 0
    /// The most brackets of the current pattern that can close in a row after a place, before the next step: at most
    /// one for each byte before it.
    private var closings = 0
    /// True if the current pattern compares with what its groups captured.
    private var compares = false

    /// A step of machine code takes about 8 ns; a byte half of one.
    private static let machineCodePrice = 8
    private static let interpreterPrice = 16

    /// Sets the steps of each evaluation, and begins a new one.
    mutating func limit(steps: Int, unwatched: Int) {
        self.steps = steps
        unwatchedSteps = unwatched
        renew()
    }

    /// Makes the budget of a new evaluation.
    mutating func renew() {
        watched = steps
        unwatched = unwatchedSteps
    }

    /// Pays for a match that takes `steps` at worst and is not watched; false where that is too much.
    mutating func pay(_ steps: Double) -> Bool {
        guard steps <= Double(unwatched) else { return false }
        unwatched -= Int(steps)
        return true
    }

    /// Prepares for a match that is watched; false when nothing is left.
    mutating func watch(_ cost: MatchCost, inMachineCode: Bool) -> Bool {
        position = 0
        price = (inMachineCode ? Self.machineCodePrice : Self.interpreterPrice) + cost.longestStep / 2
        closings = cost.closings
        // A group that matches nothing is closed as often as it may be, wherever it is.
        if cost.mayCloseNothing {
            price += closings
            closings = 0
        }
        compares = cost.hasBackreference
        return watched >= 0
    }

    /// Pays for steps other than those of a match; false when none are left.
    mutating func spend(_ steps: Int) -> Bool {
        if watched >= 0 { watched -= steps }
        return watched >= 0
    }

    /// The function that PCRE2 calls before each step.
    ///
    /// Why the unsafe code is sound: PCRE2 passes the block of the match that is under way and the address that was
    /// registered with the context: a `MatchBudget` that the scratch owns, which no one else uses during a match.
    static let callout:
        @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32 = {
            block,
            address in
            guard let block = unsafe block, let address = unsafe address else { return 0 }
            let budget = unsafe address.assumingMemoryBound(to: MatchBudget.self)
            let position = unsafe block.pointee.current_position
            var cost = unsafe budget.pointee.price &+ abs(position &- budget.pointee.position) / 2
            unsafe budget.pointee.position = position
            unsafe cost &+= min(budget.pointee.closings, position)
            if unsafe budget.pointee.compares { cost &+= unsafe longestCapture(block) / 2 }
            unsafe budget.pointee.watched &-= cost
            return unsafe budget.pointee.watched < 0 ? PCRE2_ERROR_CALLOUT : 0
        }

    /// The bytes of the longest group that was captured so far.
    @unsafe private static func longestCapture(_ block: UnsafeMutablePointer<pcre2_callout_block_8>) -> Int {
        let count = unsafe Int(block.pointee.capture_top)
        guard count > 1, let offsets = unsafe block.pointee.offset_vector else { return 0 }
        var longest = 0
        for group in 1..<count {
            // A group that was not captured has -1 twice.
            longest = unsafe max(longest, offsets[2 &* group &+ 1] &- offsets[2 &* group])
        }
        return longest
    }
}
