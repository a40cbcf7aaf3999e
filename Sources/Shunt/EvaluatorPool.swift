import Glibc
import ShuntRules
import Synchronization

/// Evaluators that wait for work.
///
/// Each thread mostly finds the evaluator that it used last in a place of its own, which costs one exchange. Where another
/// thread uses the same place, there is a list behind a lock, and where that is empty, a new evaluator is made: nobody
/// ever waits for a decision.
@safe
final class EvaluatorPool: Sendable {
    private let program: Program
    private let options: EvaluationOptions
    /// The address of the evaluator that waits in each place, or 0.
    ///
    /// Sound: whoever puts an address in gives a retained reference away, and whoever takes it out, which one thread only
    /// can do, owns that reference.
    private let places: InlineArray<128, Atomic<UInt>>
    /// The evaluators for which there was no place.
    private let others = Mutex<Waiting>(Waiting())
    private let limit = 64

    /// Only every eighth place is used, so that no two share a cache line.
    private static let stride = 8
    private static let count = 16

    /// The evaluators that nobody uses.
    ///
    /// Each is used by the one caller that took it out of the list, so that handing them between threads is sound
    /// although they are not `Sendable`.
    private struct Waiting: @unchecked Sendable {
        var evaluators: [Evaluator] = []
    }

    init(program: Program, options: EvaluationOptions) {
        self.program = program
        self.options = options
        places = InlineArray { _ in Atomic(0) }
    }

    deinit {
        for place in 0..<Self.count {
            let address = places[place &* Self.stride].exchange(0, ordering: .acquiring)
            if let pointer = unsafe UnsafeRawPointer(bitPattern: address) {
                unsafe Unmanaged<Evaluator>.fromOpaque(pointer).release()
            }
        }
    }

    /// An evaluator for the caller alone, who gives it back.
    @inline(__always)
    func take() -> LentEvaluator {
        let place = Self.place()
        let address = places[place].exchange(0, ordering: .acquiring)
        return LentEvaluator(address: address == 0 ? another() : address, place: place)
    }

    /// Takes an evaluator back that nobody uses any more.
    @inline(__always)
    func giveBack(_ lent: LentEvaluator) {
        let isFree = places[lent.place]
            .compareExchange(expected: 0, desired: lent.address, ordering: .releasing).exchanged
        if !isFree { keep(lent.address) }
    }

    /// The place of the running thread.
    private static func place() -> Int {
        let spread = UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: spread &>> 60) &* stride
    }

    /// The address of an evaluator from the list, or of a new one.
    @inline(never)
    private func another() -> UInt {
        let evaluator = others.withLock { Lent($0.evaluators.popLast()) }.evaluator
        return unsafe UInt(
            bitPattern: Unmanaged.passRetained(evaluator ?? Evaluator(program, options: options)).toOpaque()
        )
    }

    /// Keeps an evaluator whose place was taken meanwhile.
    @inline(never)
    private func keep(_ address: UInt) {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
        let lent = Lent(unsafe Unmanaged<Evaluator>.fromOpaque(pointer).takeRetainedValue())
        others.withLock { waiting in
            if waiting.evaluators.count < limit, let evaluator = lent.evaluator {
                waiting.evaluators.append(evaluator)
            }
        }
    }

    /// Carries an evaluator across the lock.
    private struct Lent: @unchecked Sendable {
        let evaluator: Evaluator?

        init(_ evaluator: Evaluator?) {
            self.evaluator = evaluator
        }
    }
}

/// An evaluator that was taken out of a pool.
///
/// Sound: the reference that came with the address is held until the evaluator is given back, so none has to be counted
/// on the way; who has taken it uses it from one thread, and not afterwards.
@safe
struct LentEvaluator {
    fileprivate let address: UInt
    fileprivate let place: Int

    /// The evaluator, not counted.
    @unsafe
    var reference: Unmanaged<Evaluator> {
        @inline(__always)
        get { unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped) }
    }

    /// Does something with the evaluator.
    @inline(__always)
    func with<Result>(_ body: (Evaluator) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef(body)
    }
}
