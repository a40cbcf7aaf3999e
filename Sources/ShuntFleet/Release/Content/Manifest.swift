import ShuntCore

/// The files of a rule set and the blobs that they are cut into.
///
/// The SHA-256 of its bytes is the name of the set.
public struct Manifest: Sendable, Hashable {
    /// The longest blob, in bytes; every blob of a file but the last has this length.
    public static let blobLength = 1 << 20

    /// The limits of the size of a set.
    public struct Limits: Sendable, Hashable {
        /// The most files.
        public var files = 10_000
        /// The most bytes of all files.
        public var bytes = 256 << 20
        /// The most bytes of the manifest itself.
        public var manifestBytes = 8 << 20

        /// Makes the usual limits.
        public init() {}
    }

    /// One file.
    public struct File: Sendable, Hashable {
        /// The place where it is in the set: relative, with `/`.
        public var path: String
        /// Its length in bytes.
        public var size: Int
        /// The SHA-256 of its bytes.
        public var content: ContentName
        /// Its pieces in their order.
        public var blobs: [ContentName]
    }

    /// The files in the order of their paths' bytes.
    public let files: [File]

    /// The bytes of all files together.
    public var byteCount: Int { files.reduce(0) { $0 + $1.size } }

    /// The names of all blobs, each once, in the order of the files.
    public var blobs: [ContentName] {
        var seen: Set<ContentName> = []
        return files.flatMap(\.blobs).filter { seen.insert($0).inserted }
    }

    /// Returns the length of a blob; nil if no file has it.
    public func length(of blob: ContentName) -> Int? {
        for file in files {
            guard let index = file.blobs.firstIndex(of: blob) else { continue }
            return min(Self.blobLength, file.size - index * Self.blobLength)
        }
        return nil
    }

    // MARK: Making

    /// Cuts files into blobs: the manifest, the same for the same files on every machine, and the blobs by name.
    ///
    /// - Throws: Where a path leads elsewhere, or there is more than the limits allow.
    public static func cut(
        _ contents: [String: [UInt8]],
        limits: Limits = Limits()
    ) throws(DocumentError) -> (manifest: Manifest, blobs: [ContentName: [UInt8]]) {
        var files: [File] = []
        var blobs: [ContentName: [UInt8]] = [:]
        for (path, bytes) in contents {
            var names: [ContentName] = []
            for start in stride(from: 0, to: bytes.count, by: blobLength) {
                let piece = Array(bytes[start..<min(start + blobLength, bytes.count)])
                let name = ContentName(of: piece)
                blobs[name] = piece
                names.append(name)
            }
            files.append(File(path: path, size: bytes.count, content: ContentName(of: bytes), blobs: names))
        }
        return (try Manifest(files: files, limits: limits), blobs)
    }

    private init(files: [File], limits: Limits) throws(DocumentError) {
        self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        try check(limits)
    }

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1,
            "files": files.map { file -> JSONObject in
                [
                    "path": file.path, "size": file.size, "sha256": file.content.hexadecimal,
                    "blobs": file.blobs.map(\.hexadecimal),
                ]
            },
        ]
        return object.bytes
    }

    /// The name of the set.
    public var name: ContentName { ContentName(of: encoded) }

    // MARK: Reading

    /// Reads a manifest, any bytes at all.
    ///
    /// - Throws: Where it names a path that leads elsewhere, a path twice, or more than the limits allow.
    public init(decoding bytes: [UInt8], limits: Limits = Limits()) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "manifest", limit: limits.manifestBytes)
        var files: [File] = []
        for file in try fields.objects("files", limit: limits.files) {
            files.append(
                File(
                    path: try file.text("path", limit: FilePath.longest),
                    size: try file.integer("size", in: 0...limits.bytes),
                    content: try file.contentName("sha256"),
                    blobs: try file.contentNames("blobs", limit: limits.bytes / Self.blobLength + 1)
                )
            )
        }
        try self.init(files: files, limits: limits)
    }

    private func check(_ limits: Limits) throws(DocumentError) {
        guard files.count <= limits.files else {
            throw DocumentError("manifest", "there are more than \(limits.files) files")
        }
        var total = 0
        var folders: Set<String> = []
        var previous: String?
        for file in files {
            if let problem = FilePath.problem(file.path) {
                throw DocumentError("manifest", "the path \(file.path.debugDescription) \(problem)")
            }
            guard previous != file.path else {
                throw DocumentError("manifest", "the path \"\(file.path)\" is there twice")
            }
            previous = file.path
            guard file.blobs.count == (file.size + Self.blobLength - 1) / Self.blobLength else {
                throw DocumentError("manifest", "the number of blobs of \"\(file.path)\" does not fit its size")
            }
            total += file.size
            guard total <= limits.bytes else {
                throw DocumentError("manifest", "the files have more than \(limits.bytes) bytes")
            }
            folders.formUnion(FilePath.folders(of: file.path))
        }
        for file in files where folders.contains(file.path) {
            throw DocumentError("manifest", "\"\(file.path)\" is a file and a folder")
        }
    }

    // MARK: Putting together

    /// Puts the files together again, every one with the SHA-256 in the manifest.
    ///
    /// - Throws: What `blob` throws, or where the blobs do not add up to the files.
    public func assemble(
        _ blob: (ContentName) throws(DocumentError) -> [UInt8]
    ) throws(DocumentError) -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for file in files {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(file.size)
            for name in file.blobs { bytes += try blob(name) }
            guard bytes.count == file.size, ContentName(of: bytes) == file.content else {
                throw DocumentError("manifest", "the blobs of \"\(file.path)\" do not add up to the file")
            }
            contents[file.path] = bytes
        }
        return contents
    }
}
