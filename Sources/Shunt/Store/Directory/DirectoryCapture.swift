import ShuntCore
import ShuntRouting
import ShuntRules

/// A rule set as it was read from files, with everything needed to see whether it still is the content of the files.
struct DirectoryCapture: Sendable {
    let path: String
    /// The rule directory as people write it.
    let directory: String
    let trustedDirectories: [String]
    /// The directory that was read in place of `directory`; nil when there was none.
    let pin: String?
    let record: FileRecorder.Record
    /// The rules, or what is wrong with them.
    let result: Result<RuleSet, RuleSetError>

    init(
        loading path: String,
        trusting trustedDirectories: [String],
        routing: RoutingOptions = RoutingOptions(),
        ignoringUnknownDirectives: Bool = false,
        from files: any FileSystem
    ) {
        self.path = path
        self.trustedDirectories = trustedDirectories
        let isDirectory = (try? files.attributes(path))?.kind == .directory
        directory = isDirectory ? path : Self.parent(of: path)
        let pinned = try? PinnedFiles(files, directory: directory)
        pin = pinned?.real
        let recorder = FileRecorder(pinned ?? files)
        result = Result { () throws(RuleSetError) in
            try RuleSet(
                path: path,
                from: recorder,
                trusting: trustedDirectories,
                routing: routing,
                ignoringUnknownDirectives: ignoringUnknownDirectives
            )
        }
        record = recorder.record
    }

    static func parent(of path: String) -> String {
        RuleFiles.directory(of: WatchPlan.trimmed(path))
    }

    // MARK: Comparing

    /// Returns true if the files still are what was read.
    ///
    /// With `recent` only those are read again that were changed after it: a file system's clock is coarse, and a second change
    /// within its step leaves no trace. Without it all contents are compared, and no times.
    func isCurrent(in files: any FileSystem, recent: Timestamp? = nil) -> Bool {
        guard let view = view(of: files) else { return false }
        for (path, old) in record.realPaths {
            let new = Result { () throws(FileError) in try view.realPath(path) }
            guard old == new else { return false }
        }
        for (path, old) in record.attributes {
            let new = Result { () throws(FileError) in try view.attributes(path) }
            guard Self.isSame(old, new, ignoringTimes: recent == nil) else { return false }
        }
        for (path, old) in record.lists {
            let new = Result { () throws(FileError) in try view.list(path, limit: .max) }
            guard old.map(Self.relevant) == new.map(Self.relevant) else { return false }
        }
        for (path, old) in record.contents {
            let time = (try? record.attributes[path]?.get())?.modificationTime
            if let recent, let time, time < recent { continue }
            let new = Result { () throws(FileError) in try view.read(path, limit: .max) }
            guard old == new else { return false }
        }
        return true
    }

    /// A number that is the same as long as no file was replaced, resized, touched, added, removed or led elsewhere.
    ///
    /// It is compared within one process only.
    func stamp(in files: any FileSystem) -> Int {
        guard let view = view(of: files) else { return 0 }
        var hasher = Hasher()
        for path in record.realPaths.keys.sorted() {
            hasher.combine(Result { () throws(FileError) in try view.realPath(path) })
        }
        for path in record.attributes.keys.sorted() {
            let attributes = Result { () throws(FileError) in try view.attributes(path) }
            hasher.combine(attributes.map { Self.comparable($0) })
        }
        for path in record.lists.keys.sorted() {
            hasher.combine(Result { () throws(FileError) in try view.list(path, limit: .max) }.map(Self.relevant))
        }
        return hasher.finalize()
    }

    /// The same view of the files; nil when the rule directory leads elsewhere now.
    private func view(of files: any FileSystem) -> (any FileSystem)? {
        let pinned = try? PinnedFiles(files, directory: directory)
        guard pinned?.real == pin else { return nil }
        return pinned ?? files
    }

    private static func isSame(
        _ old: Result<FileAttributes, FileError>,
        _ new: Result<FileAttributes, FileError>,
        ignoringTimes: Bool
    ) -> Bool {
        guard case .success(let old) = old, case .success(let new) = new else { return old == new }
        if ignoringTimes { return old.kind == new.kind }
        return comparable(old) == comparable(new)
    }

    /// A directory's own size and time add nothing to its list: an editor's temporary file changes them.
    private static func comparable(_ attributes: FileAttributes) -> FileAttributes {
        var attributes = attributes
        if attributes.kind == .directory {
            attributes.size = 0
            attributes.modificationTime = Timestamp(seconds: 0)
        }
        return attributes
    }

    private static func relevant(_ names: [String]) -> [String] {
        names.filter { RuleFileName.isRelevant($0) }
    }

    // MARK: The files

    func loaded() throws(RuleSetError) -> LoadedRules {
        LoadedRules(ruleSet: try result.get(), archive: archive)
    }

    /// The files that were read, in the places where the rule set looks for them.
    var archive: RuleArchive {
        var entries: [String: RuleArchive.Entry] = [directory: .directory]
        for (path, answer) in record.contents {
            guard case .success(let bytes) = answer else { continue }
            entries[shown(path)] = .file(bytes)
        }
        for (path, answer) in record.realPaths {
            guard case .success(let target) = answer, entries[path] == nil else { continue }
            let place = shown(target)
            if InMemoryFileSystem.normalized(place) == InMemoryFileSystem.normalized(path) { continue }
            entries[path] = .link(place.hasPrefix("/") ? place : "/" + place)
        }
        for path in trustedDirectories {
            if let target = try? record.realPaths[path]?.get() { entries[shown(target)] = .directory }
        }
        return RuleArchive(path: path, entries: entries, trustedDirectories: trustedDirectories)
    }

    /// The path by which people know a file that was read.
    private func shown(_ path: String) -> String {
        guard let pin else { return path }
        if path == pin { return directory }
        let prefix = pin.hasSuffix("/") ? pin : pin + "/"
        return path.hasPrefix(prefix) ? PinnedFiles.join(directory, String(path.dropFirst(prefix.count))) : path
    }
}
