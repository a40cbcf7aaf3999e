import Synchronization

/// Regular expressions by number, with the programs of those that were tried side by side in memory.
///
/// Matching touches neither an expression nor its reference count, for which threads would fight.
///
/// Why the unsafe code is sound: `programs` holds one initialized element for each expression and is freed once. The
/// addresses in it belong to `expressions`, which keeps them valid as long as this value, and a match is over before the
/// call that makes it returns.
@safe package struct ExpressionList: ~Copyable, @unchecked Sendable {
    package let expressions: [RegularExpression]
    private let programs: UnsafeMutablePointer<Atomic<UInt>>

    package init(_ expressions: [RegularExpression]) {
        self.expressions = expressions
        unsafe programs = .allocate(capacity: max(1, expressions.count))
        for index in expressions.indices { unsafe (programs + index).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe programs.deinitialize(count: expressions.count)
        unsafe programs.deallocate()
    }

    @inline(__always) package func match(_ index: Int, _ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: expressions.count), "index outside the list")
        if let program = unsafe MatchProgram(address: programs[index].load(ordering: .acquiring)) {
            return program.match(subject, scratch: scratch)
        }
        return firstMatch(index, subject, scratch: scratch)
    }

    @inline(never)
    private func firstMatch(_ index: Int, _ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        guard let program = expressions[index].program.program(for: expressions[index]) else {
            return scratch.fail(.limitExceeded(MatchOutcome.outOfMemory))
        }
        unsafe programs[index].store(program.address, ordering: .releasing)
        return program.match(subject, scratch: scratch)
    }
}
