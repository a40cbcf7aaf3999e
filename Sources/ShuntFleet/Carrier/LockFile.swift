#if Fleet
import Glibc
import Synchronization

/// A file that one holder has at a time, until it closes it or its process ends, however it ends.
///
/// Thread safe.
final class LockFile: ConductorLease {
    private let path: String
    private let descriptor: Mutex<Int32?>

    /// Takes the lock; nil where another one holds it.
    init?(_ path: String) throws(FleetError) {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw FleetError("\(path): cannot be opened, system error \(errno)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            _ = Glibc.close(descriptor)
            if error == EWOULDBLOCK { return nil }
            throw FleetError("\(path): cannot be locked, system error \(error)")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    func close() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let held { _ = Glibc.close(held) }
    }

    func renew() async throws -> Bool { descriptor.withLock { $0 != nil } }

    func end() async { close() }
}
#endif
