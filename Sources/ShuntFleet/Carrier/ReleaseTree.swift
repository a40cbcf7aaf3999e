#if Fleet
import Glibc
package import ShuntCore
import Synchronization

/// A directory with releases: what a publisher writes, and what a node reads where it can see the same directory.
///
/// ```
/// pointer              the one file that changes; it is replaced in one step
/// sets/SHA256          manifests
/// blobs/SHA256         pieces of files
/// history/0000000041   what was done, by whom and why
/// nodes/NODE           the reports of nodes that may write here
/// pointer.lock         held while the pointer is replaced
/// conductor.lock       held by the conductor
/// ```
public struct ReleaseTree: ReleaseStore {
    /// The directory.
    public let path: String
    private let storage: any FileStorage

    /// Makes a tree at a directory; nothing is written yet.
    public init(_ path: String) { self.init(path, storage: LocalFileStorage()) }

    package init(_ path: String, storage: any FileStorage) {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        self.path = String(path)
        self.storage = storage
    }

    /// The directory.
    public var name: String { path }

    // MARK: Reading

    /// The current pointer.
    public func pointer() async throws -> [UInt8] { try read("pointer", ReleasePointer.longest) }

    /// The manifest of a set.
    public func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8] { try read("sets/\(set)", limit) }

    /// A blob.
    public func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8] { try read("blobs/\(blob)", limit) }

    private func read(_ name: String, _ limit: Int) throws -> [UInt8] {
        do {
            return try storage.read(path + "/" + name, limit: limit)
        } catch {
            throw FleetError("\(path)/\(name): \(error)")
        }
    }

    /// The pointer, whose version is the start of its SHA-256; nil where there is none, an error if it cannot be read.
    public func current() throws -> StoredPointer? {
        do {
            let bytes = try storage.read(path + "/pointer", limit: ReleasePointer.longest)
            let version = UInt64(ContentName(of: bytes).hexadecimal.prefix(16), radix: 16) ?? 0
            return StoredPointer(pointer: try ReleasePointer(decoding: bytes), version: version)
        } catch let error as FileError where error.reason == .notFound {
            return nil
        } catch let error as DocumentError {
            throw FleetError.refusal("\(path)/pointer: \(error)")
        } catch {
            throw FleetError("\(path)/pointer: \(error)")
        }
    }

    // MARK: Writing

    /// Writes what a set consists of: its blobs, then its manifest.
    ///
    /// What is there already is not written again, but counts as new.
    public func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]]) throws {
        try makeDirectories()
        for (name, bytes) in blobs.sorted(by: { $0.key < $1.key }) { try write("blobs", name: name, bytes: bytes) }
        try storage.synchronize(directory: path + "/blobs")
        try write("sets", name: manifest.name, bytes: manifest.encoded)
        try storage.synchronize(directory: path + "/sets")
    }

    private func write(_ folder: String, name: ContentName, bytes: [UInt8]) throws {
        let place = path + "/" + folder + "/" + name.hexadecimal
        // A nil time is the present. Where it cannot be set the file is written again.
        if let there = try? storage.read(place, limit: bytes.count), there == bytes, utimes(place, nil) == 0 {
            return
        }
        try replace(place, bytes)
    }

    /// Replaces the pointer, whatever it is.
    package func write(_ pointer: ReleasePointer) throws {
        let bytes = pointer.encoded
        guard bytes.count <= ReleasePointer.longest else {
            throw FleetError("the pointer has \(bytes.count) bytes, more than \(ReleasePointer.longest)")
        }
        try makeDirectories()
        try replace(path + "/pointer", bytes)
        try storage.synchronize(directory: path)
    }

    /// Puts a pointer in the place of the one of a version, under a lock that only one process has.
    ///
    /// - Throws: Where it is too large, the disk refuses, or the lock is not to be had within five seconds; the pointer is as
    ///   it was then.
    public func replace(_ version: UInt64?, with pointer: ReleasePointer, entry: HistoryEntry) async throws -> Bool {
        let lock = try await pointerLock()
        defer { lock.close() }
        guard try current()?.version == version else { return false }
        let place = try append(entry)
        do {
            try write(pointer)
        } catch {
            try? storage.remove(place)
            throw error
        }
        return true
    }

    /// Puts an entry into the history alone.
    public func record(_ entry: HistoryEntry) async throws {
        let lock = try await pointerLock()
        defer { lock.close() }
        _ = try append(entry)
    }

    private func append(_ entry: HistoryEntry) throws -> String {
        try make(directories: [path, path + "/history"])
        let last = try historyNames().last.flatMap { Int($0) } ?? 0
        let place = path + "/history/" + String(last + 1).paddedWithZeros(to: 10)
        try replace(place, entry.encoded)
        try storage.synchronize(directory: path + "/history")
        return place
    }

    /// The names of entries, the newest last; other files may lie there, with any name.
    private func historyNames() throws -> [String] {
        try names(in: "history").filter { $0.utf8.count == 10 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private func pointerLock() async throws -> LockFile {
        try make(directories: [path])
        for _ in 0..<500 {
            if let lock = try LockFile(path + "/pointer.lock") { return lock }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw FleetError("\(path)/pointer.lock: another process holds it")
    }

    /// Writes what a node reports of itself, where it may write to the directory.
    public func report(_ status: NodeStatus) async throws {
        // A directory that is gone is not made again by those who look for it.
        try make(directories: [path + "/nodes"])
        try replace(path + "/nodes/" + status.node, status.encoded)
    }

    // MARK: The fleet

    /// The time after its last status during which a node counts as alive.
    static let longestSilence: Duration = .seconds(60)

    /// Returns the last status of each node; a node whose file was written within the last minute is alive.
    public func statuses() async throws -> [NodeReport] {
        let now = Timestamp.now()
        var reports: [NodeReport] = []
        for name in try names(in: "nodes") where FleetName.isValid(name) {
            let place = path + "/nodes/" + name
            guard let bytes = try? storage.read(place, limit: NodeStatus.longest),
                let status = try? NodeStatus(decoding: bytes), status.node == name, let date = date(of: place)
            else { continue }
            let age =
                Duration.seconds(now.seconds - date.seconds)
                + .nanoseconds(Int64(now.nanoseconds) - Int64(date.nanoseconds))
            let positive = max(age, .zero)
            reports.append(NodeReport(status: status, isAlive: positive <= Self.longestSilence, age: positive))
        }
        return reports
    }

    /// The last entries of the history, the newest last; what cannot be read is passed over.
    public func history(last: Int) async throws -> [HistoryEntry] {
        try historyNames().suffix(max(0, last))
            .compactMap { name in
                guard let bytes = try? storage.read(path + "/history/" + name, limit: HistoryEntry.longest) else {
                    return nil
                }
                return try? HistoryEntry(decoding: bytes)
            }
    }

    /// The lock of the conductor, which the system takes away from a process that ends.
    public func conductorLease(_ owner: String) async throws -> (any ConductorLease)? {
        try make(directories: [path])
        return try LockFile(path + "/conductor.lock")
    }

    /// The manifests and blobs that there are.
    public func contents() async throws -> [StoredContent] {
        var contents: [StoredContent] = []
        for kind in StoredContent.Kind.allCases {
            for name in try names(in: kind.rawValue) {
                guard let content = ContentName(name) else { continue }
                let place = "\(path)/\(kind.rawValue)/\(name)"
                contents.append(StoredContent(kind: kind, name: content, date: date(of: place)))
            }
        }
        return contents
    }

    /// Removes a manifest or blob.
    public func remove(_ content: StoredContent) async throws {
        try storage.remove("\(path)/\(content.kind.rawValue)/\(content.name)")
    }

    private func names(in folder: String) throws -> [String] {
        do {
            return try LocalFileSystem().list("\(path)/\(folder)", limit: 1_000_000)
        } catch  where error.reason == .notFound {
            return []
        } catch {
            throw FleetError("\(path)/\(folder): \(error)")
        }
    }

    private func date(of place: String) -> Timestamp? { try? LocalFileSystem().attributes(place).modificationTime }

    // MARK: Files

    /// Writes a file under another name and renames it, so that no one sees half of it.
    private func replace(_ place: String, _ bytes: [UInt8]) throws {
        let temporary = place + ".tmp"
        do {
            try storage.write(temporary, bytes)
            // A web server that serves it is someone else.
            _ = chmod(temporary, 0o644)
            try storage.rename(temporary, to: place)
        } catch {
            try? storage.remove(temporary)
            throw error
        }
    }

    private func makeDirectories() throws { try make(directories: [path, path + "/sets", path + "/blobs"]) }

    private func make(directories: [String]) throws {
        for directory in directories where mkdir(directory, 0o755) != 0 && errno != EEXIST {
            throw FleetError("cannot create the directory \(directory): system error \(errno)")
        }
    }
}

/// A file that one holder has at a time, until it closes it or its process ends, however it ends.
///
/// Thread safe.
final class LockFile: ConductorLease {
    private let path: String
    private let descriptor: Mutex<Int32?>

    /// Takes the lock; nil if another process has it.
    init?(_ path: String) throws(FleetError) {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw FleetError("\(path): cannot be opened, system error \(errno)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            _ = Glibc.close(descriptor)
            if error == EWOULDBLOCK { return nil }
            throw FleetError("\(path): cannot be locked, system error \(error)")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { close() }

    func close() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let held { _ = Glibc.close(held) }
    }

    func renew() async throws -> Bool { descriptor.withLock { $0 != nil } }

    func end() async { close() }
}
#endif
