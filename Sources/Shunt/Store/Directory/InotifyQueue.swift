import Glibc

/// An inotify instance with a pipe that ends the wait for its events (inotify(7)).
///
/// The descriptors close with the last reference. A thread that waits or reads has one, so that none of them is used after it
/// was closed.
///
/// Why the unsafe code is sound: the kernel writes into arrays that outlive the call, at most as many bytes as they have.
final class InotifyQueue: Sendable {
    let descriptor: CInt
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

    static func error(_ what: String) -> FileEventsError {
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
