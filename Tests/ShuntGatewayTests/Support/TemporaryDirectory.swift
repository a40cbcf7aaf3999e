#if Gateway
import Glibc

/// A directory that is removed with everything in it when the value goes away.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/shunt-gateway-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestProblem("mkdtemp: \(errno)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.removeAll(path) }

    private static func removeAll(_ path: String) {
        if let entries = opendir(path) {
            while let entry = readdir(entries) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                guard name != ".", name != ".." else { continue }
                // Links are removed, not followed.
                if unlink("\(path)/\(name)") != 0 { removeAll("\(path)/\(name)") }
            }
            closedir(entries)
        }
        rmdir(path)
    }

    /// Writes a file: whole under another name first, then renamed.
    func write(_ name: String, _ text: String) throws {
        let temporary = "\(path)/.new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw TestProblem("open \(temporary): \(errno)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw TestProblem("write: \(errno)") }
        guard rename(temporary, "\(path)/\(name)") == 0 else { throw TestProblem("rename: \(errno)") }
    }

    /// Makes a directory in this one.
    func makeDirectory(_ name: String) throws {
        guard mkdir("\(path)/\(name)", 0o755) == 0 else { throw TestProblem("mkdir \(name): \(errno)") }
    }

    /// Turns a link to another place in one step, as Kubernetes does.
    func turn(_ link: String, to target: String) throws {
        guard symlink(target, "\(path)/.link") == 0 else { throw TestProblem("symlink: \(errno)") }
        guard rename("\(path)/.link", "\(path)/\(link)") == 0 else { throw TestProblem("rename: \(errno)") }
    }

    /// Removes a directory with everything in it.
    func remove(_ name: String) { Self.removeAll("\(path)/\(name)") }

    /// The text of a file.
    func read(_ name: String) throws -> String {
        guard let file = fopen("\(path)/\(name)", "r") else { throw TestProblem("open \(name): \(errno)") }
        defer { fclose(file) }
        var text: [UInt8] = []
        var space = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = fread(&space, 1, space.count, file)
            guard count > 0 else { break }
            text += space[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// What keeps a test from doing its work.
struct TestProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
#endif
