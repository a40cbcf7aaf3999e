/// The program of one regular expression: a block of our own code, or a pattern compiled by PCRE2.
///
/// Why the unsafe code is sound: an address is only ever made by `native` or `compiled`, which mark by its lowest bit
/// what is there; both are aligned to more than one byte. The `LazyProgram` that made it keeps it until `free`, and
/// lives as long as its expression, which the caller of a match keeps.
@safe struct MatchProgram: BitwiseCopyable, Sendable {
    private static let nativeFlag: UInt = 1

    /// Never 0.
    let address: UInt

    /// The program at an address that `address` returned; nil for 0.
    @inline(__always) init?(address: UInt) {
        if address == 0 { return nil }
        self.address = address
    }

    private init(_ address: UInt) { self.address = address }

    /// Makes the program of an expression; nil for want of memory.
    static func make(for expression: RegularExpression) -> MatchProgram? {
        if expression.engine == .automatic,
            let parsed = try? PatternParser.parse(expression.pattern, caseless: expression.caseless),
            let steps = NativeSteps(parsed)
        {
            let block = unsafe NativeProgram.allocate(steps, captureCount: expression.captureCount)
            return MatchProgram(UInt(bitPattern: block) | nativeFlag)
        }
        guard let compiled = try? BoundedPattern(expression) else { return nil }
        let pattern = UnsafeMutablePointer<BoundedPattern>.allocate(capacity: 1)
        unsafe pattern.initialize(to: compiled)
        return MatchProgram(UInt(bitPattern: pattern))
    }

    /// Frees the program; no one may run it any more.
    func free() {
        if address & Self.nativeFlag != 0 {
            unsafe UnsafeMutableRawPointer(bitPattern: address & ~Self.nativeFlag)?.deallocate()
        } else if let pattern = unsafe UnsafeMutablePointer<BoundedPattern>(bitPattern: address) {
            unsafe pattern.deinitialize(count: 1)
            unsafe pattern.deallocate()
        }
    }

    /// Matches `subject`; the captures are left in `scratch`.
    @inline(__always) func match(_ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        guard subject.count <= Int(Int32.max) else { return scratch.fail(.limitExceeded(MatchOutcome.subjectTooLong)) }
        if address & Self.nativeFlag != 0 {
            guard let block = unsafe UnsafePointer<UInt8>(bitPattern: address & ~Self.nativeFlag) else {
                return .noMatch
            }
            return unsafe NativeProgram(block).match(subject, scratch: scratch)
        }
        guard let pattern = unsafe UnsafePointer<BoundedPattern>(bitPattern: address) else { return .noMatch }
        return unsafe pattern.pointee.match(subject, scratch: scratch)
    }
}
