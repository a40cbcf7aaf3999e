import Glibc

/// The symbolic links that the path of a file may have.
///
/// Source: http://nginx.org/en/docs/http/ngx_http_core_module.html#disable_symlinks
package enum LinkPolicy: UInt8, Sendable {
    case any
    /// Links to what has the owner of the link.
    case ofOwner
    case none
}

/// The unsafe code is sound: every pointer handed to a system call is that of a local value which outlives the call.
extension LocalFileSystem {
    /// Opens a file for reading, without waiting for the other end of a pipe.
    ///
    /// With a policy for links the path is walked one component at a time from a directory that is already open, so that no one can
    /// put a link there between the check and the opening.
    ///
    /// - Parameters:
    ///   - path: The path, of any bytes; with a NUL byte there is no such file.
    ///   - links: The links that it may have.
    ///   - start: The length of its beginning, without a slash at the end, that may have any.
    /// - Returns: The descriptor, for the caller to close.
    /// - Throws: `FileError` where there is no such file, or where it may not be read.
    package static func open(_ path: [UInt8], links: LinkPolicy, after start: Int = 0) throws(FileError) -> CInt {
        guard links != .any else { return try open(path[...], in: AT_FDCWD, readingFlags) }
        var rest = path[...]
        let first = start > 0 ? rest.prefix(start) : Array((rest.first == UInt8(ascii: "/") ? "/" : ".").utf8)[...]
        rest = start > 0 ? rest.dropFirst(start + 1) : rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest
        var directory = try open(first, in: AT_FDCWD, pathOnly | O_DIRECTORY | O_CLOEXEC)
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            let name = rest[..<slash]
            rest = rest[(slash + 1)...]
            if name.isEmpty { continue }
            let parent = directory
            defer { _ = close(parent) }
            directory = try step(to: name, from: parent, pathOnly | O_DIRECTORY | O_CLOEXEC, links)
        }
        if rest.isEmpty { return directory }
        defer { _ = close(directory) }
        return try step(to: rest, from: directory, readingFlags, links)
    }

    /// Opens a file or folder for reading, and closes it.
    ///
    /// - Throws: `FileError` where it may not be read.
    package static func tryOpening(_ path: [UInt8]) throws(FileError) {
        _ = close(try open(path[...], in: AT_FDCWD, readingFlags))
    }

    /// Returns the attributes of a path that may have some links only.
    package static func attributes(
        _ path: [UInt8],
        links: LinkPolicy,
        after start: Int
    ) throws(FileError) -> FileAttributes {
        let descriptor = try open(path, links: links, after: start)
        defer { _ = close(descriptor) }
        return try attributes(of: descriptor)
    }

    package static func attributes(of descriptor: CInt) throws(FileError) -> FileAttributes {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw lastError() }
        return attributes(of: status)
    }

    private static let readingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    private static func step(
        to name: ArraySlice<UInt8>,
        from directory: CInt,
        _ flags: CInt,
        _ links: LinkPolicy
    ) throws(FileError) -> CInt {
        if links == .none { return try open(name, in: directory, flags | O_NOFOLLOW) }
        let descriptor = try open(name, in: directory, flags)
        var (target, link) = (stat(), stat())
        guard unsafe fstat(descriptor, &target) == 0,
            unsafe withPath(name, { unsafe fstatat(directory, $0, &link, AT_SYMLINK_NOFOLLOW) }) == 0,
            target.st_uid == link.st_uid
        else {
            _ = close(descriptor)
            throw FileError(.symbolicLink)
        }
        return descriptor
    }

    private static func open(_ name: ArraySlice<UInt8>, in directory: CInt, _ flags: CInt) throws(FileError) -> CInt {
        guard !name.contains(0) else { throw FileError(.notFound) }
        return try retrying { unsafe withPath(name) { unsafe openat(directory, $0, flags) } }
    }

    private static func withPath<Result>(
        _ name: ArraySlice<UInt8>,
        _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        let bytes = name.map { CChar(bitPattern: $0) } + [0]
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            // Sound: it has at least the end of the text.
            unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
