#if Fleet
import Glibc
package import ShuntCore
public import ShuntRelease

/// A directory with releases: what a publisher writes, and what a node reads where it can see the same directory.
///
/// ```
/// pointer         the one file that changes; it is replaced in one step
/// sets/SHA256     manifests
/// blobs/SHA256    pieces of files
/// ```
public struct ReleaseTree: FleetCarrier {
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

    /// The pointer as it stands now.
    public func pointer() async throws -> [UInt8] { try read("pointer", ReleasePointer.longest) }

    /// The manifest of a set.
    public func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8] { try read("sets/\(set)", limit) }

    /// A blob.
    public func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8] { try read("blobs/\(blob)", limit) }

    private func read(_ name: String, _ limit: Int) throws -> [UInt8] {
        do {
            return try storage.read(path + "/" + name, limit: limit)
        } catch {
            throw FleetFailure("\(path)/\(name): \(error)")
        }
    }

    /// The pointer; nil where there is none yet.
    ///
    /// - Throws: Where there is one that cannot be read.
    public func currentPointer() throws -> ReleasePointer? {
        do {
            return try ReleasePointer(decoding: try storage.read(path + "/pointer", limit: ReleasePointer.longest))
        } catch let error as FileError where error.reason == .notFound {
            return nil
        } catch {
            throw FleetFailure("\(path)/pointer: \(error)")
        }
    }

    // MARK: Writing

    /// Writes what a set consists of: its blobs, then its manifest.
    ///
    /// What is there already is not written again.
    public func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]]) throws {
        try makeDirectories()
        for (name, bytes) in blobs.sorted(by: { $0.key < $1.key }) { try write("blobs", name, bytes) }
        try storage.synchronize(directory: path + "/blobs")
        try write("sets", manifest.name, manifest.encoded)
        try storage.synchronize(directory: path + "/sets")
    }

    private func write(_ folder: String, _ name: ContentName, _ bytes: [UInt8]) throws {
        let place = path + "/" + folder + "/" + name.hexadecimal
        if let there = try? storage.read(place, limit: bytes.count), there == bytes { return }
        try replace(place, bytes)
    }

    /// Puts a pointer in the place of the one that is there.
    ///
    /// What it names has to be written before.
    ///
    /// - Throws: Where it is too large, or the disk refuses; the pointer is as it was then.
    public func write(_ pointer: ReleasePointer) throws {
        let bytes = pointer.encoded
        guard bytes.count <= ReleasePointer.longest else {
            throw FleetFailure("the pointer has \(bytes.count) bytes, more than \(ReleasePointer.longest)")
        }
        try makeDirectories()
        try replace(path + "/pointer", bytes)
        try storage.synchronize(directory: path)
    }

    /// Writes a file under another name and renames it, so that nobody sees half of it.
    private func replace(_ place: String, _ bytes: [UInt8]) throws {
        let temporary = place + ".tmp"
        do {
            try storage.write(temporary, bytes)
            // A web server that serves it is somebody else.
            _ = chmod(temporary, 0o644)
            try storage.rename(temporary, to: place)
        } catch {
            try? storage.remove(temporary)
            throw error
        }
    }

    private func makeDirectories() throws {
        for directory in [path, path + "/sets", path + "/blobs"] where mkdir(directory, 0o755) != 0 && errno != EEXIST {
            throw FleetFailure("cannot make the directory \(directory): system error \(errno)")
        }
    }
}
#endif
