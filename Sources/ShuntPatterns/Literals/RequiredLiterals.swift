/// Texts without which a pattern cannot match, looked for before a match that may take long.
///
/// Most requests have none of what an expression against attacks looks for, and are let go at once.
struct RequiredLiterals: Sendable {
    /// One text, with where it ends a list and an alternative.
    private struct Text: Sendable {
        var start: Int
        var end: Int
        /// True if it is the last of a list, of which one text must be in the subject.
        var endsList: Bool
        /// True if it is the last of an alternative of the pattern, which needs a text of each of its lists.
        var endsBranch: Bool
    }

    /// The texts of all alternatives, list by list.
    private var texts: [Text] = []
    /// The bytes of the texts; none is a capital.
    private var bytes: [UInt8] = []

    var count: Int { texts.count }

    /// A list of more texts than this is not looked for.
    private static let longestList = 8
    /// More texts than this are not looked for.
    private static let mostTexts = 64

    /// The literals of a pattern; none where it is not understood or an alternative has none.
    init(_ pattern: [UInt8], caseless: Bool) {
        guard let node = try? PatternParser.parse(pattern, caseless: caseless) else { return }
        let branches = LiteralAnalysis(node).branches
            .map { branch in
                (branch.required + [branch.prefixes, branch.suffixes].compactMap(\.self))
                    .filter { !$0.isEmpty && $0.count <= Self.longestList }
            }
        let count = branches.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
        guard count <= Self.mostTexts, !branches.contains(where: \.isEmpty) else { return }
        for lists in branches {
            for list in lists {
                for text in list { append(text) }
                texts[texts.count - 1].endsList = true
            }
            texts[texts.count - 1].endsBranch = true
        }
    }

    private mutating func append(_ text: [UInt8]) {
        let start = bytes.count
        bytes += text
        texts.append(Text(start: start, end: bytes.count, endsList: false, endsBranch: false))
    }

    /// Returns true if a subject has what some alternative needs.
    func mayMatch(_ subject: Span<UInt8>) -> Bool {
        if texts.isEmpty { return true }
        var isFound = false
        var holds = true
        var index = 0
        while index < texts.count {
            let text = texts[index]
            if holds, !isFound { isFound = occurs(text, in: subject) }
            if text.endsList {
                holds = holds && isFound
                isFound = false
            }
            if text.endsBranch {
                if holds { return true }
                holds = true
            }
            index += 1
        }
        return false
    }

    /// Returns true if a text is anywhere in a subject whose capitals count as small letters.
    private func occurs(_ text: Text, in subject: Span<UInt8>) -> Bool {
        let count = text.end - text.start
        guard count > 0 else { return true }
        let first = bytes[text.start]
        var start = 0
        let last = subject.count - count
        while start <= last {
            if subject[start].folded == first {
                var offset = 1
                while offset < count, subject[start + offset].folded == bytes[text.start + offset] { offset += 1 }
                if offset == count { return true }
            }
            start += 1
        }
        return false
    }
}
