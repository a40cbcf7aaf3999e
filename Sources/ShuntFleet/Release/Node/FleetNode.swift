public import ShuntCore

/// A node of a fleet as a state machine: events with the time go in, effects come out.
///
/// It reads no clock, disk or network, so that a simulation runs the same code. Effects are carried out in their order.
public struct FleetNode: Sendable {
    private let configuration: NodeConfiguration
    private let verifier: any SignatureVerifier
    /// The memory of the node.
    public private(set) var memory: NodeMemory
    /// The release in use; nil for none.
    public private(set) var serving: NodeMemory.Kept?
    /// The reason why the pointer is not followed; nil where it is.
    public private(set) var condition: String?
    /// The time when the pointer was read the last time.
    public private(set) var lastContact: Duration
    /// The last reported status.
    public private(set) var status: NodeStatus?
    private var keys: KeyFile
    private var rank = OwnRank()
    private var view: PointerView?
    private var viewed: [UInt8] = []
    private var job: NodeJob?
    private var starved: [Int: Int] = [:]
    private var writes = 0
    private var nextWrite: Duration?
    private var probationEnd: Duration?
    private var marked: ContentName?
    private var stage: SeenStage?
    private var fetchFailures = 0
    private var waitUntil: Duration?
    private var effects: [NodeEffect] = []
    private var now: Duration
    private var date: Timestamp

    /// Makes a node that has just started.
    public init(
        _ configuration: NodeConfiguration,
        memory: NodeMemory,
        verifier: any SignatureVerifier,
        now: Duration,
        date: Timestamp
    ) {
        self.configuration = configuration
        self.verifier = verifier
        self.memory = memory
        self.now = now
        self.date = date
        lastContact = now
        keys = configuration.keys
        if let later = memory.keys, later.namespace == keys.namespace, later.number > keys.number { keys = later }
    }

    /// Takes an event in; returns what is to be done, in this order.
    public mutating func handle(_ event: NodeEvent, at now: Duration, date: Timestamp) -> [NodeEffect] {
        self.now = max(self.now, now)
        self.date = date
        effects = []
        switch event {
        case .started: start()
        case .pointer(let bytes): read(bytes)
        case .noPointer(let reason): lose(reason)
        case .fetched(let set, let isDurable): fetched(set, isDurable)
        case .notFetched(let set, let reason): notFetched(set, reason)
        case .loaded(let set, let outcome): loaded(set, outcome)
        case .wrote(let number, let isDurable): wrote(number, isDurable)
        case .time: break
        case .stopping: stop()
        }
        passTime()
        consider()
        return effects
    }

    /// The time when `time` is to be reported next, whatever else happens; nil for never.
    public var wakeTime: Duration? {
        var times = [nextWrite, probationEnd, waitUntil, confirmDeadline].compactMap { $0 }
        if case .spreading(let until)? = job?.phase { times.append(until) }
        return times.min()
    }

    // MARK: Start and end

    private mutating func start() {
        if let marker = memory.marker, marker.attempts >= 2 {
            memory.notePoison(marker.set)
            memory.giveUp(marker.sequence, "it ended this process twice")
            memory.marker = nil
            note("set \(marker.set.hexadecimal.prefix(12)) ended this process twice; it is not used again")
            write()
        }
        guard let copy = NodeChoice.copy(in: memory) ?? memory.kept.first?.signed else { return }
        if memory.isPoison(copy.release.set) { note("the only set on the disk is poison; it serves all the same") }
        begin(copy, isStart: true)
    }

    private mutating func stop() {
        // An orderly end is not evidence against the set.
        guard let set = memory.marker?.set, [serving?.set, job?.release.set].contains(set) else { return }
        memory.marker = nil
        write()
    }

    // MARK: The pointer

    private mutating func lose(_ reason: String) {
        if condition != reason { note("the pointer is not followed: \(reason)") }
        condition = reason
    }

