/// Decides when a change is over: when writers have been quiet for long enough.
///
/// All times are arguments, so that it needs no clock.
struct ChangeDetector: Sendable {
    struct File: Hashable, Sendable {
        var directory: String
        var name: String
    }

    enum Action: Sendable, Hashable {
        /// Nothing before the next moment.
        case none
        /// Look whether the files are as they were last.
        case poll
        /// Look whether the files are as they were when the change was seen, since no event marks the end.
        case settle
        /// The change is over.
        case fire
    }

    struct Periods: Sendable, Hashable {
        var quiet: Duration
        var longest: Duration
        var writer: Duration
        var poll: Duration
    }

    /// The number of files that are watched for the end of a writing; beyond it only the quiet counts.
    private static let writerLimit = 1024

    let periods: Periods
    private var first: Duration?
    private var last: Duration = .zero
    private var needsSettling = false
    private var writers: Set<File> = []
    private var nextPoll: Duration

    init(_ periods: Periods, now: Duration) {
        self.periods = periods
        nextPoll = now + periods.poll
    }

    /// True if a change is not over.
    var isPending: Bool { first != nil }

    /// Returns true if someone is writing to a file of the rule set, and is still waited for.
    func hasWriters(at now: Duration) -> Bool {
        guard let first, !writers.isEmpty else { return false }
        return now < first + periods.writer
    }

    /// Notes that something changed; of a change that was polled only another look shows whether it continues.
    mutating func noteChange(at now: Duration, wasPolled: Bool = false) {
        if first == nil { first = now }
        last = now
        if wasPolled { needsSettling = true }
    }

    /// Notes what happened to a file of the rule set.
    mutating func note(_ kind: FileEvent.Kind, _ file: File, at now: Duration) {
        switch kind {
        case .modified:
            if writers.count < Self.writerLimit { writers.insert(file) }
        case .closed, .appeared, .disappeared:
            writers.remove(file)
        case .attributes, .directoryGone:
            break
        case .lost:
            writers = []
        }
        noteChange(at: now)
    }

    /// Notes that events were lost: the files are to be read without waiting for quiet.
    mutating func noteLoss(at now: Duration) {
        writers = []
        noteChange(at: now)
        last = now - periods.quiet
    }

    /// The moment at which `due` is to be asked next.
    var deadline: Duration {
        guard let first else { return nextPoll }
        let quiet = last + periods.quiet
        return writers.isEmpty ? min(quiet, first + periods.longest) : first + periods.writer
    }

    /// Returns the step that is due at a moment.
    mutating func due(at now: Duration) -> Action {
        guard now >= deadline else { return .none }
        guard let first else {
            nextPoll = now + periods.poll
            return .poll
        }
        if needsSettling, now < first + periods.longest { return .settle }
        reset(at: now)
        return .fire
    }

    /// Notes that looking again found another change.
    mutating func noteUnsettled(at now: Duration) { last = now }

    /// Notes that looking again found the files as they were.
    mutating func noteSettled(at now: Duration) {
        needsSettling = false
        reset(at: now)
    }

    private mutating func reset(at now: Duration) {
        first = nil
        needsSettling = false
        writers = []
        nextPoll = now + periods.poll
    }
}
