import ShuntCore
import ShuntPatterns

/// Checks components and tails that are more than exact bytes.
///
/// Values are decided on the bytes of the URL, escape by escape, so that an escaped `/` is never a separator; types and
/// expressions see the decoded value.
///
/// Why the unsafe code is sound: captures are written below the capacity that the caller has checked; `decoded` holds
/// `count` bytes after `decode` returned `count`.
extension RouteAutomaton {
    /// Returns true if the component in `range` is what `record` asks for; its values are put at `capture` of the
    /// captures.
    @inline(never) func fits(
        _ record: AlternativeRecord,
        range: ByteRange,
        path: PathBytes,
        capture: Int,
        isLenient: Bool,
        scratch: RouteScratch,
        foldsCase: Bool? = nil
    ) -> Bool {
        switch record.kind {
        case .typed:
            unsafe scratch.captures[capture] = range
            return isLenient || satisfies(type: record.constraint, range: range, path: path, scratch: scratch)
        case .expression:
            unsafe scratch.captures[capture] = range
            return isLenient || satisfies(expression: record.constraint, range: range, path: path, scratch: scratch)
        case .pieces:
            return fits(
                pieces: record,
                range: range,
                path: path,
                capture: capture,
                isLenient: isLenient,
                scratch: scratch,
                foldsCase: foldsCase
            )
        case .plain, .tail, .tailPieces:
            unsafe scratch.captures[capture] = range
            return true
        }
    }

    /// The same for the rest of the path.
    @inline(never) func fits(
        tail record: AlternativeRecord,
        range: ByteRange,
        path: PathBytes,
        capture: Int,
        isLenient: Bool,
        scratch: RouteScratch
    ) -> Bool {
        if record.kind == .tailPieces {
            return fits(
                pieces: record,
                range: range,
                path: path,
                capture: capture,
                isLenient: isLenient,
                scratch: scratch
            )
        }
        unsafe scratch.captures[capture] = range
        guard range.count > RoutingLimits.tailComponents else { return true }
        var components = 1
        for index in range.indices where path[index] == UInt8(ascii: "/") { components += 1 }
        return components <= RoutingLimits.tailComponents
    }

    private func satisfies(type: UInt32, range: ByteRange, path: PathBytes, scratch: RouteScratch) -> Bool {
        guard Int(type) < ParameterType.numbered.count else { return false }
        let type = ParameterType.numbered[Int(type)]
        return withDecoded(range, path: path, scratch: scratch) { type.accepts($0) }
    }

    private func satisfies(expression: UInt32, range: ByteRange, path: PathBytes, scratch: RouteScratch) -> Bool {
        let expression = expressions[Int(expression)]
        let outcome = withDecoded(range, path: path, scratch: scratch) {
            expression.match($0, scratch: scratch.matchScratch)
        }
        switch outcome {
        case .matched: return true
        case .noMatch: return false
        case .limitExceeded:
            scratch.exceeded = true
            return false
        }
    }

    private func withDecoded<Result>(
        _ range: ByteRange,
        path: PathBytes,
        scratch: RouteScratch,
        _ body: (Span<UInt8>) -> Result
    ) -> Result {
        for index in range.indices where path[index] == UInt8(ascii: "%") {
            let count = scratch.decode(range, of: path, foldsCase: false)
            return unsafe PathBytes(UnsafePointer(scratch.decoded), count: count).withSpan(ByteRange(0, count), body)
        }
        return path.withSpan(range, body)
    }

    private func fits(
        pieces record: AlternativeRecord,
        range: ByteRange,
        path: PathBytes,
        capture: Int,
        isLenient: Bool,
        scratch: RouteScratch,
        foldsCase: Bool? = nil
    ) -> Bool {
        var end = Int(range.end)
        var takesComponents = false
        if record.kind == .tailPieces {
            for index in 0..<Int(record.pieceCount) where pieces[Int(record.pieceBase) + index].kind == .components {
                takesComponents = true
            }
        }
        if takesComponents, !traits.trailingSlashCounts {
            while end > Int(range.start), path[end - 1] == UInt8(ascii: "/") { end -= 1 }
        }
        var matcher = PieceMatcher(
            automaton: self,
            path: path,
            end: end,
            isLenient: isLenient,
            foldsCase: foldsCase ?? traits.foldsCase,
            isTail: record.kind == .tailPieces,
            mergesSlashes: takesComponents && !traits.keepsEmptyComponents,
            scratch: scratch,
            last: Int(record.pieceBase) + Int(record.pieceCount),
            budget: RoutingLimits.stepsPerByte * (range.count + 16)
        )
        let matches = matcher.match(Int(record.pieceBase), at: Int(range.start), capture: capture)
        if matcher.budget < 0 { scratch.exceeded = true }
        return matches
    }