    private mutating func read(_ bytes: [UInt8]) {
        // The same pointer is nothing new, unless what was missing to believe it has come since.
        if bytes == viewed, let view, case .success = view.release {
            lastContact = now
            condition = view.problems.first
            return
        }
        let view: PointerView
        do {
            view = try PointerView(bytes, keys: keys, memory: memory, after: self.view, verifier)
        } catch {
            return lose(error.description)
        }
        let reason = view.problems.first
        if let reason, condition != reason { note("a part of the pointer is not followed: \(reason)") }
        condition = reason
        lastContact = now
        viewed = bytes
        self.view = view
        take(view)
    }

    /// Remembers what must not be forgotten, before anything is done with it.
    private mutating func take(_ view: PointerView) {
        if view.keys.number > keys.number {
            keys = view.keys
            note("key file \(keys.number) is in force")
        }
        let before = memory
        memory.take(view, afterKeys: configuration.keys.number)
        stage?.take(view, at: now)
        if let kept = memory.kept.first(where: { $0.sequence == serving?.sequence }) { serving = kept }
        if memory != before { write() }
    }

    // MARK: Time

    /// The time when the node goes back without an order from a release that no one has confirmed.
    private var confirmDeadline: Duration? {
        guard let serving, !serving.isConfirmed, serving.sequence > memory.floor,
            !memory.hasTried(serving.sequence), let stage, stage.sequence == serving.sequence
        else { return nil }
        return stage.deadline
    }

    private mutating func passTime() {
        if let end = probationEnd, now >= end {
            probationEnd = nil
            if let marker = memory.marker, marker.set == serving?.set {
                memory.marker = nil
                write()
            }
        }
        if let time = nextWrite, now >= time { write() }
        if let time = waitUntil, now >= time {
            waitUntil = nil
            // A stable release that failed for want of something is tried again without anybody's asking.
            if let stable = view?.stable.release.sequence { starved[stable] = nil }
            if serving == nil, view == nil, job == nil { start() }
        }
        if let deadline = confirmDeadline, now >= deadline, let serving {
            memory.giveUp(serving.sequence, "it was not confirmed in time")
            note("release \(serving.sequence) was not confirmed in time")
            write()
        }
        if case .spreading(let until)? = job?.phase, now >= until { fetch() }
    }

    private mutating func write() {
        writes += 1
        nextWrite = nil
        effects.append(.write(memory, number: writes))
    }

    private mutating func note(_ text: String) { effects.append(.note(text)) }

    private mutating func consider() {
        guard job == nil, waitUntil == nil else { return }
        var target: PointerView.Signed?
        if let view {
            let choice = choice(view)
            target = choice.target
            if let held = choice.held { report(.held, release: held.release, error: held.reason) }
            if let alarm = choice.alarm { note(alarm) }
        } else if let serving, memory.hasTried(serving.sequence) {
            target = NodeChoice.copy(in: memory)
        }
        guard let target, target.release.sequence != serving?.sequence else { return }
        begin(target, isStart: false)
    }

    private mutating func choice(_ view: PointerView) -> NodeChoice {
        NodeChoice(view, node: configuration, memory: memory, serving: serving, starved: starved, at: date, in: &rank)
    }

    private mutating func begin(_ signed: PointerView.Signed, isStart: Bool) {
        job = NodeJob(signed: signed, phase: .fetching, isStart: isStart)
        report(.loading, release: signed.release)
        let spread = Duration.milliseconds(signed.release.rollout.spreadMilliseconds)
        let isHere = isStart || memory.kept.contains { $0.set == signed.release.set }
        guard !isHere, spread > .zero else { return fetch() }
        let until = now + spread * NodeRank.spread(of: configuration.name, signed.release)
        job?.phase = .spreading(until: until)
    }

    private mutating func fetch() {
        guard let release = job?.release else { return }
        job?.phase = .fetching
        effects.append(.fetch(release))
    }

    // MARK: A release on its way

    private mutating func fetched(_ set: ContentName, _ isDurable: Bool) {
        guard let job, job.phase == .fetching, job.release.set == set else { return }
        fetchFailures = 0
        guard isWanted(job) else {
            self.job = nil
            return
        }
        self.job?.isDurable = isDurable
        if !job.isStart || memory.marker?.set == set {
            memory.mark(job.release, isAgain: marked == set)
            marked = set
        }
        write()
        self.job?.phase = .marking(number: writes)
    }

