import ShuntCore
import ShuntRelease

/// A machine with a disk, on which a node runs, dies and starts again.
struct SimulatedNode {
    let name: String
    /// Runs; nil while the process is down.
    var node: FleetNode?
    /// What is on the disk.
    var memory = NodeMemory()
    var sets: Set<ContentName> = []
    /// Counts the starts: what was under way for an earlier process means nothing to the next.
    var life = 0
    /// When it is told next that time has passed.
    var wakeTime: Duration?
    /// The calendar clock is wrong by so many seconds.
    var clockError: Int64 = 0
    var isDiskFull = false
    /// Since when it runs what the true pointer does not give it; nil while it does not.
    var outsideSince: Duration?

    init(_ name: String) { self.name = name }

    /// Whether it has given a release up for itself: while it runs by what it knows, of which a full disk has kept less.
    func refuses(_ release: Release) -> Bool {
        let memory = node?.memory ?? memory
        return memory.isPoison(release.set) || memory.tried.contains { $0.sequence == release.sequence }
    }

    /// A status with what requests meet.
    static func measured(_ status: NodeStatus, isSlow: Bool) -> NodeStatus {
        var status = status
        status.counters.requests = 500
        status.counters.slowMicroseconds = isSlow ? 700 : 300
        return status
    }
}

extension ReleasePointer {
    /// Whether it is the turn of a node for the release that is rolled out, which has this number.
    func gives(_ sequence: Int, to name: String) -> Bool {
        guard let offered = try? Release(decoding: release.payload), offered.sequence == sequence else { return false }
        return progress.includes(name, rank: NodeRank.of(name, namespace: "web", sequence: sequence))
    }
}

/// Things that happen at a moment, in order.
struct Agenda<Item> {
    private var heap: [(time: Duration, number: Int, item: Item)] = []
    private var count = 0

    mutating func add(_ item: Item, at time: Duration) {
        count += 1
        heap.append((time, count, item))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: Duration, item: Item)? {
        guard let first = heap.first else { return nil }
        heap[0] = heap[heap.count - 1]
        heap.removeLast()
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < heap.count }
            guard let child = children.min(by: { precedes($0, $1) }), precedes(child, parent) else { break }
            heap.swapAt(child, parent)
            parent = child
        }
        return (first.time, first.item)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].time, heap[left].number) < (heap[right].time, heap[right].number)
    }
}
