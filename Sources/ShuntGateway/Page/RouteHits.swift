#if Gateway
import Synchronization

/// The number of requests for each route, by its name; each event loop counts separately.
final class RouteHits: Sendable {
    /// The most names that are counted: repeated reloads could bring new ones for ever.
    private static let limit = 100_000

    /// One loop's.
    private final class Shard: Sendable {
        let counts = Mutex<[String: Int]>([:])
    }

    private let shards: [Shard]

    init(loops: Int) { shards = (0..<max(1, loops)).map { _ in Shard() } }

    func count(_ route: String, shard: Int) {
        // No one waits for the lock but a reader.
        shards[shard % shards.count].counts
            .withLock { counts in
                guard counts.count < Self.limit || counts[route] != nil else { return }
                counts[route, default: 0] += 1
            }
    }

    /// The sums.
    var all: [String: Int] {
        shards.reduce(into: [:]) { sums, shard in
            for (name, count) in shard.counts.withLock({ $0 }) { sums[name, default: 0] += count }
        }
    }
}
#endif
