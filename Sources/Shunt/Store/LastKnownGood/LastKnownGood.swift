package import ShuntCore
import ShuntRules

/// Copies of rule sets on disk, for a start when the source is broken or missing.
///
/// Two files hold the newest copy and the one before it, `PATH.a` and `PATH.b`. A new copy is written next to them,
/// brought to the disk, and renamed over the older one, so that whenever the process or the machine dies there is a
/// whole copy. Each has a checksum over every byte; a file that is not whole is never used.
///
/// Thread safe as long as one store at a time writes to a path.
public struct LastKnownGood: Sendable {
    /// The path without the ending of the two files.
    public let path: String
    private let storage: any FileStorage

    /// Makes the place of copies by the path without the ending; its directory must exist and be writable.
    public init(path: String) { self.init(path: path, storage: LocalFileStorage()) }

    package init(path: String, storage: any FileStorage) {
        self.path = path
        self.storage = storage
    }

    /// The largest file that is read: the files of a rule set and their names.
    private static let sizeLimit = 320 << 20

    package struct Copy: Sendable {
        /// The file it was read from.
        package var path: String
        package var content: LastKnownGoodFormat
        package var archive: RuleArchive { content.archive }
    }

    private var files: [String] { [path + ".a", path + ".b"] }

    private var directory: String { RuleFiles.directory(of: path) }

    /// Reads the copies of a source that are whole, the newest first, and what is wrong with the others.
    package func read(source: String) -> (copies: [Copy], problems: [String]) {
        var copies: [Copy] = []
        var problems: [String] = []
        for file in files {
            do {
                let content = try LastKnownGoodFormat(decoding: try storage.read(file, limit: Self.sizeLimit))
                if content.source == source {
                    copies.append(Copy(path: file, content: content))
                } else {
                    problems.append("\(file): it is a copy of \(content.source), not of \(source)")
                }
            } catch let error as FileError where error.reason == .notFound {
                continue
            } catch {
                problems.append("\(file): \(error)")
            }
        }
        copies.sort { $0.content.sequence > $1.content.sequence }
        return (copies, problems)
    }

    /// Writes a copy over the older of the two, or over one that is not whole.
    ///
    /// Nothing is written when the newest copy is that of the same rules.
    package func write(_ archive: RuleArchive, contentHash: String, source: String, date: Timestamp) throws {
        var heads: [(file: String, head: LastKnownGoodFormat?)] = []
        for file in files {
            let bytes = try? storage.read(file, limit: Self.sizeLimit)
            heads.append((file, bytes.flatMap { try? LastKnownGoodFormat(decoding: $0) }))
        }
        let newest = heads.max { ($0.head?.sequence ?? 0) < ($1.head?.sequence ?? 0) }
        if let head = newest?.head, head.contentHash == contentHash, head.source == source { return }
        let target = heads.min { ($0.head?.sequence ?? 0) < ($1.head?.sequence ?? 0) }?.file ?? files[0]
        let content = LastKnownGoodFormat(
            sequence: (newest?.head?.sequence ?? 0) &+ 1,
            date: date,
            source: source,
            contentHash: contentHash,
            archive: archive
        )
        let temporary = path + ".tmp"
        do {
            try storage.write(temporary, content.encoded())
            try storage.rename(temporary, to: target)
            try storage.synchronize(directory: directory)
        } catch {
            try? storage.remove(temporary)
            throw error
        }
    }
}
