/// The stage of the rollout of the release in use, and the time since it was seen.
struct SeenStage: Sendable {
    let sequence: Int
    private let patience: Duration
    private var stage: Int
    private var since: Duration

    init(_ release: Release, _ view: PointerView?, at now: Duration) {
        sequence = release.sequence
        patience = .seconds(release.rollout.confirmSeconds)
        stage = view?.offered?.sequence == release.sequence ? view?.progress.stage ?? 0 : 0
        since = now
    }

    /// The time when the release has to be confirmed.
    var deadline: Duration { since + patience }

    /// Only continuing counts: an old pointer with an earlier stage confirms nothing.
    mutating func take(_ view: PointerView, at now: Duration) {
        guard sequence == view.offered?.sequence, view.progress.stage > stage else { return }
        (stage, since) = (view.progress.stage, now)
    }
}
