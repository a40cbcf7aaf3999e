#if os(Linux)
// Musl comes first, because scripts/check-musl has its headers next to the module of glibc.
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An inotify instance with a pipe that ends the wait for its events (inotify(7)).
///
/// The descriptors close with the last reference. A thread that waits or reads has one, so that none of them is used after it
/// was closed.
///
/// Why the unsafe code is sound: the kernel writes into arrays that outlive the call, at most as many bytes as they have.
final class InotifyQueue: Sendable {
    private let descriptor: CInt
    private let ended: CInt
    private let ending: CInt

    init() throws(FileEventsError) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { throw Self.error("inotify is not available") }
        var ends: [CInt] = [-1, -1]
        guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) == 0 else {
            let error = Self.error("no descriptor is left")
            close(descriptor)
            throw error
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (ended, ending) = (ends[0], ends[1])
    }

    deinit {
        for descriptor in [descriptor, ended, ending] { close(descriptor) }
    }

    private static let wanted =
        UInt32(IN_MODIFY) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM)
        | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)
        | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)

    /// Watches a directory; returns the number of the watch, or nil if there is no such directory.
    func watch(_ directory: String) throws(FileEventsError) -> CInt? {
        let watch = unsafe inotify_add_watch(descriptor, directory, Self.wanted)
        if watch >= 0 { return watch }
        if [ENOENT, ENOTDIR, EACCES, ELOOP].contains(errno) { return nil }
        throw Self.error("cannot watch \(directory)")
    }

    func endWatch(_ watch: CInt) { _ = inotify_rm_watch(descriptor, watch) }

    /// Waits for events; returns false after `end`.
    func wait() -> Bool {
        while true {
            var waiting = [descriptor, ended].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = unsafe waiting.withUnsafeMutableBufferPointer { list in
                unsafe poll(list.baseAddress, nfds_t(list.count), -1)
            }
            if ready > 0 { return waiting[1].revents == 0 }
            // The system is short of memory. All watches of the process depend on this thread, so it tries again.
            if errno != EINTR { sleep(1) }
        }
    }

    /// Ends the wait, now or later.
    func end() {
        let bytes: [UInt8] = [0]
        // A forked process has the descriptor, too: closing it would not end the wait.
        _ = unsafe bytes.withUnsafeBytes { unsafe write(ending, $0.baseAddress, $0.count) }
    }

    /// Takes the records that are there now.
    ///
    /// Those that come meanwhile are left, since a program may write faster than this reads.
    func takePending(into buffer: inout [UInt8], _ body: ([InotifyRecord]) -> Void) {
        var pending: CInt = 0
        unsafe withUnsafeMutablePointer(to: &pending) { _ = unsafe ioctl(descriptor, UInt(FIONREAD), $0) }
        repeat {
            let count = unsafe buffer.withUnsafeMutableBytes { space in
                unsafe read(descriptor, space.baseAddress, space.count)
            }
            guard count > 0 else { return }
            body(InotifyRecord.all(in: buffer[..<count]))
            pending -= CInt(count)
        } while pending > 0
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

    /// The kind of the event; nil if the watch has ended, or the event is of no interest.
    var kind: FileEvent.Kind? {
        func has(_ bits: Int32) -> Bool { mask & UInt32(bits) != 0 }
        if has(IN_Q_OVERFLOW) { return .lost }
        if has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) { return .directoryGone }
        if has(IN_CREATE | IN_MOVED_TO) { return .appeared }
        if has(IN_DELETE | IN_MOVED_FROM) { return .disappeared }
        if has(IN_CLOSE_WRITE) { return .closed }
        if has(IN_MODIFY) { return .modified }
        return has(IN_ATTRIB) ? .attributes : nil
    }

    /// True if the kernel has ended the watch.
    var endsWatch: Bool { mask & UInt32(IN_IGNORED) != 0 }

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
#endif
