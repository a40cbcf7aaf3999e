import ShuntCore
import ShuntFleet

/// A machine with a disk, on which a node runs, dies and starts again.
struct SimulatedNode {
    let name: String
    /// Nil while it is down.
    var process: Process?
    /// The content of the disk.
    var memory = NodeMemory()
    var sets: Set<ContentName> = []
    /// Counts the starts: what was under way for an earlier process means nothing to the next.
    var life = 0
    /// The time of its next event for time that has passed.
    var wakeTime: Duration?
    /// The calendar clock is wrong by so many seconds.
    var clockError: Int64 = 0
    var isDiskFull = false
    /// The time since when it runs what the true pointer does not have for it; nil while it does not.
    var outsideSince: Duration?

    init(_ name: String) { self.name = name }

    /// The process; an object, since a node is too large to be copied for each question.
    final class Process {
        var node: FleetNode
        var hasServed = false

        init(_ node: FleetNode) { self.node = node }
    }

    /// Returns true if it has given up on a release: while it runs by what it knows, of which a full disk has kept
    /// less.
    func refuses(_ release: Release) -> Bool {
        let memory = process?.node.memory ?? memory
        return memory.isPoison(release.set) || memory.hasTried(release.sequence)
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
    /// Returns true if it is the turn of a node for the release that is rolled out, which has this number.
    func gives(_ sequence: Int, to name: String) -> Bool {
        guard let offered = try? Release(decoding: release.payload), offered.sequence == sequence else { return false }
        return progress.includes(name, rank: NodeRank.of(name, namespace: "web", sequence: sequence))
    }
}
