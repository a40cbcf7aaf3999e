import ShuntCore

/// A set of what may come next: letters of an alphabet, and the end of the subject.
struct LetterSet: Hashable {
    private var letters = ByteSet()
    var hasEnd = false

    /// The end of the subject alone.
    static let end: LetterSet = {
        var set = LetterSet()
        set.hasEnd = true
        return set
    }()

    /// Everything that may come next, with or without the end.
    static let all = LetterSet().inverted

    mutating func insert(_ letter: Int) { letters.insert(UInt8(truncatingIfNeeded: letter)) }

    /// The letters outside the set; above the last letter that is every letter.
    var inverted: LetterSet {
        var result = self
        result.letters = letters.inverted
        result.hasEnd.toggle()
        return result
    }

    mutating func formIntersection(_ other: LetterSet) {
        letters.formIntersection(other.letters)
        hasEnd = hasEnd && other.hasEnd
    }

    mutating func formUnion(_ other: LetterSet) {
        letters.formUnion(other.letters)
        hasEnd = hasEnd || other.hasEnd
    }

    var isEmpty: Bool { letters == ByteSet() && !hasEnd }

    /// Calls `body` with each letter below `count`, ascending.
    @inline(__always) func forEachLetter(below count: Int, _ body: (Int) -> Void) {
        letters.forEachMember(below: count) { body(Int($0)) }
    }
}
