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
        guard links != .any else { return try open(path[...], in: FileCalls.currentDirectory, FileCalls.reading) }
        var rest = path[...]
        let first = start > 0 ? rest.prefix(start) : Array((rest.first == UInt8(ascii: "/") ? "/" : ".").utf8)[...]
        rest = start > 0 ? rest.dropFirst(start + 1) : rest.first == UInt8(ascii: "/") ? rest.dropFirst() : rest
        var directory = try open(first, in: FileCalls.currentDirectory, FileCalls.walking)
        while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
            let name = rest[..<slash]
            rest = rest[(slash + 1)...]
            if name.isEmpty { continue }
            let parent = directory
            defer { FileCalls.end(parent) }
            directory = try step(to: name, from: parent, FileCalls.walking, links)
        }
        if rest.isEmpty { return directory }
        defer { FileCalls.end(directory) }
        return try step(to: rest, from: directory, FileCalls.reading, links)
    }

    /// Opens a file or folder for reading, and closes it.
    ///
    /// - Throws: `FileError` where it may not be read.
    package static func tryOpening(_ path: [UInt8]) throws(FileError) {
        FileCalls.end(try open(path[...], in: FileCalls.currentDirectory, FileCalls.reading))
    }

    /// Returns the attributes of a path that may have some links only.
    package static func attributes(
        _ path: [UInt8],
        links: LinkPolicy,
        after start: Int
    ) throws(FileError) -> FileAttributes {
        let descriptor = try open(path, links: links, after: start)
        defer { FileCalls.end(descriptor) }
        return try attributes(of: descriptor)
    }

    package static func attributes(of descriptor: CInt) throws(FileError) -> FileAttributes {
        try FileCalls.status(of: descriptor).attributes
    }

    private static func step(
        to name: ArraySlice<UInt8>,
        from directory: CInt,
        _ flags: CInt,
        _ links: LinkPolicy
    ) throws(FileError) -> CInt {
        if links == .none { return try open(name, in: directory, flags | FileCalls.noLink) }
        let descriptor = try open(name, in: directory, flags)
        guard let target = try? FileCalls.status(of: descriptor),
            let link = try? unsafe FileCalls.status(ofLink: terminated(name), in: directory), target.owner == link.owner
        else {
            FileCalls.end(descriptor)
            throw FileError(.symbolicLink)
        }
        return descriptor
    }

    private static func open(_ name: ArraySlice<UInt8>, in directory: CInt, _ flags: CInt) throws(FileError) -> CInt {
        guard !name.contains(0) else { throw FileError(.notFound) }
        return try unsafe FileCalls.open(terminated(name), flags, in: directory)
    }

    private static func terminated(_ name: ArraySlice<UInt8>) -> [CChar] { name.map { CChar(bitPattern: $0) } + [0] }
}
