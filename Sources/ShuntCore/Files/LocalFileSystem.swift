/// The files of this machine.
///
/// Why the unsafe code is sound: the pointers handed to calls are those of local values that outlive the calls.
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
        defer { FileCalls.end(descriptor) }
        let attributes = try Self.attributes(of: descriptor)
        guard attributes.kind == .regular else { throw FileError(.wrongKind(attributes.kind)) }
        guard attributes.size <= limit else { throw FileError(.overLimit(limit)) }
        var bytes: [UInt8] = []
        // A file may grow while it is read, so the size is only a first guess and the limit is checked again.
        var wanted = attributes.size
        while true {
            let before = bytes.count
            let appended = try FileCalls.bytes(of: descriptor, limit: max(wanted - before, 4096))
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
        try FileCalls.names(in: directory, limit: limit).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the attributes of the target of a path; follows symbolic links.
    public func attributes(_ path: String) throws(FileError) -> FileAttributes {
        try unsafe FileCalls.status(path).attributes
    }

    /// Returns the attributes of the target of a path of any bytes; follows symbolic links, and finds nothing for a
    /// path with a NUL byte.
    public func attributes(_ path: Span<UInt8>) throws(FileError) -> FileAttributes {
        guard path.count < FileCalls.longestPath else { throw FileError(.notFound) }
        let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: path.count + 1) { buffer in
            Result { () throws(FileError) in
                for index in path.indices {
                    guard path[index] != 0 else { throw FileError(.notFound) }
                    unsafe buffer[index] = CChar(bitPattern: path[index])
                }
                unsafe buffer[path.count] = 0
                guard let start = buffer.baseAddress else { throw FileError(.notFound) }
                return try unsafe FileCalls.status(start).attributes
            }
        }
        return try result.get()
    }

    /// The absolute path without symbolic links, `.`, `..` and doubled slashes.
    public func realPath(_ path: String) throws(FileError) -> String { try FileCalls.realPath(path) }
}
