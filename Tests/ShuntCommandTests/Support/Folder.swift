import Foundation

/// A folder of its own for a test; it is removed with the value.
final class Folder {
    let path: String

    /// Makes a folder with files: names (which may have directories before them) and contents.
    init(_ files: [String: String] = [:]) throws {
        path = NSTemporaryDirectory() + "shunt-command-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, content) in files { try write(Array(content.utf8), to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name)))
    }
}
