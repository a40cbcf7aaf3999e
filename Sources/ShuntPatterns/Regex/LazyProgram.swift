import Synchronization

/// The compiled form of one regular expression, made when it is first needed and shared from then on.
///
/// Threads that arrive meanwhile wait for the one that compiles; afterwards a match costs one load. The machine code is
/// made before anybody can see the program, because PCRE2 may not change a program that others run.
///
/// Why the unsafe code is sound: `address` is 0 or the address of a `CompiledPattern` that was allocated and
/// initialized here, published with release order after that, never replaced, and freed in `deinit`, when nobody
/// matches any more.
@safe
struct LazyProgram: ~Copyable, Sendable {
    private let address = Atomic<UInt>(0)
    private let lock = Mutex<Void>(())

    init() {}

    deinit {
        let address = self.address.load(ordering: .acquiring)
        guard let program = unsafe UnsafeMutablePointer<CompiledPattern>(bitPattern: address) else { return }
        unsafe program.deinitialize(count: 1)
        unsafe program.deallocate()
    }

    /// Matches `subject` with the program of `expression`.
    @inline(__always)
    borrowing func match(
        _ subject: Span<UInt8>,
        of expression: RegularExpression,
        scratch: MatchScratch
    ) -> MatchOutcome {
        var address = self.address.load(ordering: .acquiring)
        if address == 0 { address = make(for: expression) }
        guard let program = unsafe UnsafePointer<CompiledPattern>(bitPattern: address) else {
            scratch.set(groups: 0)
            return .limitExceeded(MatchOutcome.outOfMemory)
        }
        return unsafe program.pointee.match(subject, scratch: scratch)
    }

    /// Compiles on the first match.
    ///
    /// The pattern was accepted before, so only want of memory can make this fail, and
    /// then it is tried again next time.
    @inline(never)
    private borrowing func make(for expression: RegularExpression) -> UInt {
        lock.withLock { _ in
            let existing = address.load(ordering: .acquiring)
            guard existing == 0,
                var compiled = try? CompiledPattern(expression.pattern, caseless: expression.caseless)
            else { return existing }
            compiled.makeMachineCode()
            let program = UnsafeMutablePointer<CompiledPattern>.allocate(capacity: 1)
            unsafe program.initialize(to: compiled)
            let made = UInt(bitPattern: program)
            address.store(made, ordering: .releasing)
            return made
        }
    }
}
