#if Gateway
import Dispatch
import Glibc
import Shunt
import Synchronization

/// The addresses of names: looked up side by side, and remembered for a short time.
///
/// Each name is asked for once at a time, on a separate thread, so that a server that is silent for one name delays no
/// other.
final class NameTable: Sendable {
    /// Called with the addresses; none if the name has no address.
    typealias Answer = @Sendable ([String]) -> Void

    private struct Entry {
        var addresses: [String] = []
        /// Until when the addresses are not looked up again.
        var end: ContinuousClock.Instant?
        /// True if it is being looked up, or waits for its turn.
        var isLookedUp = false
        var waiting: [Answer] = []
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The number of names being looked up.
        var count = 0
        /// Names that wait for one of those to end.
        var queue: [String] = []
    }

    /// The time that an answer is remembered, also a missing address.
    static let memory: Duration = .seconds(5)
    /// The most names that are looked up at once.
    static let mostAtOnce = 64
    /// The most names that are remembered.
    private static let mostNames = 1024

    private let state = Mutex(State())
    private let lookUp: @Sendable (String) -> [String]
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - lookUp: Asks the system; may block.
    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        lookUp: @escaping @Sendable (String) -> [String] = { AddressLookup.addresses(of: $0) }
    ) {
        self.now = now
        self.lookUp = lookUp
    }

    /// Finds the addresses of a name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - isFresh: True if what is remembered does not count.
    ///   - answer: Called once: at once, or on another thread.
    func find(_ name: String, isFresh: Bool = false, _ answer: @escaping Answer) {
        let time = now()
        let (known, begins) = state.withLock { state -> ([String]?, Bool) in
            var entry = state.entries[name] ?? Entry()
            let isBusy = state.count >= Self.mostAtOnce
            if !isFresh, let end = entry.end, time < end { return (entry.addresses, false) }
            // Clients may choose names that nothing answers: a known address serves until the name has its turn.
            let old = isBusy && !isFresh && !entry.addresses.isEmpty ? entry.addresses : nil
            if old == nil { entry.waiting.append(answer) }
            let isNew = !entry.isLookedUp
            entry.isLookedUp = true
            if state.entries.count >= Self.mostNames {
                state.entries = state.entries.filter { $0.value.isLookedUp }
            }
            state.entries[name] = entry
            guard isNew, !isBusy else {
                if isNew { state.queue.append(name) }
                return (old, false)
            }
            state.count += 1
            return (nil, true)
        }
        if let known { return answer(known) }
        if begins { begin(name) }
    }

    /// The addresses of names, all looked up at once; blocks until there are answers.
    func find(_ names: Set<String>) -> [String: [String]] {
        let found = Mutex<[String: [String]]>([:])
        let group = DispatchGroup()
        for name in names {
            group.enter()
            find(name, isFresh: true) { addresses in
                found.withLock { $0[name] = addresses }
                group.leave()
            }
        }
        group.wait()
        return found.withLock { $0 }
    }

    private func begin(_ name: String) {
        let work: @Sendable () -> Void = { [self] in
            var next: String? = name
            while let name = next { next = end(name, lookUp(name)) }
        }
        // Without a thread there is no answer.
        guard !BackgroundThread.start(work) else { return }
        var next: String? = name
        while let name = next { next = end(name, []) }
    }

    /// Answers those who wait for a name.
    ///
    /// - Returns: The name that is looked up next on this thread.
    private func end(_ name: String, _ addresses: [String]) -> String? {
        let time = now()
        let (waiting, next) = state.withLock { state -> ([Answer], String?) in
            let waiting = state.entries[name]?.waiting ?? []
            state.entries[name] = Entry(addresses: addresses, end: time + Self.memory)
            guard !state.queue.isEmpty else {
                state.count -= 1
                return (waiting, nil)
            }
            return (waiting, state.queue.removeFirst())
        }
        for answer in waiting { answer(addresses) }
        return next
    }
}

/// The addresses of a host's name, as the system knows them.
enum AddressLookup {
    /// Looks a name up; blocks until there is an answer.
    ///
    /// - Returns: The addresses in the system's order; none where the name is unknown.
    static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var result: [String] = []
        var entry = unsafe first
        while let current = unsafe entry {
            if let text = unsafe text(of: current.pointee), !result.contains(text) { result.append(text) }
            unsafe entry = current.pointee.ai_next
        }
        return result
    }

    /// An address as text.
    ///
    /// The pointer is to a structure of `ai_addrlen` bytes that lives until `freeaddrinfo`, and `getnameinfo`
    /// writes no more than it has room for.
    private static func text(of entry: addrinfo) -> String? {
        var bytes = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            entry.ai_addr,
            entry.ai_addrlen,
            &bytes,
            socklen_t(bytes.count),
            nil,
            0,
            NI_NUMERICHOST
        )
        guard status == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
