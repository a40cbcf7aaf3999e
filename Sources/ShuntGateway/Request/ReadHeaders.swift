#if Gateway
import Shunt
import ShuntTools

/// The request headers that rules read; the others are not put before them, which costs each request more than
/// deciding.
struct ReadHeaders {
    /// In lower case, with dashes in the place of underscores, as variables are asked for.
    private var names: [[UInt8]] = []
    private var readsAll = true

    init() {}

    /// Those that rules and their access logs may read.
    init(_ ruleSet: RuleSet) {
        let reads = RequestReads([ruleSet], forLogs: true)
        // Where there may be fewer headers than the parser takes, they count.
        let counts = ruleSet.mostHeaders < RequestParser.fieldLimit
        guard !reads.readsAllHeaders, !counts else { return }
        readsAll = false
        // The Host goes another way.
        names = reads.headers.subtracting([Array("host".utf8)])
            .map { $0.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 } }
        if ruleSet.limitsBodies { names.append(Array("content-length".utf8)) }
        if !reads.cookies.isEmpty { names.append(Array("cookie".utf8)) }
    }

    /// True if rules read none.
    var isNone: Bool { !readsAll && names.isEmpty }

    /// Returns true if rules may read a header of that name.
    func has(_ name: Span<UInt8>) -> Bool {
        if readsAll { return true }
        return names.contains { Self.isSame(name, $0.span) }
    }

    private static func isSame(_ name: Span<UInt8>, _ wanted: Span<UInt8>) -> Bool {
        guard name.count == wanted.count else { return false }
        for index in name.indices {
            let byte = name[index]
            let folded = byte == UInt8(ascii: "_") ? UInt8(ascii: "-") : byte.asciiLowercased
            if folded != wanted[index] { return false }
        }
        return true
    }
}
#endif
