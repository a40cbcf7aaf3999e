package import ShuntRules

/// A decision that waits where the engine made it, for a thread that reads it.
///
/// Its evaluation is in use until it is freed.
package final class HeldDecision: Sendable {
    private let engine: Engine
    private let borrowed: BorrowedEvaluation

    init(_ borrowed: BorrowedEvaluation, of engine: Engine) {
        self.borrowed = borrowed
        self.engine = engine
    }

    deinit {
        engine.giveBack(borrowed)
    }

    package func withView<Result>(_ body: (borrowing DecisionView) -> Result) -> Result {
        // Sound: the evaluation is no one else's until it is returned, and is only read meanwhile.
        body(unsafe DecisionView(at: UnsafeRawPointer(bitPattern: borrowed.address).unsafelyUnwrapped))
    }
}