    /// Matches pieces from the left; a value is as short as what follows allows, a greedy splat as long.
    private struct PieceMatcher {
        let automaton: RouteAutomaton
        let path: PathBytes
        let end: Int
        let isLenient: Bool
        let foldsCase: Bool
        let isTail: Bool
        /// True if a slash stands for any number of slashes.
        let mergesSlashes: Bool
        let scratch: RouteScratch
        let last: Int
        var budget: Int
        /// True if a wildcard could not be followed by the rest, wherever it ended.
        ///
        /// Then none before it can end elsewhere either: what is between two wildcards has a fixed number of components, and the
        /// later one began at the first place after it.
        var isHopeless = false

        mutating func match(_ index: Int, at start: Int, capture: Int) -> Bool {
            budget -= 1
            guard budget >= 0 else { return false }
            guard index < last else { return start == end }
            let piece = automaton.pieces[index]
            switch piece.kind {
            case .literal:
                guard let next = skip(piece, from: start) else { return false }
                return match(index + 1, at: next, capture: capture)
            case .anyByte:
                guard start < end, path[start] != UInt8(ascii: "/") else { return false }
                return match(index + 1, at: start + path.unit(at: start, end: end).length, capture: capture)
            case .plain, .typed, .expression: return matchValue(piece, index, at: start, capture: capture)
            case .components: return matchComponents(index, at: start, capture: capture)
            case .lazySplat:
                var stop = start
                while true {
                    if match(index + 1, at: stop, capture: capture + 1) {
                        unsafe scratch.captures[capture] = ByteRange(start, stop)
                        return true
                    }
                    guard stop < end, budget >= 0 else { return false }
                    stop += path.unit(at: stop, end: end).length
                }
            case .greedySplat:
                var stop = end
                while true {
                    if match(index + 1, at: stop, capture: capture + 1) {
                        unsafe scratch.captures[capture] = ByteRange(start, stop)
                        return true
                    }
                    guard stop > start, budget >= 0 else { return false }
                    stop -= 1
                }
            }
        }

        /// One component, then one more each time until what follows matches.
        ///
        /// - Complexity: In proportion to the bytes, times the pieces up to the next wildcard.
        private mutating func matchComponents(_ index: Int, at start: Int, capture: Int) -> Bool {
            var stop = start
            var count = 0
            while stop < end, budget >= 0, count < RoutingLimits.tailComponents {
                while stop > start, stop < end, path[stop] == UInt8(ascii: "/") { stop += 1 }
                let first = stop
                while stop < end, path[stop] != UInt8(ascii: "/") { stop += 1 }
                guard stop > first else { break }
                count += 1
                if match(index + 1, at: stop, capture: capture + 1) {
                    unsafe scratch.captures[capture] = ByteRange(start, stop)
                    return true
                }
                if isHopeless { return false }
            }
            isHopeless = true
            return false
        }

        private mutating func matchValue(_ piece: PieceRecord, _ index: Int, at start: Int, capture: Int) -> Bool {
            if piece.isOptional, match(index + 1, at: start, capture: capture + 1) {
                unsafe scratch.captures[capture] = RouteScratch.missing
                return true
            }
            var stop = start
            if index + 1 == last {
                // The last piece takes all that is left of its component.
                while stop < end, path[stop] != UInt8(ascii: "/") { stop += 1 }
                guard stop == end, stop > start, accepts(piece, ByteRange(start, stop)) else { return false }
                unsafe scratch.captures[capture] = ByteRange(start, stop)
                return true
            }
            while stop < end, path[stop] != UInt8(ascii: "/"), budget >= 0, !isHopeless {
                stop += path.unit(at: stop, end: end).length
                if accepts(piece, ByteRange(start, stop)), match(index + 1, at: stop, capture: capture + 1) {
                    unsafe scratch.captures[capture] = ByteRange(start, stop)
                    return true
                }
            }
            return false
        }

        private mutating func accepts(_ piece: PieceRecord, _ range: ByteRange) -> Bool {
            if isLenient { return true }
            switch piece.kind {
            case .typed:
                budget -= range.count / 8
                return automaton.satisfies(type: piece.constraint, range: range, path: path, scratch: scratch)
            case .expression:
                budget -= range.count
                return automaton.satisfies(expression: piece.constraint, range: range, path: path, scratch: scratch)
            default: return true
            }
        }

        /// The offset after the literal, if it is at `start`.
        private func skip(_ piece: PieceRecord, from start: Int) -> Int? {
            var position = start
            for offset in 0..<Int(piece.length) {
                guard position < end else { return nil }
                let unit = path.unit(at: position, end: end)
                var byte = unit.byte
                if foldsCase { byte = byte.asciiLowercased }
                let expected = automaton.labelBytes[Int(piece.offset) + offset]
                guard byte == expected else { return nil }
                // A slash in a tail's text is a separator; an escaped one is data.
                if isTail, expected == UInt8(ascii: "/"), unit.length == 3 { return nil }
                position += unit.length
                if mergesSlashes, expected == UInt8(ascii: "/") {
                    while position < end, path[position] == UInt8(ascii: "/") { position += 1 }
                }
            }
            return position
        }
    }
}
