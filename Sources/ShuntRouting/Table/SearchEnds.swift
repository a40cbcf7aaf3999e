import ShuntCore

/// What a search does at the end of a path, beside taking a route that ends there.
///
/// Why the unsafe code is sound: as for `RouteSearch`.
extension RouteAutomaton {
    /// What `mark` returns when the path is at its end but no route may end there.
    static let noEnd = -2

    /// The edge for the `#` before a routed fragment or for a slash at the end that counts; -1 when there is no such
    /// mark, or `noEnd`.
    @inline(never)
    func mark(
        _ number: UInt32,
        _ record: StateRecord,
        _ request: SearchRequest,
        hasSlash: Bool,
        inFragment: Bool
    ) -> Int {
        if request.fragmentStart != Int.max, !inFragment {
            let edge = edge(number, record, EdgeRecord.fragment)
            return edge >= 0 ? edge : Self.noEnd
        }
        return hasSlash && traits.trailingSlashCounts ? edge(number, record, EdgeRecord.trailingSlash) : -1
    }

    private func edge(_ number: UInt32, _ record: StateRecord, _ length: UInt32) -> Int {
        guard record.probes > 0 else { return -1 }
        let mask = Int(record.edgeMask)
        var slot = TableCompiler.slot(PathBytes.mix(0, UInt64(length)), mask: mask)
        for _ in 0..<record.probes {
            let index = CellArena.firstEdge(number, record) &+ slot &* CellArena.cell
            if cells.edge(index).length == length { return index }
            slot = (slot &+ 1) & mask
        }
        return -1
    }

    /// Tails that take nothing, at the end of a path.
    @inline(never)
    func finishTails(
        _ number: UInt32,
        _ record: StateRecord,
        _ request: SearchRequest,
        _ path: PathBytes,
        at end: Int,
        depth: Int,
        captureCount: Int,
        skip: inout Int32,
        result: inout SearchResult,
        _ scratch: RouteScratch
    ) {
        let first = CellArena.firstAlternative(number, record)
        for index in 0..<Int(record.alternativeCount) {
            let tail = cells.alternative(first &+ index &* CellArena.cell)
            guard tail.kind == .tail || tail.kind == .tailPieces,
                fits(tail: tail, ByteRange(end, end), path, captureCount, request.isLenient, scratch)
            else { continue }
            unsafe scratch.labels[depth] = tail.label
            accept(
                tail.target,
                cells.state(tail.target),
                request,
                depth: depth &+ 1,
                captureCount: captureCount &+ Int(tail.captureCount),
                skip: &skip,
                result: &result,
                scratch
            )
            if result.route >= 0, !traits.hasLevels { return }
        }
    }
}
