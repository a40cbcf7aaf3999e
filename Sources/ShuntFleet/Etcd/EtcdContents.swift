#if Fleet
import ShuntCore

struct EtcdContents: Sendable {
    /// The longest value, in bytes: etcd takes 1.5 MiB with everything around it.
    private static let pieceLength = 1 << 20
    /// The most keys that are read, and the most contents that are written, in one transaction.
    private static let batch = 60
    private static let batchBytes = 512 << 10

    let client: EtcdClient
    let keys: EtcdKeys

    // MARK: Reading

    /// A manifest, put together of its pieces.
    func manifest(_ set: ContentName, limit: Int) async throws -> [UInt8] {
        let key = keys.content(.manifest, set)
        var bytes: [UInt8] = []
        for piece in 0... {
            let part = try await value(piece == 0 ? key : "\(key)/\(piece)", limit: min(limit, Self.pieceLength))
            bytes += part
            guard bytes.count <= limit else { throw FleetError("\(key): it has more than \(limit) bytes") }
            if part.count < Self.pieceLength || ContentName(of: bytes) == set { break }
        }
        return bytes
    }

    func blob(_ blob: ContentName, limit: Int) async throws -> [UInt8] {
        try await value(keys.content(.blob, blob), limit: limit)
    }

    private func value(_ key: String, limit: Int) async throws -> [UInt8] {
        let answer = try await client.range(EtcdRange(key), limit: limit / 3 * 4 + (4 << 10))
        guard let entry = answer.entries.first else { throw FleetError("\(key): etcd has no such key") }
        guard entry.value.count <= limit else { throw FleetError("\(key): it has more than \(limit) bytes") }
        return entry.value
    }

    // MARK: Writing

    /// Writes what is not there, the manifest last, and notes the time at all of it.
    func write(_ manifest: Manifest, _ blobs: [ContentName: [UInt8]], at date: Timestamp) async throws {
        let names = blobs.keys.sorted()
        for start in stride(from: 0, to: names.count, by: Self.batch) {
            let some = Array(names[start..<min(start + Self.batch, names.count)])
            let missing = try await missing(.blob, names: some, at: date)
            try await put(missing.compactMap { name in blobs[name].map { (keys.content(.blob, name), $0) } })
        }
        guard try await !missing(.manifest, names: [manifest.name], at: date).isEmpty else { return }
        let bytes = manifest.encoded
        let key = keys.content(.manifest, manifest.name)
        // The first piece comes last: what has it has all.
        let starts = stride(from: 0, to: max(1, bytes.count), by: Self.pieceLength).enumerated()
        try await put(
            starts.reversed()
                .map { piece, start in
                    (
                        piece == 0 ? key : "\(key)/\(piece)",
                        Array(bytes[start..<min(start + Self.pieceLength, bytes.count)])
                    )
                }
        )
    }

    /// Notes the time at content, and returns what of it is not there, in one step: no one removes it in between.
    private func missing(
        _ kind: StoredContent.Kind,
        names: [ContentName],
        at date: Timestamp
    ) async throws(EtcdError) -> [ContentName] {
        let text = Array(date.description.utf8)
        let dates = names.map { EtcdOperation.put(keys.date(kind, $0), text) }
        let questions = names.map { name in
            var range = EtcdRange(keys.content(kind, name))
            range.keysOnly = true
            return EtcdOperation.range(range)
        }
        let answer = try await client.transact(EtcdTransaction(success: dates + questions))
        guard answer.ranges.count == names.count else {
            throw EtcdError(.malformed, "etcd has answered \(answer.ranges.count) of \(names.count) questions")
        }
        return zip(names, answer.ranges).filter { $0.1.entries.isEmpty }.map(\.0)
    }

    /// Writes keys in their order, several at once where they are small.
    private func put(_ values: [(key: String, bytes: [UInt8])]) async throws(EtcdError) {
        var operations: [EtcdOperation] = []
        var size = 0
        for value in values {
            if !operations.isEmpty, size + value.bytes.count > Self.batchBytes {
                _ = try await client.transact(EtcdTransaction(success: operations))
                (operations, size) = ([], 0)
            }
            operations.append(.put(value.key, value.bytes))
            size += value.bytes.count
        }
        if !operations.isEmpty { _ = try await client.transact(EtcdTransaction(success: operations)) }
    }

    // MARK: Cleaning

    func all() async throws -> [StoredContent] {
        var contents: [StoredContent] = []
        for kind in StoredContent.Kind.allCases {
            var dates: [String: Timestamp] = [:]
            for entry in try await client.entries(keys.dates(kind), page: 1000) {
                let name = String(entry.key.dropFirst(keys.dates(kind).count))
                dates[name] = try? Timestamp(String(decoding: entry.value, as: UTF8.self))
            }
            for entry in try await client.entries(keys.contents(kind), page: 1000, keysOnly: true) {
                guard let name = ContentName(String(entry.key.dropFirst(keys.contents(kind).count))) else { continue }
                contents.append(StoredContent(kind: kind, name: name, date: dates[name.hexadecimal]))
            }
        }
        return contents
    }

    /// Removes content, if its time is still the listed time.
    func remove(_ content: StoredContent) async throws(EtcdError) {
        let date = keys.date(content.kind, content.name)
        let key = keys.content(content.kind, content.name)
        let isSame: EtcdCompare = content.date.map { .value(date, Array($0.description.utf8)) } ?? .absent(date)
        let removal: [EtcdOperation] = [.delete(key), .deletePrefix(key + "/"), .delete(date)]
        _ = try await client.transact(EtcdTransaction([isSame], success: removal))
    }
}
#endif
