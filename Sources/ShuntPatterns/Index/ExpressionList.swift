/// Regular expressions by number, matched without touching their reference counts, which threads would fight over.
///
/// Why the unsafe code is sound: the references in `unmanaged` are those of `expressions`, which keeps them alive as
/// long as this value, and a match is over before the call that makes it returns.
@safe
struct ExpressionList: ~Copyable, Sendable {
    let expressions: [RegularExpression]
    private let unmanaged: FrozenBuffer<UInt>

    init(_ expressions: [RegularExpression]) {
        self.expressions = expressions
        unmanaged = FrozenBuffer(expressions.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) })
    }

    /// Matches `subject` with expression `index`.
    @inline(__always)
    func match(_ index: Int, _ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        guard let address = unsafe UnsafeRawPointer(bitPattern: unmanaged[index]) else { return .noMatch }
        return unsafe Unmanaged<RegularExpression>.fromOpaque(address)
            ._withUnsafeGuaranteedRef {
                $0.match(subject, scratch: scratch)
            }
    }
}
