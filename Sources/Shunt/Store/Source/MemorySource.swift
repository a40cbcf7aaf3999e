public import ShuntRouting
import Synchronization

/// A rule source that the program itself feeds: for rules that come with the program, over a connection, or in a test.
///
/// Thread safe.
public final class MemorySource: RuleSource {
    private struct State {
        var archive: RuleArchive
        /// True if no one has loaded it.
        var isNew = true
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    private let state: Mutex<State>
    private let routing: RoutingOptions

    /// The name given when the source was made.
    public let name: String

    /// Makes a source that holds a rule set; the name is for people.
    public init(_ archive: RuleArchive, name: String = "memory", routing: RoutingOptions = RoutingOptions()) {
        self.name = name
        self.routing = routing
        state = Mutex(State(archive: archive))
    }

    /// Puts another rule set in place and wakes those who wait for changes.
    public func replace(with archive: RuleArchive) {
        let listeners = state.withLock { state in
            state.archive = archive
            state.isNew = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// Compiles the set that is in place.
    public func load() async throws -> LoadedRules {
        let archive = state.withLock { state in
            state.isNew = false
            return state.archive
        }
        return try await BackgroundThread.run(niceness: BackgroundThread.loading) { [routing] in
            try LoadedRules(compiling: archive, routing: routing)
        }
    }

    /// Yields after each `replace(with:)`, and at once where no one has loaded the set that is in place.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let (identifier, isNew) = state.withLock { state in
            let identifier = state.nextListener
            state.nextListener &+= 1
            state.listeners[identifier] = continuation
            return (identifier, state.isNew)
        }
        if isNew { continuation.yield() }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: identifier) }
        }
        return stream
    }
}
