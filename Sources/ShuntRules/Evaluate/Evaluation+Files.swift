import ShuntCore

/// Checks of files.
extension Evaluation {
    mutating func fileTest(_ kind: Condition.Kind, path: ByteRange) throws(EvaluationFailure) -> Bool {
        guard case .success(let found) = try lookUp(path) else { return false }
        return switch kind {
        case .isFile: found.kind == .regular
        case .isDirectory: found.kind == .directory
        case .isExecutable: found.isOwnerExecutable
        default: true
        }
    }

    /// Returns the attributes of the target of a path, with the links that the settings in force allow.
    mutating func lookUp(_ path: ByteRange) throws(EvaluationFailure) -> Result<FileAttributes, FileError> {
        guard let fileSystem = options.fileSystem, !path.isEmpty else { return .failure(FileError(.notFound)) }
        let links = server.settings.isNone ? LinkPolicy.any : program.tables.settings[server.settings].links
        let start = links == .any ? 0 : try linksStart(path)
        do throws(FileError) {
            if let start, links != .any, fileSystem is LocalFileSystem {
                return .success(try LocalFileSystem.attributes(arena.array(path), links: links, after: start))
            }
            return .success(try arena.withBytes(path) { (bytes) throws(FileError) in try fileSystem.attributes(bytes) })
        } catch {
            return .failure(error)
        }
    }

    /// The status where a file or folder of this machine cannot be opened; nil where it can.
    ///
    /// nginx opens it before it reads its kind.
    func openingStatus(_ path: ByteRange) -> Int32? {
        guard options.fileSystem is LocalFileSystem else { return nil }
        do throws(FileError) {
            try LocalFileSystem.tryOpening(arena.array(path))
            return nil
        } catch {
            return Self.status(of: error)
        }
    }

    /// The length of the beginning of a path that may have any links, by `from=`; nil if all of it may.
    mutating func linksStart(_ path: ByteRange) throws(EvaluationFailure) -> Int? {
        let template = program.tables.settings[server.settings].linksStart
        guard !template.isNone else { return 0 }
        let start = arena.array(try evaluate(template: template))
        let whole = arena.array(path)
        guard !start.isEmpty, whole.starts(with: start) else { return 0 }
        if start.count == whole.count { return nil }
        let slash = UInt8(ascii: "/")
        return whole[start.count] == slash ? start.count : start.last == slash ? start.count - 1 : 0
    }

    /// The status where a file cannot be used.
    static func status(of error: FileError) -> Int32 {
        switch error.reason {
        case .notFound: 404
        case .accessDenied, .symbolicLink: 403
        default: 500
        }
    }

    mutating func answer(with file: ByteRange, _ settings: Settings) throws(EvaluationFailure) -> Step {
        answer.outcome.file = file
        answer.outcome.isFile = true
        answer.dropsBody = true
        answer.fileType = try contentType()
        answer.linksStart = 0
        if settings.links != .any { answer.linksStart = try linksStart(file) ?? -1 }
        try forwardCurrent()
        return .done
    }

    /// Returns true if a path leads out of the folder that its root begins with, up to the first variable: an `alias` without a slash
    /// at the end of both its paths lets a request do so.
    func leadsOut(_ path: [UInt8], _ settings: Settings) -> Bool {
        var start = options.documentRoot?.count ?? 0
        if !settings.root.isNone {
            let part = program.tables.parts[settings.root]
            start = part.kind == .literal ? Int(part.b - part.a) : 0
        }
        var (depth, least) = (0, 0)
        for step in path.split(separator: UInt8(ascii: "/")) {
            depth += step.elementsEqual("..".utf8) ? -1 : step.elementsEqual(".".utf8) ? 0 : 1
            if step.endIndex <= start { least = depth } else if depth < least { return true }
        }
        return false
    }
}
