#if Fleet
import Shunt
import Synchronization

/// The rules of a node as its store sees them: the set that the node has decided for.
final class ReleaseSource: RuleSource {
    /// A set that is to be used, and what was signed about it.
    struct Offer: Sendable {
        var archive: RuleArchive
        var release: Release
        /// True if it follows the release in use, so that its budget is about the difference.
        var follows: Bool
    }

    let name: String
    private let routing: RoutingOptions
    private let state: Mutex<(offer: Offer?, condition: String?)> = Mutex((nil, nil))

    init(name: String, routing: RoutingOptions) {
        self.name = name
        self.routing = routing
    }

    var condition: String? { state.withLock { $0.condition } }

    func replace(with offer: Offer) { state.withLock { $0.offer = offer } }

    func note(condition: String?) { state.withLock { $0.condition = condition } }

    func load() async throws -> LoadedRules {
        guard let offer = state.withLock({ $0.offer }) else { throw FleetError("no release has come yet") }
        return try await MemorySource(offer.archive, routing: routing).load()
    }

    /// The node itself asks the store to load, since it has to know its result.
    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Refuses rules that are others than were signed, or that change more than their release states.
    func check(_ candidate: RuleStore.Candidate) throws {
        guard let offer = state.withLock({ $0.offer }) else { return }
        guard candidate.ruleSet.contentHash == offer.release.content.hexadecimal else {
            throw FleetError("the content hash of the rules is not the one of release \(offer.release.sequence)")
        }
        guard offer.follows, offer.release.kind == .publish, candidate.current != nil else { return }
        let changes = candidate.changes()
        let excess = offer.release.budget.excess(
            removed: changes.removedCount,
            added: changes.addedCount,
            edited: changes.editedCount,
            of: changes.previousCount
        )
        if let excess { throw FleetError(excess) }
    }
}
#endif
