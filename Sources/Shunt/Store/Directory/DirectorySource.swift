package import ShuntCore
public import ShuntRouting
import Synchronization

/// Rules in a directory of files, or in one file and what it includes.
///
/// The set is read as of one moment: after reading, every question that was put to the file system is put once
/// more, and the set is read again when an answer has changed. Links such as Kubernetes' `..data` are followed once for
/// all files.
///
/// Changes are seen through events on the directories (inotify), and by looking every few seconds, which is all there
/// is on file systems that have no events. A change is over when nothing has happened for a while and no one who began to
/// write is still at it. All sources of a process share one instance of inotify and its thread.
///
/// Thread safe.
public final class DirectorySource: RuleSource {
    /// The options for reading and watching a directory.
    public struct Options: Sendable, Hashable {
        /// Directories outside of the rules' own which an `include` may lead to.
        public var trustedDirectories: [String] = []
        /// The routing options for the patterns of `route` directives.
        public var routing = RoutingOptions()
        /// True if directives that are unknown are ignored, as `ignore_directive` does for those that it names.
        public var ignoresUnknownDirectives = false
        /// The time without events after which a change is complete.
        public var quietPeriod: Duration = .milliseconds(200)
        /// The longest time for which changes that continue are waited for.
        public var longestDelay: Duration = .seconds(5)
        /// The longest time for which a file that is open for writing is waited for.
        public var writerPatience: Duration = .seconds(30)
        /// The interval between two checks of the sizes, times and numbers of the files.
        public var pollInterval: Duration = .seconds(2)
        /// The interval between two comparisons of the contents of the files.
        public var contentCheckInterval: Duration = .seconds(60)
        /// The number of times a set that changes while it is read is read again before that is an error.
        public var attempts = 5

        /// Makes the usual options.
        public init() {}
    }

    /// The rules cannot be read as of one moment.
    public struct UnstableError: Error, CustomStringConvertible {
        /// The reason in words.
        public let description: String
    }

    /// A watcher, as loading sees it.
    struct Listener: Sendable {
        /// True if someone is known to be writing to a file of the set.
        var isBusy: @Sendable () -> Bool
        /// Called when the set was read, with true if it did not change meanwhile.
        var noteLoad: @Sendable (Bool) -> Void
    }

    /// The facts that loading leaves for the watcher.
    struct State: Sendable {
        var capture: DirectoryCapture?
        /// The stamp of the files when they were last known to be those of the capture.
        var stamp = 0
        var condition: String?
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    /// The path of the directory or file.
    public let name: String
    let options: Options
    let files: any FileSystem
    let clock: any StoreClock
    let makeEvents: @Sendable () -> (any FileEvents)?
    let state = Mutex(State())

    /// Makes a source for this machine's files; nothing is read yet.
    ///
    /// The path is that of a directory, all of whose `*.conf` files are read in the order of their names, or of one
    /// file, which may be an nginx.conf.
    public convenience init(_ path: String, options: Options = Options(), clock: any StoreClock = SystemStoreClock()) {
        self.init(path, options: options, clock: clock, files: LocalFileSystem()) {
            #if os(Linux)
            InotifyEvents()
            #else
            nil
            #endif
        }
    }

    package init(
        _ path: String,
        options: Options = Options(),
        clock: any StoreClock,
        files: any FileSystem,
        makeEvents: @escaping @Sendable () -> (any FileEvents)?
    ) {
        name = WatchPlan.trimmed(path)
        self.options = options
        self.clock = clock
        self.files = files
        self.makeEvents = makeEvents
    }

    /// The reason why changes are only seen by looking; nil when there are events.
    public var condition: String? { state.withLock { $0.condition } }

    /// Reads the rules as of one moment.
    ///
    /// Files that are what they were are not compiled again. While someone is known to be writing to a file of the
    /// set, the set is what it was before: the change is not over.
    ///
    /// - Throws: `RuleSetError` with everything that is wrong with the rules; `UnstableError` when they do not stay
    ///   still.
    public func load() async throws -> LoadedRules {
        try await BackgroundThread.run(niceness: BackgroundThread.loading) { try self.loadNow() }
    }

    private func loadNow() throws -> LoadedRules {
        let known = state.withLock { $0.capture }
        if let known {
            if isBusy { return try known.loaded() }
            let stamp = known.stamp(in: files)
            if known.isCurrent(in: files) {
                return try publish(known, stamp)
            }
        }
        var capture: DirectoryCapture?
        for _ in 0..<max(1, options.attempts) {
            // What was changed a moment ago may be changed again without leaving a trace in the times.
            let recent = Self.shortlyBefore(clock.date)
            let attempt = DirectoryCapture(
                loading: name,
                trusting: options.trustedDirectories,
                routing: options.routing,
                ignoringUnknownDirectives: options.ignoresUnknownDirectives,
                from: files
            )
            let stamp = attempt.stamp(in: files)
            if attempt.isCurrent(in: files, recent: recent) {
                // A writer that began meanwhile was perhaps only pausing.
                if let known, isBusy { return try known.loaded() }
                return try publish(attempt, stamp)
            }
            capture = attempt
        }
        let listeners = state.withLock { state in
            // The capture is kept for its list of directories; its stamp is that of no files.
            if state.capture == nil { state.capture = capture }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.noteLoad(false) }
        throw UnstableError(description: "\(name): the files changed each of \(options.attempts) times they were read")
    }

    private func publish(_ capture: DirectoryCapture, _ stamp: Int) throws -> LoadedRules {
        let listeners = state.withLock { state in
            state.capture = capture
            state.stamp = stamp
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.noteLoad(true) }
        return try capture.loaded()
    }

    /// True if someone is known to be writing to a file of the set.
    private var isBusy: Bool { state.withLock { Array($0.listeners.values) }.contains { $0.isBusy() } }

    /// The time a tenth of a second earlier.
    private static func shortlyBefore(_ time: Timestamp) -> Timestamp {
        time.nanoseconds < 100_000_000
            ? Timestamp(seconds: time.seconds &- 1, nanoseconds: time.nanoseconds + 900_000_000)
            : Timestamp(seconds: time.seconds, nanoseconds: time.nanoseconds - 100_000_000)
    }

    /// Yields when the files have changed and are quiet again.
    public func changes() -> AsyncStream<Void> {
        let (stream, output) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watcher = DirectoryWatcher(self)
        let task = Task {
            await watcher.run { output.yield() }
            output.finish()
        }
        output.onTermination = { _ in task.cancel() }
        return stream
    }
}
