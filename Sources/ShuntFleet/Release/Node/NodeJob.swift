/// A release on its way into use at a node.
struct NodeJob: Sendable {
    enum Phase: Hashable {
        /// The node waits until it fetches, so that not all fetch at once.
        case spreading(until: Duration)
        /// Its files are brought here.
        case fetching
        /// The marker is brought to the disk, by the write of this number.
        case marking(number: Int)
        /// It is compiled, tested and put into use.
        case loading
        /// That it is in use is brought to the disk, by the write of this number.
        case keeping(number: Int)
    }

    var signed: PointerView.Signed
    var phase: Phase
    var isDurable = true
    /// True if it was in use before this process started.
    var isStart = false

    var release: Release { signed.release }
}
