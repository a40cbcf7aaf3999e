/// Texts without which a pattern cannot match, looked for before a match that may take long.
///
/// Most requests have none of what an expression against attacks looks for, and are let go at once.
struct RequiredLiterals: Sendable {
    /// For each alternative of the pattern the lists of which each has a member in the subject.
    private var branches: [[[[UInt8]]]] = []
    /// How many strings there are.
    private(set) var count = 0

    /// A list of more strings than this is not looked for.
    private static let longestList = 8
    /// More strings than this are not looked for.
    private static let mostStrings = 64

    /// The literals of a pattern; none where it is not understood or an alternative has none.
    init(_ pattern: [UInt8], caseless: Bool) {
        guard let node = try? PatternParser.parse(pattern, caseless: caseless) else { return }
        for branch in LiteralAnalysis(node).branches {
            var lists = branch.required
            if let prefixes = branch.prefixes { lists.append(prefixes) }
            if let suffixes = branch.suffixes { lists.append(suffixes) }
            lists.removeAll { $0.count > Self.longestList }
            branches.append(lists)
            count += lists.reduce(0) { $0 + $1.count }
        }
        if count > Self.mostStrings || branches.contains(where: \.isEmpty) {
            branches = []
            count = 0
        }
    }

    /// Whether a subject has what some alternative needs.
    func mayMatch(_ subject: Span<UInt8>) -> Bool {
        if branches.isEmpty { return true }
        for lists in branches where Self.hasAll(lists, subject) { return true }
        return false
    }

    // Loops, because closures over a span are allocated where nothing is optimized.

    private static func hasAll(_ lists: [[[UInt8]]], _ subject: Span<UInt8>) -> Bool {
        for list in lists where !hasAny(list, subject) { return false }
        return true
    }

    private static func hasAny(_ list: [[UInt8]], _ subject: Span<UInt8>) -> Bool {
        for string in list where occurs(string, in: subject) { return true }
        return false
    }

    /// Whether a string, which has no capitals, is anywhere in a subject whose capitals count as small letters.
    private static func occurs(_ string: [UInt8], in subject: Span<UInt8>) -> Bool {
        guard let first = string.first else { return true }
        var start = 0
        let last = subject.count - string.count
        while start <= last {
            if subject[start].folded == first {
                var offset = 1
                while offset < string.count, subject[start + offset].folded == string[offset] { offset += 1 }
                if offset == string.count { return true }
            }
            start += 1
        }
        return false
    }
}
