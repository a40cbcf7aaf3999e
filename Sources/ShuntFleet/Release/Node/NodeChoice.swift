import ShuntCore

/// The choice of the release for a node, by the pointer and the node's memory alone.
struct NodeChoice: Sendable {
    /// The release; nil where the node keeps what it has.
    var target: PointerView.Signed?
    /// The release that is rolled out and that this node would have its turn for, and why it does not take it.
    var held: (release: Release, reason: String)?
    /// The problem of the release that the node keeps.
    var alarm: String?

    /// `starved` has the releases that failed for want of something, with the retry number of that time.
    init(
        _ view: PointerView,
        node: NodeConfiguration,
        memory: NodeMemory,
        serving: NodeMemory.Kept?,
        starved: [Int: Int],
        at date: Timestamp,
        in rank: inout OwnRank
    ) {
        let stable = view.stable
        let isInUse = serving?.sequence == stable.release.sequence
        let stableRefusal = Self.refusal(of: stable.release, node: node, memory: memory, isInUse: isInUse, at: date)
        if case .success(let offered) = view.release, offered.release.sequence > stable.release.sequence {
            let release = offered.release
            if view.progress.includes(node.name, rank: rank.of(node.name, release)) {
                let isOffered = serving?.sequence == release.sequence
                var reason = Self.refusal(of: release, node: node, memory: memory, isInUse: isOffered, at: date)
                if reason == nil, !isOffered, let number = starved[release.sequence], number == view.progress.retry {
                    reason = "it failed, and waits for a retry"
                }
                guard let reason else {
                    // From a failed release the way leads over the stable one, which the budget is about.
                    let isAside = serving.map { $0.sequence > stable.release.sequence } ?? false
                    let goesBack = isAside && !isOffered && release.kind == .publish && stableRefusal == nil
                    target = goesBack ? stable : offered
                    return
                }
                held = (release, reason)
            }
        }
        guard let reason = stableRefusal else {
            target = stable
            return
        }
        if held == nil { held = (stable.release, reason) }
        // Neither may be used. What serves continues, unless it is forbidden.
        guard let serving,
            memory.isPoison(serving.set) || memory.hasTried(serving.sequence)
        else { return }
        target = Self.copy(in: memory)
        if target == nil { alarm = "the only set that this node has must not be used; the node continues to serve it" }
    }

    /// The newest release on the disk that may be used.
    static func copy(in memory: NodeMemory) -> PointerView.Signed? {
        memory.kept
            .first { kept in
                !memory.isPoison(kept.set) && !memory.hasTried(kept.sequence)
            }?
            .signed
    }

    /// The reason why a release is not taken; nil where it may be.
    private static func refusal(
        of release: Release,
        node: NodeConfiguration,
        memory: NodeMemory,
        isInUse: Bool,
        at date: Timestamp
    ) -> String? {
        if memory.isPoison(release.set) { return "poison: set \(release.set.hexadecimal.prefix(12))" }
        if let tried = memory.tried.first(where: { $0.sequence == release.sequence }) {
            return "it was tried before: \(tried.reason)"
        }
        if isInUse { return nil }
        if let required = release.requiredVersion {
            let order = VersionComparison.compare(Array(node.version.utf8).span, Array(required.utf8).span)
            if order != .equal, order != .greater {
                return "it requires Shunt \(required), and this is \(node.version)"
            }
        }
        // Clocks may be five minutes apart.
        if let expires = release.expires, date.seconds > expires.seconds, date.seconds - expires.seconds > 300 {
            return "it expired at \(expires)"
        }
        if release.rules == 0, !node.allowsEmpty { return "it has no rules, and this node does not allow that" }
        return nil
    }
}
