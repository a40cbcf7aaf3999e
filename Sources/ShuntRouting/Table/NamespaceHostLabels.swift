import ShuntCore

extension NamespaceIndex {
    /// Returns true if the labels of a namespace's host pattern fit; their values become the first captures.
    ///
    /// - Returns: The number of values, or -1.
    func bindHost(
        _ namespace: Int32,
        host: ByteRange?,
        url: PathBytes,
        automaton: RouteAutomaton,
        scratch: RouteScratch
    ) -> Int {
        let record = records[Int(namespace)]
        guard record.labelCount > 0 else { return 0 }
        guard let host else { return -1 }
        var dots = 0
        for index in host.indices where url[index] == UInt8(ascii: ".") { dots += 1 }
        // The suffix was found already; what is before it has as many labels as are left.
        let total = dots + 1 - Int(record.suffixLabels)
        let count = Int(record.labelCount)
        guard record.isOpen ? total >= count : total == count else { return -1 }
        var openCount = record.isOpen ? total - count + 1 : 1
        var start = Int(host.start)
        var captured = 0
        for label in 0..<count {
            // An open first label takes what the others leave.
            var wanted = openCount
            openCount = 1
            var stop = start
            while stop < Int(host.end) {
                if url[stop] == UInt8(ascii: ".") {
                    wanted -= 1
                    if wanted == 0 { break }
                }
                stop += 1
            }
            let alternative = labels[Int(record.labelBase) + label]
            guard stop > start,
                automaton.fits(
                    alternative,
                    range: ByteRange(start, stop),
                    path: url,
                    capture: captured,
                    isLenient: false,
                    scratch: scratch,
                    foldsCase: true
                )
            else { return -1 }
            captured += Int(alternative.captureCount)
            start = stop + 1
        }
        return captured
    }
}
