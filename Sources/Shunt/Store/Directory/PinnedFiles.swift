import ShuntCore

/// A rule directory as it is called, seen through the directory that its name leads to at one moment.
///
/// A release is often put into use by turning a symbolic link: `current`, or `..data` in a directory that Kubernetes
/// fills. The link is followed once. Everything below the rule directory is then read from the directory it led to, so
/// that a link that turns meanwhile cannot mix two releases.
struct PinnedFiles: FileSystem {
    let base: any FileSystem
    /// The rule directory as people write it.
    let shown: String
    /// The place where it led.
    let real: String

    /// Follows the links once.
    init(_ base: any FileSystem, directory shown: String) throws(FileError) {
        self.base = base
        self.shown = shown
        real = try Self.target(of: shown, base)
    }

    /// The place where a rule directory leads at this moment.
    static func target(of directory: String, _ files: any FileSystem) throws(FileError) -> String {
        let real = try files.realPath(directory)
        let data = join(real, dataLink)
        if let target = try? files.realPath(data), target != data,
            (try? files.attributes(target))?.kind == .directory
        {
            return target
        }
        return real
    }

    /// The link that Kubernetes turns.
    static let dataLink = "..data"

    static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try base.read(pinned(path), limit: limit) }

    func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        try base.list(pinned(directory), limit: limit)
    }

    func attributes(_ path: String) throws(FileError) -> FileAttributes { try base.attributes(pinned(path)) }

    func realPath(_ path: String) throws(FileError) -> String { try base.realPath(pinned(path)) }

    private func pinned(_ path: String) -> String {
        if path == shown { return real }
        // What was followed already lies below the rule directory itself, as Kubernetes has it.
        if path == real || path.hasPrefix(real.hasSuffix("/") ? real : real + "/") { return path }
        if shown == "." { return path.hasPrefix("/") ? path : Self.join(real, path) }
        let prefix = shown.hasSuffix("/") ? shown : shown + "/"
        return path.hasPrefix(prefix) ? Self.join(real, String(path.dropFirst(prefix.count))) : path
    }
}
