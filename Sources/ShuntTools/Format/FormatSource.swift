public import Shunt

/// A file to be formatted.
public struct FormatSource: Sendable {
    /// The name as people know it, which is also its path.
    public var name: String
    /// The content.
    public var bytes: [UInt8]
    /// True if it is included between the braces of a `map` or its like, so that its lines are the rows of a table.
    public var isTable: Bool

    /// Makes a source.
    public init(name: String, bytes: [UInt8], isTable: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isTable = isTable
    }

    /// The largest file that is formatted, in bytes.
    public static let limit = 64 << 20

    /// The files at a path: those of a directory's rule set that lie in it, or one file.
    ///
    /// Lists of hosts are not among them: they are other people's.
    ///
    /// - Throws: `FileError` when the path leads to nothing that can be read.
    public static func files(at path: String, in fileSystem: any FileSystem = LocalFileSystem()) throws(FileError)
        -> [FormatSource]
    {
        guard try fileSystem.attributes(path).kind == .directory else {
            return [FormatSource(name: path, bytes: try fileSystem.read(fileSystem.realPath(path), limit: limit))]
        }
        let folder = path.hasSuffix("/") ? path : path + "/"
        let rules = RuleFiles.load(path, from: fileSystem)
        // What the rules leave out because it cannot be read is not formatted.
        let known = Set(rules.files.map(\.name))
        for name in try fileSystem.list(path, limit: RuleLimits().listedNames)
        where name.hasSuffix(".conf") && !name.hasPrefix(".") && !known.contains(folder + name) {
            guard try fileSystem.attributes(folder + name).kind == .regular else { continue }
            _ = try fileSystem.read(fileSystem.realPath(folder + name), limit: limit)
        }
        let tables = rules.inclusions.values.filter { $0.block.map(LineMaker.isTable) ?? false }
        let inTables = Set(tables.flatMap(\.files))
        return rules.files.enumerated()
            .compactMap { index, file in
                let isInside = path == "." ? !file.name.hasPrefix("/") : file.name.hasPrefix(folder)
                guard isInside else { return nil }
                let isTable = inTables.contains(Int32(truncatingIfNeeded: index))
                return FormatSource(name: file.name, bytes: file.bytes, isTable: isTable)
            }
    }
}
