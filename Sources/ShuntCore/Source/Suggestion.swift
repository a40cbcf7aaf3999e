/// Finds the name that someone probably meant.
package enum Suggestion {
    /// Names longer than this many bytes are not compared.
    package static let maximumLength = 64

    /// The candidate closest to `name`, or nil when none is near.
    ///
    /// Distance counts bytes put in, left out, replaced, or swapped with their neighbour (restricted
    /// Damerau–Levenshtein). Near means at most a third of the length and at most 3; a name that differs only in ASCII
    /// case is always near. Among equals the one closest without regard to case wins, then the first in byte order.
    ///
    /// Takes time in proportion to the number of candidates.
    @inlinable package static func closest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.utf8)
        guard !wanted.isEmpty, wanted.count <= maximumLength else { return nil }
        let folded = wanted.map(\.asciiLowercased)
        let limit = min(3, max(1, wanted.count / 3))
        let kinds = Self.kinds(of: name)
        var best: (name: String, distance: Int, foldedDistance: Int)?
        for candidate in candidates {
            let count = candidate.utf8.count
            guard abs(count - wanted.count) <= limit, count <= maximumLength else { continue }
            // Each byte that only one of them has takes a change: most candidates are too far away by that alone.
            let others = Self.kinds(of: candidate)
            guard max((kinds & ~others).nonzeroBitCount, (others & ~kinds).nonzeroBitCount) <= limit else { continue }
            let bytes = Array(candidate.utf8)
            if bytes == wanted { continue }
            let foldedDistance = distance(folded, bytes.map(\.asciiLowercased))
            guard foldedDistance <= limit else { continue }
            let exact = distance(wanted, bytes)
            guard exact <= limit || foldedDistance == 0 else { continue }
            // A difference in case only is as good as one change.
            let candidateKey = (foldedDistance == 0 ? min(exact, 1) : exact, foldedDistance, candidate)
            if let best, (best.distance, best.foldedDistance, best.name) <= candidateKey { continue }
            best = (candidate, candidateKey.0, foldedDistance)
        }
        return best?.name
    }

    /// The candidate closest to `name` as a question, such as `did you mean "rewrite"?`, or nil when none is near.
    package static func meant(by name: String, among candidates: some Sequence<String>) -> String? {
        closest(to: name, among: candidates).map { "did you mean \"\($0)\"?" }
    }

    /// Returns the set of bytes of a name, whatever their case; some are counted as the same.
    @usableFromInline
    static func kinds(of name: String) -> UInt64 { name.utf8.reduce(0) { $0 | 1 &<< UInt64($1.asciiLowercased & 63) } }

    /// The number of changes that turn `left` into `right`.
    package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious = [Int](repeating: 0, count: right.count + 1)
        var previous = Array(0...right.count)
        var current = beforePrevious
        for row in left.indices {
            current[0] = row + 1
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current[column + 1] = cost
            }
            (beforePrevious, previous, current) = (previous, current, beforePrevious)
        }
        return previous[right.count]
    }
}
