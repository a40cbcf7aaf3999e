package import ShuntCore

/// The content of a last-known-good file, and its bytes.
///
/// All numbers are 8 bytes, the highest first; a string is its length and its bytes.
///
/// ```
/// "ShuntLKG" version length    the number of all bytes of the file
/// sequence seconds source contentHash path
/// count  { trustedDirectory }
/// count  { path kind content } kind 0: a file, 1: a link and its target, 2: a directory, with no content
/// checksum                     SHA-256 of all bytes before it, as 64 hexadecimal digits
/// ```
package struct LastKnownGoodFormat: Sendable, Hashable {
    /// Counts the copies; the highest number is the newest.
    package var sequence: UInt64
    /// The time when the rules came into use; only the seconds are kept.
    package var date: Timestamp
    package var source: String
    package var contentHash: String
    package var archive: RuleArchive

    package enum DecodingError: String, Error, CustomStringConvertible {
        /// It begins differently.
        case notACopy = "it is not a last-known-good copy"
        /// It was written by a later Shunt.
        case unknownVersion = "its format is not known to this version"
        /// The length it names is not its own.
        case truncated = "it is not complete"
        /// A byte is another than was written.
        case damaged = "its checksum is wrong"

        package var description: String { rawValue }
    }

    private static let magic = Array("ShuntLKG".utf8)
    private static let version: UInt64 = 1
    private static let checksumLength = 64
    /// No store writes so many copies; after it the count would begin again, and an older copy look newer.
    private static let sequenceLimit: UInt64 = 1 << 62

    package init(sequence: UInt64, date: Timestamp, source: String, contentHash: String, archive: RuleArchive) {
        self.sequence = sequence
        self.date = date
        self.source = source
        self.contentHash = contentHash
        self.archive = archive
    }

    // MARK: Writing

    package func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.reserveCapacity(archive.byteCount + 4096)
        Self.append(Self.version, to: &bytes)
        let lengthOffset = bytes.count
        Self.append(0, to: &bytes)
        Self.append(sequence, to: &bytes)
        Self.append(UInt64(bitPattern: date.seconds), to: &bytes)
        for text in [source, contentHash, archive.path] { Self.append(Array(text.utf8), to: &bytes) }
        Self.append(UInt64(archive.trustedDirectories.count), to: &bytes)
        for directory in archive.trustedDirectories { Self.append(Array(directory.utf8), to: &bytes) }
        Self.append(UInt64(archive.entries.count), to: &bytes)
        for (path, entry) in archive.entries.sorted(by: { $0.key < $1.key }) {
            Self.append(Array(path.utf8), to: &bytes)
            switch entry {
            case .file(let content):
                Self.append(0, to: &bytes)
                Self.append(content, to: &bytes)
            case .link(let target):
                Self.append(1, to: &bytes)
                Self.append(Array(target.utf8), to: &bytes)
            case .directory:
                Self.append(2, to: &bytes)
                Self.append([], to: &bytes)
            }
        }
        var length: [UInt8] = []
        Self.append(UInt64(bytes.count + Self.checksumLength), to: &length)
        bytes.replaceSubrange(lengthOffset..<(lengthOffset + 8), with: length)
        bytes += Self.checksum(bytes)
        return bytes
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number &>> shift))
        }
    }

    private static func append(_ field: [UInt8], to bytes: inout [UInt8]) {
        append(UInt64(field.count), to: &bytes)
        bytes += field
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var hash = ContentHash()
        hash.update(bytes)
        return Array(hash.hexadecimal.utf8)
    }

    // MARK: Reading

    /// Reads a file's bytes, any at all.
    ///
    /// Nothing in them can trap or allocate more than a small multiple of their size.
    package init(decoding bytes: [UInt8]) throws(DecodingError) {
        guard bytes.starts(with: Self.magic) else { throw .notACopy }
        var reader = FieldReader(bytes: bytes, position: Self.magic.count)
        guard let version = reader.number(), let length = reader.number() else { throw .truncated }
        guard version == Self.version else { throw .unknownVersion }
        guard length == UInt64(bytes.count), bytes.count >= reader.position + Self.checksumLength else {
            throw .truncated
        }
        let end = bytes.count - Self.checksumLength
        guard Self.checksum(Array(bytes[..<end])).elementsEqual(bytes[end...]) else { throw .damaged }
        reader.end = end
        guard let content = Self.content(&reader), reader.position == end, content.sequence < Self.sequenceLimit else {
            throw .damaged
        }
        self = content
    }

    private static func content(_ reader: inout FieldReader) -> LastKnownGoodFormat? {
        guard let sequence = reader.number(), let seconds = reader.number(), let source = reader.text(),
            let contentHash = reader.text(), let path = reader.text(), let directoryCount = reader.number()
        else { return nil }
        var directories: [String] = []
        for _ in 0..<directoryCount {
            guard let directory = reader.text() else { return nil }
            directories.append(directory)
        }
        guard let entryCount = reader.number() else { return nil }
        var entries: [String: RuleArchive.Entry] = [:]
        for _ in 0..<entryCount {
            guard let path = reader.text(), let kind = reader.number(), let content = reader.field() else { return nil }
            switch kind {
            case 0: entries[path] = .file(Array(content))
            case 1: entries[path] = .link(String(decoding: content, as: UTF8.self))
            case 2: entries[path] = .directory
            default: return nil
            }
        }
        return LastKnownGoodFormat(
            sequence: sequence,
            date: Timestamp(seconds: Int64(bitPattern: seconds)),
            source: source,
            contentHash: contentHash,
            archive: RuleArchive(path: path, entries: entries, trustedDirectories: directories)
        )
    }
}

/// Takes numbers and strings off bytes that may be anything.
private struct FieldReader {
    let bytes: [UInt8]
    var position: Int
    var end: Int

    init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
        end = bytes.count
    }

    mutating func number() -> UInt64? {
        guard end - position >= 8 else { return nil }
        var value: UInt64 = 0
        for byte in bytes[position..<(position + 8)] { value = value &<< 8 | UInt64(byte) }
        position += 8
        return value
    }

    mutating func field() -> ArraySlice<UInt8>? {
        guard let length = number(), length <= UInt64(end - position) else { return nil }
        let start = position
        position += Int(length)
        return bytes[start..<position]
    }

    mutating func text() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }
}
