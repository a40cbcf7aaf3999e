import ShuntCore
import Synchronization

/// Remembers every answer of a file system while a rule set is loaded.
///
/// Asking all questions again later shows whether the rule set is still the same, including files that were not there,
/// and the answers are the files of the rule set. Each question is put once only, so that a rule set cannot see two
/// versions of one file.
final class FileRecorder: FileSystem {
    struct Record: Sendable {
        var contents: [String: Result<[UInt8], FileError>] = [:]
        var lists: [String: Result<[String], FileError>] = [:]
        var attributes: [String: Result<FileAttributes, FileError>] = [:]
        var realPaths: [String: Result<String, FileError>] = [:]
    }

    private let base: any FileSystem
    private let state = Mutex(Record())

    init(_ base: any FileSystem) { self.base = base }

    var record: Record { state.withLock { $0 } }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        // What the file was before it was read is what the content is later compared by.
        _ = try attributes(path)
        return try once(\.contents, path: path) { () throws(FileError) in try base.read(path, limit: limit) }
    }

    func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        try once(\.lists, path: directory) { () throws(FileError) in try base.list(directory, limit: limit) }
    }

    func attributes(_ path: String) throws(FileError) -> FileAttributes {
        try once(\.attributes, path: path) { () throws(FileError) in try base.attributes(path) }
    }

    func realPath(_ path: String) throws(FileError) -> String {
        try once(\.realPaths, path: path) { () throws(FileError) in try base.realPath(path) }
    }

    private func once<Answer: Sendable>(
        _ answers: any WritableKeyPath<Record, [String: Result<Answer, FileError>]> & Sendable,
        path: String,
        _ ask: () throws(FileError) -> Answer
    ) throws(FileError) -> Answer {
        if let known = state.withLock({ $0[keyPath: answers][path] }) { return try known.get() }
        let answer = Result(catching: ask)
        state.withLock { $0[keyPath: answers][path] = answer }
        return try answer.get()
    }
}
