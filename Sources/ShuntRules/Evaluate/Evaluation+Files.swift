import ShuntCore

/// Looking at files.
extension Evaluation {
    /// What a path leads to; nil when there is nothing, or nothing to ask.
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
