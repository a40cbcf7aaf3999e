#if os(Linux)
import Synchronization

/// The events of one watcher from Linux's inotify, of which all watchers of the process share one instance.
final class InotifyEvents: FileEvents {
    private let inotify: SharedInotify
    private let client = Mutex<Int?>(nil)

    init(_ inotify: SharedInotify = .process) { self.inotify = inotify }

    deinit { stop() }

    func start(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) throws(FileEventsError) {
        let number = try inotify.add(deliver)
        client.withLock { $0 = number }
    }

    func watch(_ directories: Set<String>) throws(FileEventsError) -> Set<String> {
        guard let number = client.withLock({ $0 }) else { return [] }
        return try inotify.watch(directories, for: number)
    }

    func deliverPending() { inotify.deliverPending() }

    func stop() {
        let number = client.withLock { client in
            defer { client = nil }
            return client
        }
        if let number { inotify.remove(number) }
    }
}
#endif
