/// A pattern as bytes that a small loop runs over: the content of `NativeSteps`, in one block of memory.
///
/// A cold rule costs two or three cache lines this way, where PCRE2's machine code costs a dozen.
///
/// Why the unsafe code is sound: the block is made by `encoded`, which writes for each operation exactly the operands
/// that `run` reads for it, ends with `accept`, and pads the block, so that a word may be read at any operand. The block
/// is never changed and is freed once, by the `LazyProgram` that owns it. Group numbers are at most
/// `RegularExpression.maximumCaptures`, for which the offsets of a scratch have room. The subject is read with checks.
@safe struct NativeProgram {
    enum Operation: UInt8 {
        case accept
        /// Length, bytes.
        case literal
        case foldedLiteral
        case byte
        /// Group, the byte to stop at, least count, greatest count.
        case runToByte
        /// Group, the lowest and the highest byte, least count, greatest count.
        case runOfRange
        /// Group, 32 bytes of bits, least count, greatest count.
        case runOfSet
        /// Group, folding, length, bytes.
        case optional
        /// Group, folding, number of strings, then for each its length and bytes.
        case choice
        /// Group.
        case open
        case close
        case end
        case absoluteEnd
    }

    struct Header: BitwiseCopyable {
        /// The groups to be forgotten before a match: all of them, or none where each match writes all of them.
        var forgottenGroups: UInt16
        var startsAtStart: Bool
        /// For a match that is found from its end: its least and greatest length.
        var least: UInt32
        var greatest: UInt32
    }

    /// The greatest count of a run that has no bound.
    static let unbounded = UInt16.max

    private let block: UnsafePointer<UInt8>

    /// The program at `address`, which `allocate` returned.
    @unsafe init(_ block: UnsafePointer<UInt8>) { unsafe self.block = block }

    /// A new block for `steps`, to be freed with `deallocate`.
    static func allocate(_ steps: NativeSteps, captureCount: Int) -> UnsafeMutablePointer<UInt8> {
        let code = encoded(steps)
        let headerSize = MemoryLayout<Header>.size
        let padding = 8
        let block = UnsafeMutableRawPointer.allocate(byteCount: headerSize + code.count + padding, alignment: 16)
        let header = Header(
            forgottenGroups: steps.groups.isSuperset(of: 1..<captureCount + 1) ? 0 : UInt16(captureCount),
            startsAtStart: steps.startsAtStart,
            least: UInt32(steps.lengths.least),
            greatest: UInt32(steps.lengths.greatest ?? 0)
        )
        unsafe block.storeBytes(of: header, as: Header.self)
        let bytes = unsafe block.assumingMemoryBound(to: UInt8.self)
        for (index, byte) in (code + [UInt8](repeating: 0, count: padding)).enumerated() {
            unsafe bytes[headerSize + index] = byte
        }
        return unsafe bytes
    }

    /// Matches `subject` and leaves the captures in `scratch`.
    func match(_ subject: Span<UInt8>, scratch: MatchScratch) -> MatchOutcome {
        let header = unsafe UnsafeRawPointer(block).load(as: Header.self)
        if header.startsAtStart {
            return attempt(subject, at: 0, header: header, scratch: scratch) ? .matched : scratch.fail(.noMatch)
        }
        // It ends at the end or before a final LF, so it begins one of its lengths before either.
        var start = max(0, subject.count &- Int(header.greatest) &- 1)
        let last = subject.count &- Int(header.least)
        while start <= last {
            if attempt(subject, at: start, header: header, scratch: scratch) { return .matched }
            start &+= 1
        }
        return scratch.fail(.noMatch)
    }

