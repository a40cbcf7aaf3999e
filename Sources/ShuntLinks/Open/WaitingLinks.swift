import ShuntModules
import Synchronization

/// The URLs that came while modules start, as far as those after them have to know.
final class WaitingLinks: Sendable {
    private let last = Mutex<Promise<Void>?>(nil)

    /// Puts a URL at the end of the line, whose `turn` is kept when it has been opened; returns the turn of the URL before it.
    func join(_ turn: Promise<Void>) -> Promise<Void>? {
        last.withLock { last in
            defer { last = turn }
            return last
        }
    }
}
