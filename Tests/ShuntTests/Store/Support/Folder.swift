import Glibc
import Testing

/// A folder for one test, removed with the value.
final class Folder: Sendable {
    let path: String

    /// Makes a folder, in memory where there is such a place and it is asked for.
    init(inMemory: Bool = false) throws {
        let parent = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/shunt-store-XXXXXX".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        try #require(isMade)
        path = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    deinit {
        shell("rm -rf '\(path)'")
    }

    /// Runs a shell command in the folder.
    @discardableResult
    func shell(_ command: String) -> Int32 {
        system("cd '\(path)' && { \(command); } >/dev/null 2>&1")
    }

    /// Writes a file in place.
    func write(_ name: String, _ text: String) throws {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(descriptor >= 0, "\(name)")
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// Renames.
    func rename(_ name: String, _ other: String) {
        #expect(Glibc.rename("\(path)/\(name)", "\(path)/\(other)") == 0, "\(name) -> \(other)")
    }

    /// Makes a directory.
    func makeDirectory(_ name: String) {
        #expect(mkdir("\(path)/\(name)", 0o755) == 0, "\(name)")
    }
}