    @inline(__always)
    private func attempt(_ subject: Span<UInt8>, at start: Int, header: Header, scratch: MatchScratch) -> Bool {
        guard let offsets = unsafe scratch.offsets else { return false }
        var cursor = unsafe Cursor(code: block + MemoryLayout<Header>.size, position: start, offsets: offsets)
        // Most that do not match differ in what they begin with, and need nothing made ready.
        guard cursor.skipFirstLiteral(subject) else { return false }
        var group = 1
        while group <= Int(header.forgottenGroups) {
            unsafe offsets[2 &* group] = -1
            unsafe offsets[2 &* group &+ 1] = -1
            group &+= 1
        }
        guard cursor.run(subject) else { return false }
        unsafe offsets[0] = start
        unsafe offsets[1] = cursor.position
        scratch.set(groups: cursor.groups)
        return true
    }
}

extension NativeProgram {
    /// The place where a program and its subject are.
    @safe struct Cursor {
        private var code: UnsafePointer<UInt8>
        private(set) var position: Int
        private let offsets: UnsafeMutablePointer<Int>
        /// One more than the highest group that took part.
        private(set) var groups = 1

        @unsafe init(code: UnsafePointer<UInt8>, position: Int, offsets: UnsafeMutablePointer<Int>) {
            unsafe self.code = code
            self.position = position
            unsafe self.offsets = offsets
        }

        /// Goes through the program; false when the subject does not match.
        mutating func run(_ subject: Span<UInt8>) -> Bool {
            while let operation = Operation(rawValue: byte()) {
                switch operation {
                case .accept: return true
                case .literal:
                    let length = Int(byte())
                    guard skipLiteral(length, subject, folding: false) else { return false }
                case .foldedLiteral:
                    let length = Int(byte())
                    guard skipLiteral(length, subject, folding: true) else { return false }
                case .byte:
                    let byte = byte()
                    guard position < subject.count, subject[position] == byte else { return false }
                    position &+= 1
                case .runToByte, .runOfRange, .runOfSet:
                    guard skipRun(operation, subject) else { return false }
                case .optional: skipOptional(subject)
                case .choice: guard skipChoice(subject) else { return false }
                case .open:
                    let group = Int(byte())
                    unsafe offsets[2 &* group] = position
                case .close:
                    let group = Int(byte())
                    unsafe offsets[2 &* group &+ 1] = position
                    groups = max(groups, group &+ 1)
                case .end:
                    guard position == subject.count || (position == subject.count &- 1 && subject[position] == 10)
                    else { return false }
                case .absoluteEnd: guard position == subject.count else { return false }
                }
            }
            return false
        }

        @inline(__always) private mutating func byte() -> UInt8 {
            let byte = unsafe code[0]
            unsafe code += 1
            return byte
        }

        /// Returns true if the subject has the `length` bytes that are next in the code.
        ///
        /// The code moves past them; the position
        /// does so if they are there.
        @inline(__always)
        private mutating func skipLiteral(_ length: Int, _ subject: Span<UInt8>, folding: Bool) -> Bool {
            let literal = unsafe UnsafeRawPointer(code)
            unsafe code += length
            guard length <= subject.count &- position else { return false }
            if length < 8 {
                let word = subject.word(at: position, end: subject.count)
                let wanted = unsafe UInt64(littleEndian: literal.loadUnaligned(as: UInt64.self))
                let different = (folding ? word.folded : word) ^ wanted
                guard different & UInt64.lowBytes(length) == 0 else { return false }
            } else {
                // The last word may overlap the one before it.
                let last = length &- 8
                var offset = 0
                while offset < last {
                    guard unsafe hasWord(literal, at: offset, subject, folding: folding) else { return false }
                    offset &+= 8
                }
                guard unsafe hasWord(literal, at: last, subject, folding: folding) else { return false }
            }
            position &+= length
            return true
        }

