import ShuntCore

/// A rewrite with the path that it makes, where that is a short text with up to two captures after it: all in one line of cache.
///
/// Of many rules each is cold, and what it costs is the lines that it lies in.
struct RewriteRecord: Sendable {
    /// The text after the constant.
    struct Captures: Sendable {
        /// The first capture in the lower four bits, the second one in the others; 0 for none.
        private var numbers: UInt8 = 0

        var first: Int32 { Int32(numbers & 15) }
        var second: Int32 { Int32(numbers >> 4) }

        /// Returns true if there was room for one more; a capture has one digit.
        mutating func add(_ number: Int32) -> Bool {
            guard second == 0, (1...9).contains(number) else { return false }
            numbers |= UInt8(truncatingIfNeeded: first == 0 ? number : number << 4)
            return true
        }
    }

    /// The most bytes of text that a record holds.
    static let longestText = 30

    /// The text that the path begins with, the byte between the captures (0 for none), and the length of the text or `noText`.
    private var block = SIMD32<UInt8>(repeating: noText)
    var rule: RewriteRule
    private(set) var captures = Captures()

    private static let noText: UInt8 = 0xFF

    init(_ rule: RewriteRule, in tables: borrowing ProgramTables) {
        self.rule = rule
        guard rule.status == 0, !rule.target.isNone else { return }
        let first = tables.parts[rule.target]
        let length = Int(first.b) - Int(first.a)
        guard first.kind == .literal, length <= Self.longestText,
            let (captures, separator) = Self.captures(behind: rule.target, in: tables)
        else { return }
        self.captures = captures
        for index in 0..<length { block[index] = tables.constants[Int(first.a) + index] }
        block[Self.longestText] = separator
        block[Self.longestText + 1] = UInt8(truncatingIfNeeded: length)
    }

    /// The captures that follow the first part of a template, and the byte between them; nil where something else does.
    private static func captures(
        behind template: TemplateIndex,
        in tables: borrowing ProgramTables
    ) -> (Captures, separator: UInt8)? {
        var captures = Captures()
        var separator: UInt8 = 0
        var position = template.position
        while !tables.parts[position].isLast {
            position += 1
            let part = tables.parts[position]
            switch part.kind {
            case .capture:
                guard captures.add(part.a) else { return nil }
            case .literal where separator == 0 && captures.second == 0 && part.b - part.a == 1 && !part.isLast:
                separator = tables.constants[Int(part.a)]
                if separator == 0 { return nil }
            default: return nil
            }
        }
        return (captures, separator)
    }

    /// The byte between the captures; 0 for none.
    var separator: UInt8 { block[Self.longestText] }

    /// The text that the path begins with, and its length; nil where the path is made of the template.
    var text: (block: SIMD32<UInt8>, count: Int)? {
        @inline(__always)
        get {
            let count = block[Self.longestText + 1]
            return count == Self.noText ? nil : (block, Int(count))
        }
    }
}

/// The rewrites of a program, each in a separate line of cache.
///
/// Why the unsafe code is sound: `records` has room for `count` records, all of them initialized in `init`, never changed, and
/// freed once, in `deinit`. Every index is checked.
@safe
struct RewriteRecords: ~Copyable, @unchecked Sendable {
    private let records: UnsafeMutablePointer<RewriteRecord>
    private let count: Int

    init(_ tables: borrowing ProgramTables) {
        count = tables.rewrites.count
        let memory = unsafe TableMemory.allocate(byteCount: count * MemoryLayout<RewriteRecord>.stride)
        unsafe records = memory.bindMemory(to: RewriteRecord.self, capacity: count)
        for index in 0..<count {
            unsafe (records + index).initialize(to: RewriteRecord(tables.rewrites[index], in: tables))
        }
    }

    deinit {
        unsafe records.deinitialize(count: count)
        unsafe records.deallocate()
    }

    @inline(__always)
    subscript(_ index: Int) -> RewriteRecord {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "index outside the rewrites")
        return unsafe records[index]
    }
}
