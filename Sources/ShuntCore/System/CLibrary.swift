// Musl comes first, because scripts/check-musl has its headers next to the module of glibc.
#if canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

// The C library as the engine uses it: no other file of this target imports it, and of the targets on it only the file for inotify.
//
// Why the unsafe code is sound: every pointer handed to a call is that of a local value or buffer which outlives the call, with its own
// length; what `realpath`, `readdir` and `strerror` return is copied before it is freed or reused.

// MARK: Clocks

extension Timestamp {
    /// The moment of the call, by the system's real-time clock.
    public static func now() -> Timestamp {
        var time = timespec()
        // It cannot fail for this clock.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
    }
}

/// The processor time that threads have taken, for work that must end whatever else the machine does.
package enum ProcessorTime {
    /// Returns the processor time of the calling thread since it began.
    package static func ofThread() -> Duration {
        var time = timespec()
        // It cannot fail for this clock.
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

/// Times of the day in the time zone of the machine.
package enum LocalDay {
    /// The seconds since 1970 of the next moment that is so many seconds after midnight.
    package static func next(seconds: Int, after now: Int64) -> Int64 {
        var start = time_t(now)
        // No one reads the name of the zone.
        var day = unsafe tm()
        _ = unsafe localtime_r(&start, &day)
        unsafe day.tm_hour = CInt(seconds / 3_600)
        unsafe day.tm_min = CInt(seconds / 60 % 60)
        unsafe day.tm_sec = CInt(seconds % 60)
        let today = Int64(unsafe mktime(&day))
        if today > now { return today }
        unsafe day.tm_mday += 1
        return Int64(unsafe mktime(&day))
    }
}

// MARK: The machine and the process

/// The machine that the rules run on.
package enum HostMachine {
    /// Its name in lower case, for `$hostname`; empty if the system does not report it.
    package static let name: [UInt8] = {
        var buffer = [CChar](repeating: 0, count: 256)
        // The call writes at most the given number of bytes; the last byte stays zero whatever it does.
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
        return buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0).asciiLowercased }
    }()

    /// The number of this process.
    package static var process: Int { Int(getpid()) }

    /// Advises the system to back memory by large pages: without it nothing but speed is lost.
    @unsafe static func useLargePages(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        #if os(Linux)
        _ = unsafe madvise(memory, byteCount, CInt(MADV_HUGEPAGE))
        #endif
    }
}

/// Threads of the system.
///
/// Why the unsafe code is sound: the pointer handed to the new thread owns one reference to the work, which the thread
/// takes over exactly once; where no thread could be made, the caller takes it back.
package enum SystemThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread; returns false where the system has no more.
    package static func start(niceness: CInt, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(
            Work {
                if niceness > 0 { lowerPriority(niceness) }
                body()
            }
        )
        #if canImport(Musl) || canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let result = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                // Only some systems declare it as optional.
                let pointer: UnsafeMutableRawPointer? = unsafe argument
                guard let pointer = unsafe pointer else { return nil }
                pthread_detach(pthread_self())
                unsafe Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            work.toOpaque()
        )
        guard result == 0 else {
            unsafe work.release()
            return false
        }
        return true
    }

    /// Lowers the priority of the calling thread, which needs no privilege.
    private static func lowerPriority(_ niceness: CInt) {
        #if canImport(Darwin)
        _ = pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
        #elseif canImport(Musl) || canImport(Android)
        _ = setpriority(PRIO_PROCESS, 0, niceness)
        #else
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        #endif
    }
}

// MARK: Files

/// Calls about files, which a signal does not end.
enum FileCalls {
    static let currentDirectory = AT_FDCWD
    /// The length of a path, with the NUL after it, that is too long.
    static let longestPath = Int(PATH_MAX)

    /// Flags for reading without waiting for the other end of a pipe.
    static let reading = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    static let listing = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #if os(Linux) || os(Android)
    /// Flags for a directory to walk on from, not to read: `O_PATH`, which the header of glibc hides from Swift.
    static let walking = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC
    #else
    static let walking = listing
    #endif
    static let noLink = O_NOFOLLOW

    static func open(
        _ path: UnsafePointer<CChar>,
        _ flags: CInt,
        in directory: CInt = currentDirectory
    ) throws(FileError) -> CInt {
        try retrying { unsafe openat(directory, path, flags, 0o600) }
    }

