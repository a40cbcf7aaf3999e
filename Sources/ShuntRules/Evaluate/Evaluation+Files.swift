import ShuntCore

/// Looking at files.
extension Evaluation {
    /// Returns the kind of the target of a path; nil if there is nothing, or no file system.
    func fileKind(_ path: ByteRange) -> FileAttributes.Kind? {
        attributes(path)?.kind
    }

    func fileTest(_ kind: Condition.Kind, path: ByteRange) -> Bool {
        guard let found = attributes(path) else { return false }
        return switch kind {
        case .isFile: found.kind == .regular
        case .isDirectory: found.kind == .directory
        case .isExecutable: found.isOwnerExecutable
        default: true
        }
    }

    private func attributes(_ path: ByteRange) -> FileAttributes? {
        guard let fileSystem = options.fileSystem, !path.isEmpty else { return nil }
        return arena.withBytes(path) { bytes in try? fileSystem.attributes(bytes) }
    }
}
