import Glibc
import Synchronization

/// Events from Linux's inotify (inotify(7)).
///
/// Directories are watched, never files: a file that is replaced by a rename would take its watch with it.
///
/// Why the unsafe code is sound: the buffer for events outlives the `read` that fills it; records are copied out of it
/// with checks against the number of bytes read. A descriptor is closed once, by the thread that waits for it, under the
/// lock that reading takes; the pipe's other end by `stop`.
final class InotifyEvents: FileEvents {
    /// The reading end: one thread at a time reads and delivers, so that events keep their order.
    private struct Reader {
        var descriptor: CInt
        var deliver: @Sendable ([FileEvent]) -> Void
        var buffer = [UInt8](repeating: 0, count: 65_536)

        /// Reads what the kernel has; returns the number of bytes, 0 or less if there are no bytes.
        mutating func fill() -> Int {
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { space in
                    unsafe read(descriptor, space.baseAddress, space.count)
                }
                if count >= 0 || errno != EINTR { return count }
            }
        }
    }

    private struct State {
        var descriptor: CInt = -1
        /// The end of a pipe; closing it stops the thread.
        var stopping: CInt = -1
        var directories: [CInt: Set<String>] = [:]
    }

    private let state = Mutex(State())
    private let reader = Mutex<Reader?>(nil)

    private static let wanted =
        UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)

    deinit { stop() }

    func start(_ deliver: @escaping @Sendable ([FileEvent]) -> Void) throws(FileEventsError) {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { throw Self.error("inotify is not available") }
        var ends: [CInt] = [-1, -1]
        guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) == 0 else {
            let error = Self.error("no descriptor is left")
            close(descriptor)
            throw error
        }
        let (stopped, stopping) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        state.withLock { $0 = State(descriptor: descriptor, stopping: stopping) }
        reader.withLock { $0 = Reader(descriptor: descriptor, deliver: deliver) }
        let isStarted = BackgroundThread.start { [weak self] in
            Self.waitForEvents(descriptor, until: stopped) {
                self?.deliverPending()
                return self != nil
            }
            if let self {
                self.state.withLock { if $0.descriptor == descriptor { $0.descriptor = -1 } }
                self.reader.withLock {
                    $0 = nil
                    close(descriptor)
                }
            } else {
                close(descriptor)
            }
            close(stopped)
        }
        guard isStarted else {
            state.withLock { $0 = State() }
            reader.withLock { $0 = nil }
            for descriptor in [descriptor, stopped, stopping] { close(descriptor) }
            throw FileEventsError("no thread is left")
        }
    }

    func watch(_ directories: Set<String>) throws(FileEventsError) -> Set<String> {
        var missing: Set<String> = []
        var failure: FileEventsError?
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            var kept: [CInt: Set<String>] = [:]
            for directory in directories {
                let watch = unsafe inotify_add_watch(state.descriptor, directory, Self.wanted)
                if watch >= 0 {
                    kept[watch, default: []].insert(directory)
                } else if errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP {
                    missing.insert(directory)
                } else if failure == nil {
                    failure = Self.error("cannot watch \(directory)")
                }
            }
            for watch in state.directories.keys where kept[watch] == nil {
                _ = inotify_rm_watch(state.descriptor, watch)
            }
            state.directories = kept
        }
        if let failure { throw failure }
        return missing
    }

    func stop() {
        state.withLock { state in
            // The thread sees this and closes the descriptor of the events, which is not used here again.
            if state.stopping >= 0 { close(state.stopping) }
            state = State()
        }
    }

    func deliverPending() {
        reader.withLock { reader in
            while let count = reader?.fill(), count > 0, let reader {
                let events = events(in: reader.buffer[..<count])
                if !events.isEmpty { reader.deliver(events) }
            }
        }
    }

    /// Calls `take` whenever there are events, until that returns false or the pipe `stop` is closed.
    private static func waitForEvents(_ descriptor: CInt, until stop: CInt, _ take: () -> Bool) {
        while true {
            var waiting = [descriptor, stop].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = unsafe waiting.withUnsafeMutableBufferPointer { list in
                unsafe poll(list.baseAddress, nfds_t(list.count), -1)
            }
            if ready < 0, errno != EINTR { return }
            if waiting[1].revents != 0 { return }
            if waiting[0].revents != 0, !take() { return }
        }
    }

    // MARK: Records

    private func events(in bytes: ArraySlice<UInt8>) -> [FileEvent] {
        state.withLock { state in
            var events: [FileEvent] = []
            for record in InotifyRecord.all(in: bytes) {
                if record.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    events.append(FileEvent(.lost))
                    continue
                }
                guard let kind = Self.kind(of: record.mask) else {
                    // The kernel has taken the watch away, or we have.
                    if record.mask & UInt32(IN_IGNORED) != 0 { state.directories[record.watch] = nil }
                    continue
                }
                for directory in state.directories[record.watch] ?? [] {
                    events.append(FileEvent(kind, in: directory, name: record.name))
                }
            }
            return events
        }
    }

    private static func kind(of mask: UInt32) -> FileEvent.Kind? {
        if mask & (UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)) != 0 { return .directoryGone }
        if mask & (UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) != 0 { return .appeared }
        if mask & (UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)) != 0 { return .disappeared }
        if mask & UInt32(IN_CLOSE_WRITE) != 0 { return .closed }
        if mask & UInt32(IN_MODIFY) != 0 { return .modified }
        if mask & UInt32(IN_ATTRIB) != 0 { return .attributes }
        return nil
    }

    private static func error(_ what: String) -> FileEventsError {
        let reason =
            switch errno {
            case ENOSPC: "the limit fs.inotify.max_user_watches is reached"
            case EMFILE: "the limit fs.inotify.max_user_instances or the process's limit on open files is reached"
            case ENFILE: "the system's limit on open files is reached"
            default: "system error \(errno)"
            }
        return FileEventsError("\(what): \(reason)")
    }
}

struct InotifyRecord {
    var watch: CInt
    var mask: UInt32
    var name: String

    /// The records in a buffer: a head of 16 bytes (watch, mask, cookie, length), and a name filled up with NUL bytes.
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyRecord] {
        var records: [InotifyRecord] = []
        var position = bytes.startIndex
        while bytes.endIndex - position >= 16 {
            let length = Int(word(bytes, position + 12))
            guard length <= bytes.endIndex - position - 16 else { break }
            let name = bytes[(position + 16)..<(position + 16 + length)].prefix { $0 != 0 }
            records.append(
                InotifyRecord(
                    watch: CInt(bitPattern: word(bytes, position)),
                    mask: word(bytes, position + 4),
                    name: String(decoding: name, as: UTF8.self)
                )
            )
            position += 16 + length
        }
        return records
    }

    /// A number in the byte order of the machine.
    private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
        var value: UInt32 = 0
        for byte in bytes[offset..<(offset + 4)].reversed() { value = value &<< 8 | UInt32(byte) }
        return UInt32(littleEndian: value)
    }
}
