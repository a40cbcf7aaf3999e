/// The marks of a path that are not components: the `#` before a routed fragment, and a slash at the end that counts.
///
/// Why the unsafe code is sound: as for `RouteSearch`.
extension RouteAutomaton {
    /// The result of `mark` if the path is at its end but no route may end there.
    static let noEnd = -2

    /// The edge for the `#` before a routed fragment or for a slash at the end that counts; -1 when there is no such
    /// mark, or `noEnd`.
    @inline(never) func mark(_ number: UInt32, _ request: SearchRequest, hasSlash: Bool, inFragment: Bool) -> Int {
        if request.fragmentStart != Int.max, !inFragment {
            let edge = edge(number, EdgeRecord.fragment)
            return edge >= 0 ? edge : Self.noEnd
        }
        return hasSlash && traits.trailingSlashCounts ? edge(number, EdgeRecord.trailingSlash) : -1
    }

    private func edge(_ number: UInt32, _ length: UInt32) -> Int {
        let record = cells.state(number)
        guard record.probes > 0 else { return -1 }
        let mask = Int(record.edgeMask)
        var slot = StateRecord.slot(PathBytes.mix(0, UInt64(length)), mask: mask)
        for _ in 0..<record.probes {
            let index = CellArena.firstEdge(number, record) &+ slot &* CellArena.cell
            if cells.edge(index).length == length { return index }
            slot = (slot &+ 1) & mask
        }
        return -1
    }
}
