#if Gateway
import Logging
import ShuntCore
import ShuntRules
import Synchronization

/// The files of passwords that rules name, kept in memory.
///
/// One is read again a second after it was, by a thread that may wait for a disk; others continue with what they have
/// for another second. So a change is in force after two seconds, and no request waits for the disk.
final class PasswordFiles: Sendable {
    private struct Entry {
        var content: PasswordFile.Content
        var lookedAt: Int64
        /// True if some request has gone to a thread that reads the file.
        var isBeingLookedAt = false
    }

    private let directory: String
    private let logger: Logger
    private let clock: @Sendable () -> Int64
    private let entries = Mutex<[[UInt8]: Entry]>([:])
    /// The time after which a file is read again, in milliseconds.
    private static let lookPeriod: Int64 = 1_000
    /// The most files in memory: a path may have a variable.
    private static let limit = 256

    init(directory: String, logger: Logger, clock: @escaping @Sendable () -> Int64) {
        (self.directory, self.logger, self.clock) = (directory, logger, clock)
    }

    /// Looks a user up; see `AccessGate`.
    func check(_ login: Login, in file: [UInt8], mayWait: Bool) -> PasswordAnswer {
        guard let content = content(of: file, mayWait: mayWait) else { return .takesLong }
        return switch content {
        case .passwords(let passwords): passwords.check(login, mayWait: mayWait)
        case .missing: .noFile
        case .unreadable: .failed
        }
    }

    /// The content of a file; nil where it takes long to read.
    private func content(of file: [UInt8], mayWait: Bool) -> PasswordFile.Content? {
        let now = clock()
        let (known, isFresh) = entries.withLock { entries -> (PasswordFile.Content?, Bool) in
            guard let entry = entries[file] else { return (nil, false) }
            let age = now - entry.lookedAt
            if age < Self.lookPeriod { return (entry.content, true) }
            guard !mayWait else { return (entry.content, false) }
            if entry.isBeingLookedAt, age < 2 * Self.lookPeriod { return (entry.content, true) }
            entries[file]?.isBeingLookedAt = true
            return (entry.content, false)
        }
        if isFresh { return known }
        guard mayWait else { return nil }
        let path = path(of: file)
        let content = PasswordFile.Content(at: path, replacing: known)
        report(content, of: path, after: known)
        entries.withLock { entries in
            if entries.count >= Self.limit, entries[file] == nil { entries.removeAll() }
            entries[file] = Entry(content: content, lookedAt: now)
        }
        return content
    }

    /// Logs that no password of a file is right, once.
    private func report(_ content: PasswordFile.Content, of path: [UInt8], after known: PasswordFile.Content?) {
        let name = ShownBytes.text(path)
        switch (content, known) {
        case (.missing, .missing), (.unreadable, .unreadable), (.passwords, _): break
        case (.missing, _):
            logger.error("there is no file \(name) for auth_basic: every password is answered with 403")
        case (.unreadable, _):
            logger.error("the file \(name) for auth_basic cannot be read: every password is answered with 500")
        }
    }

    private func path(of file: [UInt8]) -> [UInt8] {
        file.first == UInt8(ascii: "/") ? file : Array("\(directory)/".utf8) + file
    }
}
#endif
