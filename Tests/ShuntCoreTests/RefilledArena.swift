import ShuntCore

extension ByteArena {
    /// Forgets everything and takes `bytes` behind other ones, so that a place in the value is none in the arena.
    func refilled(with bytes: [UInt8], after others: String) -> ByteRange {
        removeAll()
        append(Array(others.utf8))
        let mark = mark
        append(bytes)
        return range(from: mark)
    }
}
