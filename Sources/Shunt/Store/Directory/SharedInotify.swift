#if os(Linux)
import Synchronization

/// The inotify instance and the thread that all watchers of a process share.
///
/// The system allows 128 instances for a user, and a program may have a store for each of a thousand tenants. The first
/// client creates the instance, and the last one ends it.
///
/// Directories are watched, never files: a file that is replaced by a rename would take its watch with it. The kernel has
/// one watch for a directory, however many clients add it and by which path.
///
/// Locks: `buffer` first, then either `state` or the one of a listener. Clients are called under `buffer` and their own lock,
/// and have to return soon, since the other clients wait: they note the events and do their work on other threads.
final class SharedInotify: Sendable {
    /// The receiver of a client's events.
    private final class Listener: Sendable {
        let deliver: Mutex<(@Sendable ([FileEvent]) -> Void)?>

        init(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) { self.deliver = Mutex(deliver) }
    }

    private struct Client {
        var listener: Listener
        /// The directories by watch, as the client calls them.
        var directories: [CInt: Set<String>] = [:]
    }

    private struct State {
        /// The instance; nil without clients.
        var queue: InotifyQueue?
        var clients: [Int: Client] = [:]
        var nextClient = 0
        var clientsOfWatches: [CInt: Set<Int>] = [:]

        /// Ends the interest of a client in a watch, which ends with the last one.
        mutating func remove(_ client: Int, from watch: CInt) {
            clients[client]?.directories[watch] = nil
            clientsOfWatches[watch]?.remove(client)
            guard let queue, clientsOfWatches[watch]?.isEmpty == true else { return }
            clientsOfWatches[watch] = nil
            queue.endWatch(watch)
        }
    }

    /// The one of this process.
    static let process = SharedInotify()

    private let state = Mutex(State())
    /// The space for records, which one thread at a time reads and delivers, so that events keep their order.
    private let buffer = Mutex([UInt8](repeating: 0, count: 65_536))

    // MARK: Clients

    /// Adds a client; returns its number.
    func add(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) throws(FileEventsError) -> Int {
        try state.withLock { state throws(FileEventsError) in
            if state.queue == nil {
                let queue = try InotifyQueue()
                let isStarted = BackgroundThread.start { while queue.wait() { self.deliverPending(of: queue) } }
                guard isStarted else { throw FileEventsError("no thread is left") }
                state.queue = queue
            }
            defer { state.nextClient &+= 1 }
            state.clients[state.nextClient] = Client(listener: Listener(deliver))
            return state.nextClient
        }
    }

    /// Watches these directories for a client and no others; returns those that do not exist.
    func watch(_ directories: Set<String>, for client: Int) throws(FileEventsError) -> Set<String> {
        var kept: [CInt: Set<String>] = [:]
        var missing: Set<String> = []
        var failure: FileEventsError?
        for directory in directories {
            // The lock is taken again for each, so that other clients do not wait for thousands.
            state.withLock { state in
                guard let queue = state.queue, state.clients[client] != nil else { return }
                do throws(FileEventsError) {
                    guard let watch = try queue.watch(directory) else {
                        missing.insert(directory)
                        return
                    }
                    kept[watch, default: []].insert(directory)
                    state.clientsOfWatches[watch, default: []].insert(client)
                    state.clients[client]?.directories[watch, default: []].insert(directory)
                } catch {
                    if failure == nil { failure = error }
                }
            }
        }
        state.withLock { state in
            for watch in (state.clients[client]?.directories ?? [:]).keys {
                if let names = kept[watch] {
                    state.clients[client]?.directories[watch] = names
                } else {
                    state.remove(client, from: watch)
                }
            }
        }
        if let failure { throw failure }
        return missing
    }

    /// Removes a client, which is not called after that.
    ///
    /// It waits for a call that is in progress, and so is never called from one.
    func remove(_ client: Int) {
        let (listener, unused) = state.withLock { state in
            for watch in (state.clients[client]?.directories ?? [:]).keys { state.remove(client, from: watch) }
            let listener = state.clients.removeValue(forKey: client)?.listener
            let unused = state.clients.isEmpty ? state.queue : nil
            if unused != nil { state.queue = nil }
            return (listener, unused)
        }
        unused?.end()
        listener?.deliver.withLock { $0 = nil }
    }

    // MARK: Events

    /// Delivers to all clients everything that has happened so far before it returns.
    func deliverPending() {
        if let queue = state.withLock({ $0.queue }) { deliverPending(of: queue) }
    }

    private func deliverPending(of queue: InotifyQueue) {
        buffer.withLock { buffer in
            queue.takePending(into: &buffer) { records in
                for (listener, events) in events(in: records, of: queue) { listener.deliver.withLock { $0?(events) } }
            }
        }
    }

    private func events(in records: [InotifyRecord], of queue: InotifyQueue) -> [(Listener, [FileEvent])] {
        state.withLock { state in
            // The numbers of watches of an instance that has ended mean nothing in the next one.
            guard state.queue === queue else { return [] }
            var events: [Int: [FileEvent]] = [:]
            for record in records {
                if record.kind == .lost {
                    for client in state.clients.keys { events[client, default: []].append(FileEvent(.lost)) }
                }
                let clients = state.clientsOfWatches[record.watch] ?? []
                if let kind = record.kind {
                    for client in clients {
                        for directory in state.clients[client]?.directories[record.watch] ?? [] {
                            events[client, default: []].append(FileEvent(kind, in: directory, name: record.name))
                        }
                    }
                } else if record.endsWatch {
                    // The kernel has ended the watch. It does not use the number again for a long time.
                    for client in clients { state.remove(client, from: record.watch) }
                }
            }
            return events.compactMap { client, events in state.clients[client].map { ($0.listener, events) } }
        }
    }
}
#endif
