import Foundation

/// A separate folder for a test; it is removed with everything in it when the value goes away.
package final class TestFolder: Sendable {
    /// The place where it is.
    package let path: String

    /// Makes a folder with files.
    ///
    /// - Parameters:
    ///   - files: Names, which may have directories before them, and contents.
    ///   - inMemory: Whether it is to be in memory, where there is such a place.
    /// - Throws: The error of the file system for a file that cannot be written.
    package init(_ files: [String: String] = [:], inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isInMemory = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isInMemory ? memory + "/" : NSTemporaryDirectory()
        path = parent + "shunt-tests-\(getpid())-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(name, text) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file in place, and makes the directories before it.
    package func write(_ name: String, _ text: String) throws {
        try write(Array(text.utf8), to: name)
    }

    /// Writes bytes to a file in place, and makes the directories before it.
    package func write(_ bytes: [UInt8], to name: String) throws {
        let url = url(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Puts a file in the place of another in one step: it is written whole under another name, then renamed.
    package func replace(_ name: String, _ text: String) throws {
        try write(".new", text)
        try rename(".new", name)
    }

    /// Turns a link to another place in one step, as Kubernetes does.
    package func turn(_ link: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/.link", withDestinationPath: target)
        try rename(".link", link)
    }

    /// Renames a file or directory; what has the other name already is replaced.
    package func rename(_ name: String, _ other: String) throws {
        guard Foundation.rename(path + "/" + name, path + "/" + other) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Makes a directory.
    package func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: false)
    }

    /// Removes a file, or a directory with everything in it.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: url(name))
    }

    /// The bytes of a file.
    package func read(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: url(name))) }

    /// The text of a file.
    package func text(_ name: String) throws -> String { String(decoding: try read(name), as: UTF8.self) }

    /// The names in it.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: path).appendingPathComponent(name) }
}
