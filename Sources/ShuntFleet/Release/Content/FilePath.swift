/// The paths of files in a set: relative, and never out of it.
enum FilePath {
    /// The longest path, in bytes.
    static let longest = 1024
    /// The most folders above a file.
    static let deepest = 16

    /// Returns the problem of a path, as the end of a sentence; nil for a valid path.
    static func problem(_ path: String) -> String? {
        if path.isEmpty { return "is empty" }
        if path.utf8.count > longest { return "is longer than \(longest) bytes" }
        if path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) { return "has a control character" }
        if path.utf8.contains(UInt8(ascii: "\\")) { return "has a backslash" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count > deepest + 1 { return "lies below more than \(deepest) folders" }
        for part in parts {
            if part.isEmpty { return "has an empty part, or is absolute" }
            if part == "." || part == ".." { return "has the part \"\(part)\"" }
        }
        return nil
    }

    static func folders(of path: String) -> [String] {
        var folders: [String] = []
        var index = path.startIndex
        while let slash = path[index...].firstIndex(of: "/") {
            folders.append(String(path[..<slash]))
            index = path.index(after: slash)
        }
        return folders
    }
}
