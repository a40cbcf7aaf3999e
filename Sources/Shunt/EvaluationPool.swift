import CMemory
import ShuntRules
import Synchronization

/// Evaluations that wait for work, of all engines: their memory is large, and an engine may be one of thousands.
///
/// Each thread mostly finds the evaluation that it used last in a separate place, which costs one exchange. Where
/// another thread uses the same place, there is a list after a lock, and where that is empty, a new one is made: no one
/// ever waits for a decision. One that another engine had passes its memory to a new one. An engine that goes away
/// takes those with it that it had last, so that nothing keeps its rules.
@safe
final class EvaluationPool: Sendable {
    static let shared = EvaluationPool()

    /// The address of the evaluation that waits in each place, or 0.
    ///
    /// Sound: a thread that puts an address in releases the evaluation, and a thread that takes it out, which one
    /// thread only can do, owns it.
    private let places: InlineArray<128, Atomic<UInt>>
    /// The addresses of the evaluations for which there was no place.
    private let others = Mutex<[UInt]>([])
    private let limit = 64

    /// Only every eighth place is used, so that no two share a cache line.
    private static let stride = 8
    private static let count = 16

    private init() { places = InlineArray { _ in Atomic(0) } }

    /// An evaluation by a plan for the caller alone, who returns it.
    @inline(__always)
    func take(_ plan: EvaluationPlan) -> BorrowedEvaluation {
        let place = Self.place()
        let borrowed = BorrowedEvaluation(address: places[place].exchange(0, ordering: .acquiring), place: place)
        if borrowed.address != 0, borrowed.isBy(plan) { return borrowed }
        return renewed(borrowed, by: plan)
    }

    /// Takes an evaluation back that no one uses any more.
    @inline(__always)
    func giveBack(_ borrowed: BorrowedEvaluation) {
        let isFree = places[borrowed.place]
            .compareExchange(expected: 0, desired: borrowed.address, ordering: .releasing).exchanged
        if !isFree { keep(borrowed.address) }
    }

    /// The place of the running thread.
    private static func place() -> Int {
        let spread = UInt64(thread_number()) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: spread &>> 60) &* stride
    }

    /// An evaluation by a plan in the memory of one by another plan, or of one from the list; a new one where there is neither.
    @inline(never)
    private func renewed(_ old: BorrowedEvaluation, by plan: EvaluationPlan) -> BorrowedEvaluation {
        let address = old.address != 0 ? old.address : others.withLock { $0.popLast() } ?? 0
        guard address != 0 else {
            let pointer = UnsafeMutablePointer<PooledEvaluation>.allocate(capacity: 1)
            unsafe pointer.initialize(to: PooledEvaluation(evaluation: Evaluation(plan), plan: plan))
            return BorrowedEvaluation(address: UInt(bitPattern: pointer), place: old.place)
        }
        let borrowed = BorrowedEvaluation(address: address, place: old.place)
        if !borrowed.isBy(plan) { borrowed.renew(plan) }
        return borrowed
    }

    /// Keeps an evaluation whose place was taken meanwhile.
    @inline(never)
    private func keep(_ address: UInt) {
        let isKept = others.withLock { waiting in
            guard waiting.count < limit else { return false }
            waiting.append(address)
            return true
        }
        if !isKept { Self.free(address) }
    }

    /// Frees the evaluations by plans that no one uses any more.
    ///
    /// One at a time looks, for it would not see what another one has in its hands.
    func free(by plans: EvaluationPlan...) {
        others.withLock { waiting in
            for place in 0..<Self.count {
                let address = places[place &* Self.stride].exchange(0, ordering: .acquiring)
                if address != 0 { waiting.append(address) }
            }
            waiting.removeAll { address in
                let borrowed = BorrowedEvaluation(address: address, place: 0)
                guard plans.contains(where: borrowed.isBy) else { return false }
                Self.free(address)
                return true
            }
        }
    }

    /// Frees the evaluation at an address that `renewed` returned, which no one uses any more.
    private static func free(_ address: UInt) {
        guard let pointer = unsafe UnsafeMutablePointer<PooledEvaluation>(bitPattern: address) else { return }
        unsafe pointer.deinitialize(count: 1)
        unsafe pointer.deallocate()
    }
}

/// An evaluation and its plan, which it keeps alive: a plan is known by where it is.
///
/// The evaluation is the first member, so that its address is that of the whole.
private struct PooledEvaluation: ~Copyable {
    var evaluation: Evaluation
    let plan: EvaluationPlan
}

/// An evaluation that was taken out of a pool.
///
/// Sound: the thread that has taken the address out of its place, which one thread only can do, is the only one who
/// has it, until it is returned; who has taken it uses it from one thread, and not afterwards.
@safe
@usableFromInline
struct BorrowedEvaluation: Sendable {
    @usableFromInline let address: UInt
    fileprivate let place: Int

    /// The place where the evaluation is.
    @unsafe
    private var pointer: UnsafeMutablePointer<PooledEvaluation> {
        @inline(__always)
        get { unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped }
    }

    /// Makes the evaluation one by another plan.
    fileprivate func renew(_ plan: EvaluationPlan) {
        let old = unsafe pointer.move()
        unsafe pointer.initialize(
            to: PooledEvaluation(evaluation: Evaluation(plan, inMemoryOf: old.evaluation), plan: plan)
        )
    }

    /// Returns true if the evaluation is by a plan.
    @inline(__always)
    fileprivate func isBy(_ plan: EvaluationPlan) -> Bool { unsafe pointer.pointee.plan === plan }

    /// Does something with the evaluation.
    @inline(__always)
    func with<Result>(_ body: (inout Evaluation) -> Result) -> Result {
        unsafe body(&pointer.pointee.evaluation)
    }
}
