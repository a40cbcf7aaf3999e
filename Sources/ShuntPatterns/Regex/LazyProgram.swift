import Synchronization

/// The compiled form of one regular expression, made when it is first needed and shared from then on.
///
/// Threads that arrive meanwhile wait for the one that compiles; afterwards a match costs one load. The machine code is
/// made before anybody can see the program, because PCRE2 may not change a program that others run.
///
/// Why the unsafe code is sound: `address` is 0 or the address of a `CompiledPattern` or of a `NativeProgram`'s block
/// that was allocated and initialized here, published with release order after that, never replaced, and freed in `deinit`, when nobody
/// matches any more.
@safe
struct LazyProgram: ~Copyable, Sendable {
    /// Set in the address of a `NativeProgram`'s block; both kinds are aligned, so the bit is free.
    private static let nativeFlag: UInt = 1

    private let address = Atomic<UInt>(0)
    private let lock = Mutex<Void>(())

    init() {}

    deinit {
        let address = self.address.load(ordering: .acquiring)
        if address & Self.nativeFlag != 0 {
            unsafe UnsafeMutableRawPointer(bitPattern: address & ~Self.nativeFlag)?.deallocate()
            return
        }
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
        if address & Self.nativeFlag != 0,
            let block = unsafe UnsafePointer<UInt8>(bitPattern: address & ~Self.nativeFlag)
        {
            return unsafe NativeProgram(block).match(subject, scratch: scratch)
        }
        guard let program = unsafe UnsafePointer<CompiledPattern>(bitPattern: address) else {
            scratch.set(groups: 0)
            return .limitExceeded(MatchOutcome.outOfMemory)
        }
        scratch.use(expression.limits)
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
            guard existing == 0 else { return existing }
            if let native = Self.makeNative(for: expression) {
                address.store(native, ordering: .releasing)
                return native
            }
            guard
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

    /// The marked address of a new native program; nil when the pattern has none.
    private static func makeNative(for expression: RegularExpression) -> UInt? {
        guard expression.engine == .automatic,
            let parsed = try? PatternParser.parse(expression.pattern, caseless: expression.caseless),
            let steps = NativeSteps(parsed)
        else { return nil }
        let block = unsafe NativeProgram.allocate(steps, captureCount: expression.captureCount)
        return UInt(bitPattern: block) | nativeFlag
    }
}
