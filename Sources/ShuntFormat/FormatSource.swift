public import ShuntCore
import ShuntRules

/// A file to be formatted.
public struct FormatSource: Sendable {
    /// The name as people know it, which is also its path.
    public var name: String
    /// The content.
    public var bytes: [UInt8]
    /// Whether it is included between the braces of a `map` or its like, so that its lines are the rows of a table.
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
    /// Lists of hosts are none: they are other people's.
    ///
    /// - Throws: `FileError` when the path leads to nothing that can be read.
    public static func files(at path: String, in fileSystem: any FileSystem = LocalFileSystem()) throws(FileError)
        -> [FormatSource]
    {
        guard try fileSystem.attributes(path).kind == .directory else {
            return [FormatSource(name: path, bytes: try fileSystem.read(fileSystem.realPath(path), limit: limit))]
        }
        let folder = path.hasSuffix("/") ? path : path + "/"
        let files = RuleFiles.load(path, from: fileSystem).files
        let patterns = files.flatMap { tableIncludes(in: $0) }
        return files.compactMap { file in
            let isInside = path == "." ? !file.name.hasPrefix("/") : file.name.hasPrefix(folder)
            guard isInside else { return nil }
            let inner = path == "." ? file.name : String(file.name.dropFirst(folder.count))
            let isTable = patterns.contains { IncludePattern.matches(path: inner, $0) || $0 == file.name }
            return FormatSource(name: file.name, bytes: file.bytes, isTable: isTable)
        }
    }

    /// What the tables of a file include.
    private static func tableIncludes(in file: RuleFile) -> [String] {
        let tokens = FileTokens(file).tokens
        var result: [String] = []
        var words: [ArraySlice<UInt8>] = []
        var blocks: [Bool] = []
        for token in tokens {
            switch token.kind {
            case .word: words.append(file.bytes[token.range])
            case .semicolon:
                if blocks.last == true, words.count == 2, words[0].elementsEqual("include".utf8) {
                    let quotes = Set("\"'".utf8)
                    result.append(String(decoding: words[1].filter { !quotes.contains($0) }, as: UTF8.self))
                }
                words = []
            case .openBrace:
                blocks.append(words.first.map { LineMaker.isTable(Array($0)) } ?? false)
                words = []
            case .closeBrace: _ = blocks.popLast()
            case .code: break
            }
        }
        return result
    }
}