    static func end(_ descriptor: CInt) { _ = close(descriptor) }

    /// Returns the next bytes, at most `limit`; an empty array at the end.
    static func bytes(of descriptor: CInt, limit: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(FileError) {
                count = try retrying { unsafe read(descriptor, buffer.baseAddress, limit) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Creates a file for its owner alone, and waits until its content is on the disk.
    static func create(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let descriptor = try unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
        do throws(FileError) {
            var start = 0
            while start < bytes.count {
                let rest = bytes[start...]
                start += try retrying {
                    unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
                }
            }
            try synchronize(descriptor)
        } catch {
            end(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw lastError() }
    }

    static func synchronize(_ descriptor: CInt) throws(FileError) { _ = try retrying { fsync(descriptor) } }

    /// Returns the facts about an open file.
    static func status(of descriptor: CInt) throws(FileError) -> FileStatus {
        try status { unsafe fstat(descriptor, &$0) }
    }

    /// Returns the facts about a file, or about the target of a link.
    static func status(_ path: UnsafePointer<CChar>) throws(FileError) -> FileStatus {
        try status { unsafe stat(path, &$0) }
    }

    /// Returns the facts about a file, or about a link.
    static func status(
        ofLink path: UnsafePointer<CChar>,
        in directory: CInt = currentDirectory
    ) throws(FileError) -> FileStatus {
        try status { unsafe fstatat(directory, path, &$0, AT_SYMLINK_NOFOLLOW) }
    }

    private static func status(_ call: (inout stat) -> CInt) throws(FileError) -> FileStatus {
        var status = stat()
        guard call(&status) == 0 else { throw lastError() }
        return FileStatus(status)
    }

    /// Returns the names in a directory, without `.` and `..`, in the order of the system.
    static func names(in directory: String, limit: Int) throws(FileError) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw lastError() }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw lastError() }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                let capacity = MemoryLayout.size(ofValue: unsafe field.pointee)
                return unsafe field.withMemoryRebound(to: CChar.self, capacity: capacity) { start in
                    unsafe String(cString: start)
                }
            }
            guard name != ".", name != ".." else { continue }
            guard names.count < limit else { throw FileError(.overLimit(limit)) }
            names.append(name)
        }
    }

    /// Returns the path without symbolic links; one that is not UTF-8 is not found.
    static func realPath(_ path: String) throws(FileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw lastError() }
        defer { unsafe free(resolved) }
        guard let text = unsafe String(validatingCString: resolved) else { throw FileError(.notFound) }
        return text
    }

    static func move(_ path: String, to other: String) throws(FileError) {
        guard unsafe rename(path, other) == 0 else { throw lastError() }
    }

    static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 else { throw lastError() }
    }

    /// Returns the text for an error number.
    static func text(of number: CInt) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "system error \(number)"
    }

    /// Makes a system call again while a signal interrupts it.
    private static func retrying<Result: SignedInteger>(_ call: () -> Result) throws(FileError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw lastError() }
        }
    }

    private static func lastError() -> FileError {
        switch errno {
        case ENOENT, ENOTDIR, ENAMETOOLONG: FileError(.notFound)
        case EACCES, EPERM, EROFS: FileError(.accessDenied)
        case ELOOP: FileError(.symbolicLink)
        case ENXIO: FileError(.wrongKind(.socket))
        case EISDIR: FileError(.wrongKind(.directory))
        default: FileError(.system(errno))
        }
    }
}

/// The facts about a file as the system reports them.
struct FileStatus {
    let attributes: FileAttributes
    let device: UInt64
    let owner: UInt32

    fileprivate init(_ status: stat) {
        let kind: FileAttributes.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFIFO: .pipe
            case S_IFCHR, S_IFBLK: .device
            case S_IFSOCK: .socket
            default: .other
            }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        attributes = FileAttributes(
            kind: kind,
            size: Int(status.st_size),
            modificationTime: Timestamp(
                seconds: Int64(time.tv_sec),
                nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec)
            ),
            inode: UInt64(status.st_ino),
            isOwnerExecutable: status.st_mode & S_IXUSR != 0
        )
        device = UInt64(truncatingIfNeeded: status.st_dev)
        owner = UInt32(status.st_uid)
    }
}