    /// Returns true if a release on its way is the one to have still: it may be aborted since, or another one stable.
    private mutating func isWanted(_ job: NodeJob) -> Bool {
        guard !job.isStart, let view else { return true }
        return choice(view).target?.release.sequence == job.release.sequence
    }

    private mutating func notFetched(_ set: ContentName, _ reason: String) {
        guard let job, job.phase == .fetching, job.release.set == set else { return }
        self.job = nil
        if job.isStart {
            // The disk has lost it. The carrier may have it still.
            memory.kept.removeAll { $0.sequence == job.release.sequence }
            note("the copy of release \(job.release.sequence) cannot be used: \(reason)")
            return start()
        }
        fetchFailures += 1
        waitUntil = now + .seconds(min(60, 1 << min(fetchFailures - 1, 6)))
        report(.loading, release: job.release, error: reason)
    }

    private mutating func wrote(_ number: Int, _ isDurable: Bool) {
        guard number == writes else { return }
        nextWrite = isDurable ? nil : now + .seconds(10)
        switch job?.phase {
        case .marking(let awaited)? where awaited <= number:
            guard let job else { return }
            guard isWanted(job) else {
                (self.job, memory.marker) = (nil, nil)
                return write()
            }
            self.job?.phase = .loading
            effects.append(.load(job.release))
        case .keeping(let awaited)? where awaited <= number:
            guard let release = job?.release else { return }
            job = nil
            let error = isDurable ? nil : "the disk could not be written"
            report(isDurable ? .applied : .unkept, release: release, error: error)
        default:
            guard isDurable, let serving, status?.state == .unkept, status?.sequence == serving.sequence,
                memory.kept.first?.sequence == serving.sequence, let release = serving.signed?.release
            else { return }
            report(.applied, release: release)
        }
    }

    private mutating func loaded(_ set: ContentName, _ outcome: NodeLoadOutcome) {
        guard let job, job.phase == .loading, job.release.set == set else { return }
        let release = job.release
        self.job = nil
        switch outcome {
        case .inUse: use(job)
        case .rejected(let reason):
            memory.marker = nil
            memory.giveUp(release.sequence, "it was rejected")
            if job.isStart { memory.kept.removeAll { $0.sequence == release.sequence } }
            write()
            report(.rejected, release: release, error: reason)
            if job.isStart { start() }
        case .failed(let reason):
            memory.marker = nil
            write()
            starved[release.sequence] = view?.progress.retry ?? 0
            waitUntil = now + .seconds(60)
            report(.failed, release: release, error: reason)
        }
    }

    private mutating func use(_ job: NodeJob) {
        let release = job.release
        let known = memory.kept.first { $0.sequence == release.sequence }
        var kept = NodeMemory.Kept(
            envelope: job.signed.envelope,
            sequence: release.sequence,
            set: release.set,
            isConfirmed: known?.isConfirmed ?? false
        )
        if release.sequence <= memory.floor { kept.isConfirmed = true }
        if let view, view.offered?.sequence == release.sequence, view.progress.isForAll { kept.isConfirmed = true }
        serving = kept
        if stage?.sequence != release.sequence { stage = SeenStage(release, view, at: now) }
        if memory.marker?.set == release.set { probationEnd = now + configuration.probation }
        guard job.isDurable else {
            report(.unkept, release: release, error: "the disk could not be written")
            return
        }
        memory.keep(kept)
        write()
        self.job = job
        self.job?.phase = .keeping(number: writes)
    }

    // MARK: Reporting

    private mutating func report(_ state: NodeStatus.State, release: Release, error: String? = nil) {
        let news = NodeStatus(
            node: configuration.name,
            sequence: release.sequence,
            set: release.set,
            state: state,
            serving: serving?.sequence ?? 0,
            at: date,
            error: error,
            version: configuration.version
        )
        if let status, !news.isNews(after: status) { return }
        status = news
        effects.append(.report(news))
    }
}
