import ShuntCore
import Synchronization

/// Files in memory that a test changes while they are read.
final class EditableFiles: FileSystem {
    private struct State {
        var files: InMemoryFileSystem
        var operations = 0
        var edits: [Int: @Sendable (inout InMemoryFileSystem) -> Void] = [:]
    }

    private let state: Mutex<State>

    /// The time that all files claim to have been changed at last, under the same number; nil for the truth.
    private let stamp: Timestamp?

    init(_ files: [String: String], stamp: Timestamp? = nil) {
        self.stamp = stamp
        state = Mutex(State(files: InMemoryFileSystem(files)))
    }

    /// The number of questions asked so far.
    var operations: Int { state.withLock { $0.operations } }

    func edit(_ body: (inout InMemoryFileSystem) -> Void) {
        state.withLock { body(&$0.files) }
    }

    /// Makes an edit just before the question of that number is answered.
    func edit(before operation: Int, _ body: @escaping @Sendable (inout InMemoryFileSystem) -> Void) {
        state.withLock { $0.edits[operation] = body }
    }

    private func ask() -> InMemoryFileSystem {
        state.withLock { state in
            if let edit = state.edits[state.operations] { edit(&state.files) }
            state.operations += 1
            return state.files
        }
    }

    func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] { try ask().read(path, limit: limit) }
    func list(_ directory: String, limit: Int) throws(FileError) -> [String] {
        try ask().list(directory, limit: limit)
    }
    func attributes(_ path: String) throws(FileError) -> FileAttributes {
        var attributes = try ask().attributes(path)
        if let stamp {
            attributes.modificationTime = stamp
            attributes.inode = 1
        }
        return attributes
    }
    func realPath(_ path: String) throws(FileError) -> String { try ask().realPath(path) }
}
