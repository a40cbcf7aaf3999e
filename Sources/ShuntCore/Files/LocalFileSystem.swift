import Glibc

/// The files of this machine.
///
/// Why the unsafe code is sound: every pointer handed to a system call is that of a local value or buffer which outlives
/// the call, with its own length; `realpath` and `readdir` results are copied before they are freed or reused.
public struct LocalFileSystem: FileSystem {
    /// Makes a view of this machine's files.
    public init() {}

    /// The content of a regular file.
    ///
    /// The path is walked one component at a time from a directory that is already open and no link is followed, so
    /// no one can swap a directory for a link between a check of the path and this call. Opening never waits for the
    /// other end of a pipe: the file is opened without blocking and refused unless it is a regular one.
    public func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let descriptor = try Self.open(Array(path.utf8), links: .none)
        defer { _ = close(descriptor) }
        let attributes = try Self.attributes(of: descriptor)
        guard attributes.kind == .regular else { throw FileError(.wrongKind(attributes.kind)) }
        guard attributes.size <= limit else { throw FileError(.overLimit(limit)) }
        var bytes: [UInt8] = []
        // A file may grow while it is read, so the size is only a first guess and the limit is checked again.
        var wanted = attributes.size
        while true {
            var failure: FileError?
            let before = bytes.count
            let chunk = max(wanted - before, 4096)
            let appended = unsafe [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                count = 0
                while true {
                    let got = unsafe Glibc.read(descriptor, buffer.baseAddress, chunk)
                    if got >= 0 {
                        count = got
                    } else if errno == EINTR {
                        continue
                    } else {
                        failure = Self.lastError()
                    }
                    return
                }
            }
            if let failure { throw failure }
            if appended.isEmpty { return bytes }
            if before == 0 { bytes = appended } else { bytes += appended }
            guard bytes.count <= limit else { throw FileError(.overLimit(limit)) }
            wanted = max(wanted, bytes.count)
        }
    }

    /// The names in a directory, without `.` and `..`, in the order of their bytes.
    ///
    /// In a name that is not UTF-8 U+FFFD stands for what is not: no file has that name, so that who reads it fails.
    public func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw Self.lastError() }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw Self.lastError() }
                break
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
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the attributes of the target of a path; follows symbolic links.
    public func attributes(_ path: String) throws(FileError) -> FileAttributes {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw Self.lastError() }
        return Self.attributes(of: status)
    }

    /// Returns the attributes of the target of a path of any bytes; follows symbolic links, and finds nothing for a
    /// path with a NUL byte.
    public func attributes(_ path: Span<UInt8>) throws(FileError) -> FileAttributes {
        guard path.count < Int(PATH_MAX) else { throw FileError(.notFound) }
        var status = stat()
        let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { buffer -> CInt in
            for index in path.indices {
                guard path[index] != 0 else { return -2 }
                unsafe buffer[index] = CChar(bitPattern: path[index])
            }
            unsafe buffer[path.count] = 0
            guard let start = buffer.baseAddress else { return -2 }
            return unsafe stat(start, &status)
        }
        if result == -2 { throw FileError(.notFound) }
        guard result == 0 else { throw Self.lastError() }
        return Self.attributes(of: status)
    }

    /// The absolute path without symbolic links, `.`, `..` and doubled slashes.
    public func realPath(_ path: String) throws(FileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else { throw Self.lastError() }
        defer { unsafe free(resolved) }
        guard let text = unsafe String(validatingCString: resolved) else { throw FileError(.notFound) }
        return text
    }

    /// Linux's `O_PATH`, which the C library's header hides from Swift: a descriptor to walk on from, not to read.
    static let pathOnly: CInt = 0o10_000_000

    /// Makes a system call again while a signal interrupts it.
    static func retrying(_ call: () -> CInt) throws(FileError) -> CInt {
        while true {
            let result = call()
            if result >= 0 { return result }
            if errno != EINTR { throw lastError() }
        }
    }

    static func lastError() -> FileError {
        switch errno {
        case ENOENT, ENOTDIR, ENAMETOOLONG: FileError(.notFound)
        case EACCES, EPERM, EROFS: FileError(.accessDenied)
        case ELOOP: FileError(.symbolicLink)
        case ENXIO: FileError(.wrongKind(.socket))
        case EISDIR: FileError(.wrongKind(.directory))
        default: FileError(.system(errno))
        }
    }

    static func attributes(of status: stat) -> FileAttributes {
        let kind: FileAttributes.Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFIFO: .pipe
            case S_IFCHR, S_IFBLK: .device
            case S_IFSOCK: .socket
            default: .other
            }
        return FileAttributes(
            kind: kind,
            size: Int(status.st_size),
            modificationTime: Timestamp(
                seconds: Int64(status.st_mtim.tv_sec),
                nanoseconds: Int32(truncatingIfNeeded: status.st_mtim.tv_nsec)
            ),
            inode: UInt64(status.st_ino),
            isOwnerExecutable: status.st_mode & S_IXUSR != 0
        )
    }
}
