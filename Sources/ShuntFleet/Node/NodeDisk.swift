#if Fleet
import Dispatch
import Glibc
import ShuntCore

/// The content of a node's disk: its memory, and the sets that it would serve without a carrier.
///
/// The threads of Swift's concurrency are as many as the machine has cores, so none of them waits for the disk here: the
/// work is done on a queue of the node's own, one piece after another in the order in which it was asked for. (A
/// `BackgroundThread` is a new one for each piece, and keeps no order.)
struct NodeDisk: Sendable {
    private let path: String
    private let tree: ReleaseTree
    private let storage: any FileStorage
    private let queue = DispatchQueue(label: "shunt.fleet.node.disk")

    init(_ path: String, storage: any FileStorage) {
        self.path = path
        self.storage = storage
        tree = ReleaseTree(path, storage: storage)
    }

    private func inTurn<Value: Sendable, Failure>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    // MARK: Memory

    /// Returns the memory of the node and its problem; reads at once, because nothing is known before.
    func memory() -> (memory: NodeMemory, problem: String?) {
        do {
            let bytes = try storage.read(path + "/memory", limit: NodeMemory.longest)
            return (try NodeMemory(decoding: bytes), nil)
        } catch let error as FileError where error.reason == .notFound {
            return (NodeMemory(), nil)
        } catch {
            return (NodeMemory(), "\(path)/memory: \(error)")
        }
    }

    func write(_ memory: NodeMemory) async throws {
        try await inTurn {
            _ = mkdir(path, 0o700)
            let temporary = path + "/memory.tmp"
            try storage.write(temporary, memory.encoded)
            try storage.rename(temporary, to: path + "/memory")
            try storage.synchronize(directory: path)
        }
    }

    // MARK: Sets

    func manifest(_ set: ContentName, _ limits: Manifest.Limits) async -> Manifest? {
        await inTurn { read(set, limits) }
    }

    private func read(_ set: ContentName, _ limits: Manifest.Limits) -> Manifest? {
        guard let bytes = try? storage.read("\(path)/sets/\(set)", limit: limits.manifestBytes),
            ContentName(of: bytes) == set
        else { return nil }
        return try? Manifest(decoding: bytes, limits: limits)
    }

    func blob(_ blob: ContentName) async -> [UInt8]? {
        await inTurn {
            guard let bytes = try? storage.read("\(path)/blobs/\(blob)", limit: Manifest.blobLength),
                ContentName(of: bytes) == blob
            else { return nil }
            return bytes
        }
    }

    func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]]) async throws {
        try await inTurn {
            _ = mkdir(path, 0o700)
            try tree.write(manifest, blobs)
        }
    }

    /// Removes what belongs to no set that is kept.
    func retain(_ sets: [ContentName]) async {
        await inTurn {
            let manifests = sets.compactMap { read($0, Manifest.Limits()) }
            // One that cannot be read might name anything.
            guard manifests.count == sets.count else { return }
            remove(in: "sets", except: Set(sets.map(\.hexadecimal)))
            remove(in: "blobs", except: Set(manifests.flatMap(\.blobs).map(\.hexadecimal)))
        }
    }

    private func remove(in folder: String, except names: Set<String>) {
        let files = LocalFileSystem()
        guard let there = try? files.list("\(path)/\(folder)", limit: 1_000_000) else { return }
        for name in there where !names.contains(name) { try? storage.remove("\(path)/\(folder)/\(name)") }
    }
}
#endif
