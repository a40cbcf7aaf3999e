/// Files that exist only in memory, for tests and for programs that keep their rules elsewhere.
///
/// A value type: build it, then hand it over. Directories come into being with the files in them. Relative paths are
/// taken from `/`.
public struct InMemoryFileSystem: FileSystem {
    /// The content of a path.
    @nonexhaustive public enum Entry: Sendable, Hashable {
        /// A regular file with its content.
        case file([UInt8], isOwnerExecutable: Bool = false)
        /// A directory, which may be empty.
        case directory
        /// A symbolic link; a relative target is taken from the link's directory.
        case link(String)
        /// Something that must not be read, such as a pipe.
        case special(FileAttributes.Kind)
        /// A file that may not be read.
        case unreadable
    }

    private var entries: [String: Entry] = ["/": .directory]
    private var children: [String: Set<String>] = [:]
    private var times: [String: Timestamp] = [:]
    private var inodes: [String: UInt64] = [:]
    private var lastInode: UInt64 = 0

    /// Makes an empty file system.
    public init() {}

    /// Makes a file system of text files, from paths to contents.
    public init(_ files: [String: String]) {
        for (path, text) in files { set(path, .file(Array(text.utf8))) }
    }

    /// Makes a file system in which only these paths exist: empty files, and directories where a path ends in a slash.
    package init(paths: [String]) {
        for path in paths { set(path, path.hasSuffix("/") ? .directory : .file([])) }
    }

    /// Puts an entry at a path, in place of any other, and makes the directories above it.
    public mutating func set(_ path: String, _ entry: Entry, modificationTime: Timestamp = Timestamp(seconds: 0)) {
        var child = Self.normalized(path)
        lastInode &+= 1
        entries[child] = entry
        times[child] = modificationTime
        inodes[child] = lastInode
        while child != "/" {
            let (parent, name) = Self.split(child)
            children[parent, default: []].insert(name)
            if parent != "/", entries[parent] == nil { entries[parent] = .directory }
            child = parent
        }
    }

    /// Takes away the entry at a path, and whatever is below it.
    public mutating func remove(_ path: String) {
        let path = Self.normalized(path)
        for name in children.removeValue(forKey: path) ?? [] { remove(path + "/" + name) }
        entries[path] = nil
        let (parent, name) = Self.split(path)
        children[parent]?.remove(name)
    }

    /// The content of a regular file.
    public func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        let path = Self.normalized(path)
        guard try resolve(path) == path else { throw FileError(.symbolicLink) }
        switch entries[path] {
        case .file(let bytes, _):
            guard bytes.count <= limit else { throw FileError(.overLimit(limit)) }
            return bytes
        case .directory: throw FileError(.wrongKind(.directory))
        case .special(let kind): throw FileError(.wrongKind(kind))
        case .unreadable: throw FileError(.accessDenied)
        case .link: throw FileError(.symbolicLink)
        case nil: throw FileError(.notFound)
        }
    }

    /// The names in a directory in the order of their bytes.
    public func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        let path = try realPath(directory)
        guard entries[path] == .directory else { throw FileError(.notFound) }
        let names = children[path] ?? []
        guard names.count <= limit else { throw FileError(.overLimit(limit)) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns the attributes of the target of a path; follows symbolic links.
    public func attributes(_ path: String) throws(FileError) -> FileAttributes {
        let isFolder = path.hasSuffix("/")
        let path = try realPath(path)
        if isFolder, entries[path] != .directory { throw FileError(.notFound) }
        var attributes =
            switch entries[path] {
            case .file(let bytes, let isOwnerExecutable):
                FileAttributes(kind: .regular, size: bytes.count, isOwnerExecutable: isOwnerExecutable)
            case .directory: FileAttributes(kind: .directory, size: 0, isOwnerExecutable: true)
            case .special(let kind): FileAttributes(kind: kind, size: 0)
            case .unreadable: FileAttributes(kind: .regular, size: 0)
            case .link, nil: throw FileError(.notFound)
            }
        attributes.modificationTime = times[path] ?? Timestamp(seconds: 0)
        attributes.inode = inodes[path] ?? 0
        return attributes
    }

    /// The absolute path without symbolic links.
    public func realPath(_ path: String) throws(FileError) -> String {
        guard !path.isEmpty else { throw FileError(.notFound) }
        let path = try resolve(Self.normalized(path))
        guard entries[path] != nil else { throw FileError(.notFound) }
        return path
    }

    /// Follows the links of a normalized path; 40 of them at most, as Linux does.
    private func resolve(_ path: String) throws(FileError) -> String {
        var remaining = path.split(separator: "/").map(String.init)
        remaining.reverse()
        var resolved = ""
        var links = 0
        while let component = remaining.popLast() {
            let next = resolved + "/" + component
            guard case .link(let target) = entries[next] else {
                resolved = next
                continue
            }
            links += 1
            guard links <= 40 else { throw FileError(.symbolicLink) }
            let whole = Self.normalized(target.hasPrefix("/") ? target : resolved + "/" + target)
            remaining += whole.split(separator: "/").map(String.init).reversed()
            resolved = ""
        }
        return resolved.isEmpty ? "/" : resolved
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        var components = path.split(separator: "/")
        let name = components.popLast().map(String.init) ?? ""
        return ("/" + components.joined(separator: "/"), name)
    }

    /// The path from the root, without `.` and `..`: relative paths lie below `/` in memory.
    package static func normalized(_ path: String) -> String {
        var components: [Substring] = []
        for component in path.split(separator: "/") {
            switch component {
            case ".": continue
            case "..": _ = components.popLast()
            default: components.append(component)
            }
        }
        return "/" + components.joined(separator: "/")
    }
}
