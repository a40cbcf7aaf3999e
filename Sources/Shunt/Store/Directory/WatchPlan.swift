import ShuntCore

/// The directories to watch for a rule set, and what matters in each.
struct WatchPlan: Sendable, Hashable {
    /// The names that matter in a directory.
    struct Interest: Sendable, Hashable {
        /// Names whose every change matters.
        var names: Set<String> = []
        /// True if names that come and go matter.
        var coversList = false
    }

    /// The interest by directory.
    private(set) var interests: [String: Interest] = [:]

    /// Directories beyond this number are left to polling.
    static let directoryLimit = 4096

    /// Names that came since the rule set was read, by directory.
    private var arrivals: [String: Set<String>] = [:]

    var directories: Set<String> { Set(interests.keys) }

    /// True if there are more directories than are watched.
    private(set) var isOverLimit = false

    /// Plans for a rule set that was read.
    init(for capture: DirectoryCapture, files: any FileSystem) {
        self.init(path: capture.path, files: files)
        addPath(capture.directory, files: files)
        if let pin = capture.pin, let real = try? files.realPath(capture.directory) {
            // What turns is a link in the directory itself.
            if pin != real { add(real, name: PinnedFiles.dataLink) }
        }
        for directory in capture.record.lists.keys {
            addList(directory == capture.directory ? capture.pin ?? directory : directory, files: files)
            if let real = try? files.realPath(directory) { addList(real, files: files) }
            addPath(directory, files: files)
        }
        for (path, answer) in capture.record.realPaths {
            addPath(path, files: files)
            if case .success(let real) = answer, real != path { addPath(real, files: files) }
        }
        for path in capture.record.attributes.keys { addPath(path, files: files) }
    }

    /// Takes over the names that came since the rule set was read, for a plan for the same rule set.
    mutating func keepArrivals(of other: WatchPlan) {
        arrivals = other.arrivals
        for (directory, names) in arrivals { interests[directory]?.names.formUnion(names) }
    }

    /// Plans for a path of which nothing is known yet.
    init(path: String, files: any FileSystem) {
        addPath(path, files: files)
        if let real = try? files.realPath(path), real != path { addPath(real, files: files) }
        if (try? files.attributes(path))?.kind == .directory { addList(path, files: files) }
    }

    /// Watches for a path to come, go or change: in its directory, or in the nearest one above it that exists.
    private mutating func addPath(_ path: String, files: any FileSystem) {
        var path = Self.trimmed(path)
        while true {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            let parent = DirectoryCapture.parent(of: path)
            if name.isEmpty || name == "." || name == ".." || parent == path { return }
            if interests[parent] != nil || (try? files.attributes(parent))?.kind == .directory {
                add(parent, name: name)
                return
            }
            path = parent
        }
    }

    private mutating func addList(_ directory: String, files: any FileSystem) {
        guard (try? files.attributes(directory))?.kind == .directory else { return }
        if room(for: directory) { interests[Self.trimmed(directory), default: Interest()].coversList = true }
    }

    private mutating func add(_ directory: String, name: String) {
        if room(for: directory) { interests[Self.trimmed(directory), default: Interest()].names.insert(name) }
    }

    private mutating func room(for directory: String) -> Bool {
        if interests[directory] != nil || interests.count < Self.directoryLimit { return true }
        isOverLimit = true
        return false
    }

    /// The path without slashes at its end.
    static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        return String(path)
    }

    /// Returns true if an event can have changed the rule set.
    ///
    /// New names are remembered: the writer of a file may still
    /// be writing to it.
    mutating func concerns(_ event: FileEvent) -> Bool {
        guard let interest = interests[event.directory] else { return false }
        switch event.kind {
        case .lost, .directoryGone:
            return true
        case .appeared:
            if interest.names.contains(event.name) { return true }
            guard interest.coversList, RuleFileName.isRelevant(event.name) else { return false }
            interests[event.directory]?.names.insert(event.name)
            arrivals[event.directory, default: []].insert(event.name)
            return true
        case .disappeared:
            return interest.names.contains(event.name) || interest.coversList && RuleFileName.isRelevant(event.name)
        case .modified, .closed, .attributes:
            return interest.names.contains(event.name)
        }
    }
}
