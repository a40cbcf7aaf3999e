#if Gateway
import Glibc
import ShuntCore

/// The directories in which rule files may have access logs.
///
/// No link leads out of them, and only regular files are written.
struct LogDirectories: Sendable {
    /// The directories that an operator names.
    private let named: [String]
    /// The directory of the rules, which relative paths begin at.
    private let rules: String

    /// - Parameters:
    ///   - named: The directories that an operator names; none stands for `logs` in the directory of the rules.
    ///   - rules: The directory of the rules.
    init(_ named: [String], rules: String) {
        self.named = named
        self.rules = rules
    }

    /// `O_PATH`, which the library does not export: a directory that may be searched need not be readable.
    private static let pathOnly: Int32 = 0o10_000_000

    /// Opens a file that lines are appended to, and creates it if needed.
    ///
    /// - Parameter path: The path in the rules.
    /// - Returns: The open file.
    /// - Throws: A failure if the file is outside of the directories, or cannot be opened.
    func open(_ path: String) throws(SystemCallError) -> LogFile {
        let full = path.hasPrefix("/") ? path : "\(rules)/\(path)"
        guard let (directory, names) = place(of: Self.names(full)) else {
            let directory = full.lastIndex(of: "/").map { String(full[..<$0]) } ?? full
            throw SystemCallError("\(path) is not in a directory for logs: allow it with --log-directory \(directory)")
        }
        var parent = Glibc.open(directory, Self.pathOnly | O_DIRECTORY | O_CLOEXEC)
        for name in names.dropLast() where parent >= 0 {
            let next = openat(parent, name, Self.pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let number = errno
            close(parent)
            errno = number
            parent = next
        }
        guard parent >= 0 else { throw Self.failure(path, errno) }
        defer { close(parent) }
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
        let descriptor = openat(parent, names[names.count - 1], flags, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        let file = LogFile(descriptor, isOwned: true)
        guard FileIdentity(descriptor: descriptor)?.isRegular == true else {
            throw Self.failure(path, ENXIO)
        }
        return file
    }

    /// The directory that a file is in, and the names that lead from there to it; nil where none allows it.
    private func place(of names: [Substring]) -> (directory: String, names: [String])? {
        guard !names.contains("..") else { return nil }
        let roots = named.isEmpty ? [(rules, ["logs"])] : named.map { ($0, []) }
        for (directory, first) in roots {
            let start = Self.names(directory.hasPrefix("/") ? directory : "\(Self.current)/\(directory)")
            let rest = names.dropFirst(start.count).map(String.init)
            if names.starts(with: start), rest.starts(with: first), rest.count > first.count {
                return (directory, rest)
            }
        }
        return nil
    }

    private static func names(_ path: String) -> [Substring] {
        let full = path.hasPrefix("/") ? path : "\(current)/\(path)"
        return full.split(separator: "/").filter { $0 != "." }
    }

    private static func failure(_ path: String, _ number: Int32) -> SystemCallError {
        switch number {
        case ELOOP, ENOTDIR: SystemCallError("\(path) is reached through a link: write the path that the link leads to")
        case ENXIO, EISDIR: SystemCallError("\(path) is not a regular file: only --access-log may name another")
        default: SystemCallError(what: "cannot open \(path)", number: number)
        }
    }

    private static var current: String {
        guard let bytes = getcwd(nil, 0) else { return "" }
        defer { free(bytes) }
        return String(cString: bytes)
    }
}
#endif