        /// Returns true if the eight bytes `offset` after the position are those of a literal.
        ///
        /// Sound: the subject has as many bytes left as the literal has, and the word is within both.
        @unsafe @inline(__always) private func hasWord(
            _ literal: UnsafeRawPointer,
            at offset: Int,
            _ subject: Span<UInt8>,
            folding: Bool
        ) -> Bool {
            let loaded = unsafe subject.bytes
                .unsafeLoadUnaligned(fromUncheckedByteOffset: position &+ offset, as: UInt64.self)
            let wanted = unsafe UInt64(littleEndian: literal.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let word = UInt64(littleEndian: loaded)
            return (folding ? word.folded : word) == wanted
        }

        /// Returns true if the subject continues with the literal that is next, which is skipped; true where there is
        /// none.
        @inline(__always) mutating func skipFirstLiteral(_ subject: Span<UInt8>) -> Bool {
            guard unsafe code[0] == Operation.literal.rawValue else { return true }
            unsafe code += 1
            let length = Int(byte())
            return skipLiteral(length, subject, folding: false)
        }

        @inline(__always) private mutating func skipRun(_ operation: Operation, _ subject: Span<UInt8>) -> Bool {
            let operands = unsafe code
            let group = unsafe Int(operands[0])
            let start = position
            let end: Int
            let bounds: (least: Int, limit: Int)
            switch operation {
            case .runToByte:
                unsafe code += 6
                bounds = unsafe counts(operands + 2, subject)
                end = unsafe subject.firstIndex(of: operands[1], from: start, to: bounds.limit)
            case .runOfRange:
                unsafe code += 7
                bounds = unsafe counts(operands + 3, subject)
                let low = unsafe operands[1]
                let width = unsafe operands[2] &- low
                var index = start
                while index < bounds.limit, subject[index] &- low <= width { index &+= 1 }
                end = index
            default:
                let set = unsafe operands + 1
                unsafe code += 37
                bounds = unsafe counts(operands + 33, subject)
                var index = start
                while index < bounds.limit {
                    let byte = subject[index]
                    if unsafe set[Int(byte >> 3)] &>> (byte & 7) & 1 == 0 { break }
                    index &+= 1
                }
                end = index
            }
            position = end
            guard end &- start >= bounds.least else { return false }
            capture(group, from: start)
            return true
        }

        /// The counts of a run, the greatest as the place it may not pass.
        ///
        /// Sound: the code has four bytes there, as every run has.
        @unsafe @inline(__always)
        private func counts(_ code: UnsafePointer<UInt8>, _ subject: Span<UInt8>) -> (least: Int, limit: Int) {
            let least = unsafe Int(UInt16(littleEndian: UnsafeRawPointer(code).loadUnaligned(as: UInt16.self)))
            let greatest = unsafe Int(UInt16(littleEndian: UnsafeRawPointer(code + 2).loadUnaligned(as: UInt16.self)))
            let limit =
                greatest == Int(NativeProgram.unbounded) ? subject.count : min(subject.count, position &+ greatest)
            return (least, limit)
        }

        private mutating func skipOptional(_ subject: Span<UInt8>) {
            let group = Int(byte())
            let folding = byte() != 0
            let length = Int(byte())
            let start = position
            if skipLiteral(length, subject, folding: folding) {
                capture(group, from: start)
            } else {
                unsafe offsets[2 &* group] = -1
                unsafe offsets[2 &* group &+ 1] = -1
            }
        }

        private mutating func skipChoice(_ subject: Span<UInt8>) -> Bool {
            let group = Int(byte())
            let folding = byte() != 0
            let start = position
            var left = byte()
            var isFound = false
            while left > 0 {
                let length = Int(byte())
                if isFound {
                    unsafe code += length
                } else if skipLiteral(length, subject, folding: folding) {
                    isFound = true
                }
                left &-= 1
            }
            if isFound { capture(group, from: start) }
            return isFound
        }

        @inline(__always) private mutating func capture(_ group: Int, from start: Int) {
            guard group > 0 else { return }
            unsafe offsets[2 &* group] = start
            unsafe offsets[2 &* group &+ 1] = position
            groups = max(groups, group &+ 1)
        }
    }
}
