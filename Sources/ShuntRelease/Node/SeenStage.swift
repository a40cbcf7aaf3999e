/// How far the rollout of the release in use was seen to be, and since when.
struct SeenStage: Sendable {
    let sequence: Int
    private var stage: Int
    private(set) var since: Duration

    init(_ release: Release, _ view: PointerView?, at now: Duration) {
        sequence = release.sequence
        stage = view?.offered?.sequence == release.sequence ? view?.progress.stage ?? 0 : 0
        since = now
    }

    /// Only going on counts: what an old pointer says of an earlier stage confirms nothing.
    mutating func take(_ view: PointerView, at now: Duration) {
        guard sequence == view.offered?.sequence, view.progress.stage > stage else { return }
        (stage, since) = (view.progress.stage, now)
    }
}
