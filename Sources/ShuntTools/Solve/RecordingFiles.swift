import Shunt
import Synchronization

/// A file system that remembers what it was asked for and did not have.
final class RecordingFiles: FileSystem {
    private struct State {
        var files: [String] = []
        var missing: [String] = []
    }

    private let state = Mutex(State())

    var files: [String] { state.withLock { $0.files } }
    /// The files that were looked up and not found, in this order.
    var missing: [String] { state.withLock { $0.missing } }
    /// Adds a file and forgets what was asked for.
    func add(_ path: String) {
        state.withLock { state in
            state.files.append(path)
            state.missing = []
        }
    }

    private var fileSystem: InMemoryFileSystem { InMemoryFileSystem(paths: files) }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        try fileSystem.read(path, limit: limit)
    }

    func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        try fileSystem.list(directory, limit: limit)
    }

    func attributes(_ path: String) throws(FileError) -> FileAttributes {
        do throws(FileError) {
            return try fileSystem.attributes(path)
        } catch {
            state.withLock { if !$0.missing.contains(path) { $0.missing.append(path) } }
            throw error
        }
    }

    func realPath(_ path: String) throws(FileError) -> String { try fileSystem.realPath(path) }
}

extension Engine {
    /// An engine for which other files exist.
    convenience init(_ ruleSet: RuleSet, files: any FileSystem) {
        var options = Options()
        options.fileSystem = files
        self.init(ruleSet, options: options)
    }
}
