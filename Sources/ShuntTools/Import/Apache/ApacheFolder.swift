/// Paths of folders, as configuration names them.
enum ApacheFolder {
    /// The path of a folder in the site, with its slashes; nil for one outside of it.
    static func inSite(_ path: String, below root: String) -> String? {
        let (folder, whole) = (Self.path(path) + "/", Self.path(root) + "/")
        guard folder.hasPrefix(whole) else { return nil }
        return "/" + folder.dropFirst(whole.count)
    }

    /// A path with single slashes, and without one at its end.
    static func path(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.map { "/\($0)" }.joined()
    }
}
