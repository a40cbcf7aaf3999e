import ShuntCore

/// A file system in which one file has another content.
struct OverlayFileSystem: FileSystem {
    let base: any FileSystem
    /// The file, as `realPath` returns it.
    let path: String
    let content: [UInt8]

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        path == self.path ? content : try base.read(path, limit: limit)
    }

    func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        try base.list(directory, limit: limit)
    }

    func attributes(_ path: String) throws(FileError) -> FileAttributes { try base.attributes(path) }

    func attributes(_ path: Span<UInt8>) throws(FileError) -> FileAttributes { try base.attributes(path) }

    func realPath(_ path: String) throws(FileError) -> String { try base.realPath(path) }
}
