/// The files that an engine may read: rule files when it loads, a document root when it decides.
///
/// The engine never opens a file itself. It asks a value of this protocol, so that a test, or a program that keeps its
/// rules somewhere else, can supply its own. Paths use `/`; a relative path is taken from the process's directory.
/// Methods may be called from several threads at once.
public protocol FileSystem: Sendable {
    /// The content of a regular file.
    ///
    /// - Parameters:
    ///   - path: A path none of whose components is a symbolic link, as `realPath(_:)` returns it. A link is refused,
    ///     so that the caller who checked the path knows which file was opened.
    ///   - limit: The largest size accepted, in bytes.
    /// - Returns: All of it.
    /// - Throws: `FileError` when the file is missing, is not a regular file, is larger than `limit` or cannot be read.
    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]

    /// The names in a directory, without `.` and `..`, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - directory: The directory; links are followed.
    ///   - limit: The largest number of names accepted.
    /// - Returns: The names, not the paths.
    /// - Throws: `FileError` when it is not a directory, has more names than `limit` or cannot be read.
    func list(_ directory: String, limit: Int) throws(FileError) -> [String]

    /// Returns the attributes of the target of a path; follows symbolic links.
    func attributes(_ path: String) throws(FileError) -> FileAttributes

    /// Returns the attributes of the target of a path that can have any bytes, as request targets have.
    ///
    /// The default takes the bytes for UTF-8 and finds nothing where they are not.
    func attributes(_ path: Span<UInt8>) throws(FileError) -> FileAttributes

    /// The absolute path without symbolic links, `.`, `..` and doubled slashes.
    func realPath(_ path: String) throws(FileError) -> String
}

extension FileSystem {
    /// Returns the attributes of the target of a path that can have any bytes; anything but UTF-8 is not found.
    public func attributes(_ path: Span<UInt8>) throws(FileError) -> FileAttributes {
        guard path.isUTF8 else { throw FileError(.notFound) }
        return try attributes(String(repairing: path))
    }
}

/// The facts about a file that is not opened.
public struct FileAttributes: Sendable, Hashable {
    /// The kind of the target of a path.
    @nonexhaustive public enum Kind: String, Sendable, Hashable {
        /// A file with content.
        case regular = "a regular file"
        /// A directory.
        case directory = "a directory"
        /// A named pipe.
        case pipe = "a named pipe"
        /// A character or block device.
        case device = "a device"
        /// A socket.
        case socket = "a socket"
        /// Anything else.
        case other = "a special file"
    }

    /// The kind.
    public var kind: Kind
    /// The size in bytes.
    public var size: Int
    /// The time when the content last changed.
    public var modificationTime: Timestamp
    /// The number of the file in its file system; a file that was replaced by another has a new one.
    public var inode: UInt64
    /// True if its owner may execute it (for a directory: search it).
    public var isOwnerExecutable: Bool

    /// Makes attributes.
    public init(
        kind: Kind,
        size: Int,
        modificationTime: Timestamp = Timestamp(seconds: 0),
        inode: UInt64 = 0,
        isOwnerExecutable: Bool = false
    ) {
        self.kind = kind
        self.size = size
        self.modificationTime = modificationTime
        self.inode = inode
        self.isOwnerExecutable = isOwnerExecutable
    }
}

/// The reason why a file could not be used.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    @nonexhaustive public enum Reason: Sendable, Hashable {
        /// There is no such file.
        case notFound
        /// The process may not read it.
        case accessDenied
        /// A directory was found, or missing, where the other was wanted.
        case wrongKind(FileAttributes.Kind)
        /// The path has a symbolic link where none is allowed, or too many of them.
        case symbolicLink
        /// The file is larger, or the directory has more names, than the limit.
        case overLimit(Int)
        /// Anything else, with the system's error number.
        case system(Int32)
    }

    /// The reason.
    public var reason: Reason

    /// Makes an error.
    public init(_ reason: Reason) { self.reason = reason }

    /// The reason in words, to follow a path and a colon.
    public var description: String {
        switch reason {
        case .notFound: "no such file"
        case .accessDenied: "permission denied"
        case .wrongKind(let kind): "it is \(kind.rawValue)"
        case .symbolicLink: "a symbolic link is not allowed here, or there are too many"
        case .overLimit(let limit): "it is over the limit of \(limit)"
        case .system(let number): FileCalls.text(of: number)
        }
    }
}
