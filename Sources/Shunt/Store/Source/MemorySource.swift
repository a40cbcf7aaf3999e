public import ShuntRouting
import ShuntRules
import Synchronization

/// A rule source that the program itself feeds: for rules that come with the program, over a connection, or in a test.
///
/// Thread safe.
public final class MemorySource: RuleSource {
    private struct State {
        var archive: RuleArchive
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    private let state: Mutex<State>
    private let routing: RoutingOptions

    /// The name given when the source was made.
    public let name: String

    /// Makes a source that holds a rule set.
    ///
    /// - Parameters:
    ///   - archive: The files.
    ///   - name: The name for people.
    ///   - routing: How the patterns of `route` directives are read.
    public init(_ archive: RuleArchive, name: String = "memory", routing: RoutingOptions = RoutingOptions()) {
        self.name = name
        self.routing = routing
        state = Mutex(State(archive: archive))
    }

    /// Puts another rule set in place and tells those who wait for changes.
    public func replace(with archive: RuleArchive) {
        let listeners = state.withLock { state in
            state.archive = archive
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// Compiles the set that is in place.
    public func load() async throws -> LoadedRules {
        let archive = state.withLock { $0.archive }
        return try await BackgroundThread.run(niceness: BackgroundThread.loading) { [routing] in
            try LoadedRules(compiling: archive, routing: routing)
        }
    }

    /// Yields after each `replace(with:)`.
    public func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let identifier = state.withLock { state in
            let identifier = state.nextListener
            state.nextListener &+= 1
            state.listeners[identifier] = continuation
            return identifier
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: identifier) }
        }
        return stream
    }
}
