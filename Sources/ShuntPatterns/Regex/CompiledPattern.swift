import CPCRE2

/// A pattern as PCRE2 compiled it.
///
/// All calls that compile or run a pattern are in this file.
///
/// Why the unsafe code is sound: `code` comes from `pcre2_compile`, is owned by this value and freed once. PCRE2 only
/// reads it while matching; the one call that changes it, `pcre2_jit_compile`, is made in `init`.
/// The compile context is never freed and, once made, only read. Subjects are passed as pointer and length of one buffer
/// that lives for the whole call.
@safe struct CompiledPattern: ~Copyable, @unchecked Sendable {
    /// Carries the pointer to a context that no one changes.
    @safe private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private let code: OpaquePointer
    /// True if machine code exists and may be called without PCRE2's own checks.
    ///
    /// A pattern that switches UTF on must go the long way, because its subject has to be validated.
    private(set) var runsMachineCode = false

    /// Patterns whose byte code is larger than this many bytes are interpreted: their machine code would take
    /// milliseconds to make and hundreds of KiB to keep.
    static let largestMachineCodeSource = 16 * 1024

    enum Purpose {
        /// To find its errors, groups and names.
        case checking
        case matching
        /// For matching with a callout before each step.
        case watchedMatching

        fileprivate var options: UInt32 {
            switch self {
            // These speed up matches.
            case .checking: UInt32(PCRE2_NO_AUTO_POSSESS) | UInt32(PCRE2_NO_START_OPTIMIZE)
            case .matching: 0
            case .watchedMatching: UInt32(PCRE2_AUTO_CALLOUT)
            }
        }
    }

    /// The context for compiling patterns, created once and never changed.
    ///
    /// A build of PCRE2 may have another line ending as its default; nginx's rules mean LF.
    private static let context: Context = {
        let context = unsafe pcre2_compile_context_create_8(nil)
        if unsafe context != nil { _ = unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_LF)) }
        return unsafe Context(pointer: context)
    }()

    /// Compiles `pattern`, for matching with machine code and PCRE2's optimizations where it gets them right.
    init(_ pattern: [UInt8], caseless: Bool, for purpose: Purpose) throws(PatternError) {
        var number: Int32 = 0
        var offset = 0
        let wrong: MiscompiledForms =
            purpose == .checking ? .machineCode : MiscompiledForms(in: pattern, caseless: caseless)
        let options = (caseless ? UInt32(PCRE2_CASELESS) : 0) | purpose.options | wrong.options
        let length = pattern.count
        let context = unsafe Self.context.pointer
        let made = unsafe pattern.withUnsafeBufferPointer { bytes in
            unsafe withUnsafePointer(to: 0 as UInt8) { empty in
                unsafe pcre2_compile_8(bytes.baseAddress ?? empty, length, options, &number, &offset, context)
            }
        }
        guard let made = unsafe made else {
            throw PatternError(message: Self.message(of: number), offset: max(0, min(offset, length)))
        }
        unsafe self.code = made
        if !wrong.contains(.machineCode) { makeMachineCode() }
    }

    deinit { unsafe pcre2_code_free_8(code) }

    private static func message(of number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            unsafe pcre2_get_error_message_8(number, bytes.baseAddress, bytes.count)
        }
        guard count > 0 else { return "PCRE2 error \(number)" }
        return String(decoding: buffer.prefix(Int(count)), as: UTF8.self)
    }

    private func information(_ what: Int32) -> Int {
        // PCRE2 writes a uint32_t or a size_t; the rest of the word stays 0.
        var value = 0
        let result = unsafe pcre2_pattern_info_8(code, UInt32(bitPattern: what), &value)
        return result == 0 ? value : 0
    }

    /// The number of capturing groups.
    var captureCount: Int { information(PCRE2_INFO_CAPTURECOUNT) }

    var size: Int { information(PCRE2_INFO_SIZE) }

    /// The named groups as PCRE2 lists them, in the order of their names.
    var names: [(name: [UInt8], number: Int)] {
        let count = information(PCRE2_INFO_NAMECOUNT)
        let entrySize = information(PCRE2_INFO_NAMEENTRYSIZE)
        var table: UnsafePointer<UInt8>?
        guard count > 0, entrySize > 2,
            unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table) == 0,
            let table = unsafe table
        else { return [] }
        var names: [(name: [UInt8], number: Int)] = []
        for index in 0..<count {
            // Two bytes of group number, then the name up to a NUL, all within one entry.
            let entry = unsafe UnsafeBufferPointer(start: table + index * entrySize, count: entrySize)
            let number = unsafe Int(entry[0]) << 8 | Int(entry[1])
            names.append((unsafe Array(entry[2...].prefix { $0 != 0 }), number))
        }
        return names
    }

    /// Makes machine code where PCRE2 can; where it cannot, the pattern is interpreted.
    private mutating func makeMachineCode() {
        guard size <= Self.largestMachineCodeSource,
            unsafe pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE)) == 0,
            information(PCRE2_INFO_JITSIZE) > 0
        else { return }
        runsMachineCode = information(PCRE2_INFO_ALLOPTIONS) & Int(PCRE2_UTF) == 0
    }

    /// Matches `subject` with the working space of `scratch`.
    @inline(__always) borrowing func match(_ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        let result = unsafe subject.withUnsafeBufferPointer { bytes -> Int32 in
            // PCRE2 refuses a null subject; any address serves for one of no bytes.
            let start =
                unsafe bytes.baseAddress ?? UnsafePointer(UnsafeRawPointer(code).assumingMemoryBound(to: UInt8.self))
            if runsMachineCode {
                return unsafe pcre2_jit_match_8(code, start, bytes.count, 0, 0, scratch.matchData, scratch.context)
            }
            return unsafe pcre2_match_8(code, start, bytes.count, 0, 0, scratch.matchData, scratch.context)
        }
        if result > 0 {
            scratch.set(groups: Int(result))
            return .matched
        }
        return scratch.fail(result == PCRE2_ERROR_NOMATCH ? .noMatch : .limitExceeded(result))
    }
}

extension MiscompiledForms {
    /// The options without which PCRE2 would get them wrong.
    fileprivate var options: UInt32 {
        var options: UInt32 = 0
        if contains(.startOptimization) { options |= UInt32(PCRE2_NO_START_OPTIMIZE) }
        if contains(.machineCode) { options |= UInt32(PCRE2_NO_AUTO_POSSESS) }
        return options
    }
}
