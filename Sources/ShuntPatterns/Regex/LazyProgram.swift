import Synchronization

/// The program of one regular expression, made when it is first needed and shared from then on.
///
/// Threads that arrive meanwhile wait for the thread that makes it; afterwards a match costs one load. Machine code is
/// made before anybody can see the program, because PCRE2 may not change a program that others run.
struct LazyProgram: ~Copyable, Sendable {
    /// The address of a `MatchProgram`, stored with release order once it is complete and never replaced; 0 before.
    private let address = Atomic<UInt>(0)
    private let lock = Mutex<Void>(())

    init() {}

    deinit { MatchProgram(address: address.load(ordering: .acquiring))?.free() }

    /// The program, made for `expression` if need be; nil when there is no memory for it.
    @inline(__always) borrowing func program(for expression: RegularExpression) -> MatchProgram? {
        MatchProgram(address: address.load(ordering: .acquiring)) ?? make(for: expression)
    }

    /// Makes the program.
    ///
    /// The pattern was accepted before, so only want of memory can make this fail, and then it is tried again next time.
    @inline(never) private borrowing func make(for expression: RegularExpression) -> MatchProgram? {
        lock.withLock { _ in
            if let existing = MatchProgram(address: address.load(ordering: .acquiring)) { return existing }
            guard let program = MatchProgram.make(for: expression) else { return nil }
            address.store(program.address, ordering: .releasing)
            return program
        }
    }
}
