import ShuntRules
import Synchronization

/// Evaluators that wait for work.
///
/// A pool never makes a caller wait: where none is free, a new one is made, and at most `limit` are kept.
final class EvaluatorPool: Sendable {
    private let program: Program
    private let options: EvaluationOptions
    private let free = Mutex<Waiting>(Waiting())
    private let limit = 64

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
    }

    func withEvaluator<Result>(_ body: (Evaluator) -> Result) -> Result {
        let taken = free.withLock { Lent($0.evaluators.popLast()) }.evaluator
        let evaluator = taken ?? Evaluator(program, options: options)
        let result = body(evaluator)
        let returned = Lent(evaluator)
        free.withLock { waiting in
            if waiting.evaluators.count < limit, let evaluator = returned.evaluator {
                waiting.evaluators.append(evaluator)
            }
        }
        return result
    }

    /// Carries an evaluator across the lock.
    private struct Lent: @unchecked Sendable {
        let evaluator: Evaluator?

        init(_ evaluator: Evaluator?) {
            self.evaluator = evaluator
        }
    }
}
