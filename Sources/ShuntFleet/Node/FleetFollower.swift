#if Fleet
public import Shunt

/// A node of a fleet: follows the pointer of a carrier, and puts releases into use in a rule store.
///
/// All that it decides is `FleetNode`'s. It never stops the store from serving, whatever becomes of the carrier.
public actor FleetFollower {
    /// The options of a follower.
    public struct Options: Sendable {
        /// The interval between two reads of the pointer.
        public var interval: Duration = .seconds(10)
        /// The time that a start waits for a first release if the disk has none.
        public var patience: Duration = .seconds(30)
        /// The limits of the size of a set.
        public var limits = Manifest.Limits()
        /// The interval between two statuses with the counts of requests if nothing else happens.
        public var heartbeat: Duration = .seconds(20)
        /// Returns the counts of requests since the release of this number is in use; nil if none are counted.
        public var counters: (@Sendable (_ serving: Int) -> NodeStatus.Counters)?
        /// Called with what happens, one line at a time.
        public var note: @Sendable (String) -> Void = { _ in }

        /// The files of the node's disk.
        package var storage: any FileStorage = LocalFileStorage()

        /// Makes the usual options.
        public init() {}
    }

    private let options: Options
    private let carriers: [any FleetCarrier]
    private let disk: NodeDisk
    private let source: ReleaseSource
    private var storeOptions: RuleStore.Options
    private let clock: any StoreClock
    private var node: FleetNode
    private var store: RuleStore?
    private var lastReport: Duration?
    private var seen: [UInt8]?
    private var contents: (set: ContentName, files: [String: [UInt8]])?
    /// The number of blobs that were fetched from a carrier.
    public private(set) var fetchedBlobs = 0

    /// Makes a node; it does nothing before `open` is called.
    ///
    /// The directory, for what the node keeps, is for this node alone. The pointer is that of the first carrier; the
    /// others are asked for sets and blobs that those before them have not. The store has no last-known-good copy and
    /// no damping: the node's disk and memory are that.
    public init(
        _ configuration: NodeConfiguration,
        directory: String,
        carriers: [any FleetCarrier],
        options: Options = Options(),
        store: RuleStore.Options = RuleStore.Options()
    ) {
        self.options = options
        self.carriers = carriers
        disk = NodeDisk(directory, storage: options.storage)
        let carrier = carriers.first?.name ?? "nowhere"
        let source = ReleaseSource(name: "fleet \(configuration.keys.namespace) at \(carrier)", routing: store.routing)
        self.source = source
        storeOptions = store
        storeOptions.lastKnownGood = nil
        storeOptions.damping = nil
        storeOptions.allowsEmptyRuleSet = configuration.allowsEmpty
        storeOptions.validate = { candidate in
            try source.check(candidate)
            try store.validate(candidate)
        }
        clock = store.clock
        let (memory, problem) = disk.memory()
        if let problem { options.note("the state of the node cannot be read: \(problem)") }
        node = FleetNode(configuration, memory: memory, verifier: Ed25519(), now: clock.now, date: clock.date)
    }

    /// The last status of the node.
    public var status: NodeStatus? { node.status }

    /// The reason why the pointer is not followed; nil where it is.
    public var condition: String? { node.condition }

    /// The time since the pointer could be read.
    public var contactAge: Duration { clock.now - node.lastContact }

    // MARK: Running

    /// Puts the copy on the disk into use, or else the first release that comes.
    ///
    /// With a copy the carrier is not waited for. The store is this node's for as long as `run` runs.
    ///
    /// - Throws: Where there is no copy and no release has come in time.
    public func open() async throws -> RuleStore {
        await take(.started)
        let end = clock.now + options.patience
        while store == nil {
            await look()
            if store != nil { break }
            guard clock.now < end else {
                let reason = node.condition ?? node.status?.error ?? "no release has come"
                throw FleetError("no rules from \(carriers.map(\.name).joined(separator: ", ")): \(reason)")
            }
            try await clock.sleep(until: min(end, clock.now + .milliseconds(500)))
            await take(.time)
        }
        guard let store else { throw FleetError("no rules") }
        return store
    }

    /// Follows the pointer until the task is cancelled.
    ///
    /// A carrier with events for changes is listened to; the pointer is read from time to time all the same.
    public func run() async {
        while !Task.isCancelled {
            await look()
            let next = clock.now + options.interval * Double.random(in: 0.7...1.3)
            while !Task.isCancelled, clock.now < next {
                let isChanged = await waitForChange(until: min(next, node.wakeTime ?? next))
                await take(.time)
                if isChanged { break }
            }
        }
        await take(.stopping)
    }

    /// Waits for another pointer than the last one; returns true if there may be one before the moment.
    private func waitForChange(until moment: Duration) async -> Bool {
        await withTaskGroup(of: Bool?.self) { [clock, seen, carrier = carriers.first] group in
            group.addTask {
                // Where waiting fails, only the time counts.
                guard (try? await carrier?.changed(since: seen)) != nil else { return nil }
                return true
            }
            group.addTask {
                try? await clock.sleep(until: moment)
                return false
            }
            defer { group.cancelAll() }
            for await isChanged in group { if let isChanged { return isChanged } }
            return false
        }
    }

    /// Reads the pointer once, and does what follows from it.
    public func look() async {
        guard let carrier = carriers.first else { return }
        do {
            let pointer = try await carrier.pointer()
            seen = pointer
            await take(.pointer(pointer))
        } catch {
            seen = nil
            await take(.noPointer("\(error)"))
        }
        source.note(condition: node.condition)
        guard let status = node.status, let lastReport, clock.now - lastReport >= options.heartbeat else { return }
        await tell(status)
    }

    // MARK: Effects

    private func take(_ event: NodeEvent) async {
        var events = [event]
        while !events.isEmpty {
            let effects = node.handle(events.removeFirst(), at: clock.now, date: clock.date)
            for effect in effects {
                switch effect {
                case .fetch(let release): events.append(await fetch(release))
                case .load(let release): events.append(.loaded(release.set, await load(release)))
                case .write(let memory, let number):
                    events.append(.wrote(number, isDurable: await write(memory)))
                case .report(let status): await report(status)
                case .note(let text): options.note(text)
                }
            }
        }
    }

    private func write(_ memory: NodeMemory) async -> Bool {
        do {
            try await disk.write(memory)
            return true
        } catch {
            options.note("the state of the node cannot be written: \(error)")
            return false
        }
    }

    private func report(_ status: NodeStatus) async {
        let error = status.error.map { ": \($0)" } ?? ""
        options.note("release \(status.sequence) \(status.state.rawValue)\(error)")
        if status.state == .applied { await disk.retain(node.memory.kept.map(\.set)) }
        await tell(status)
    }

    private func tell(_ status: NodeStatus) async {
        var status = status
        status.at = clock.date
        if let counters = options.counters { status.counters = counters(status.serving) }
        // Where the carrier is away, the next look is soon enough to try again.
        lastReport = clock.now
        do {
            try await carriers.first?.report(status)
        } catch {
            options.note("the status cannot be reported: \(error)")
        }
    }

    private func fetch(_ release: Release) async -> NodeEvent {
        do {
            let manifest = try await manifest(release.set)
            var blobs: [ContentName: [UInt8]] = [:]
            for name in manifest.blobs { blobs[name] = try await blob(name, manifest) }
            let files = try manifest.assemble { name throws(DocumentError) in
                guard let bytes = blobs[name] else { throw DocumentError("blob", "\(name) is missing") }
                return bytes
            }
            contents = (release.set, files)
            do {
                try await disk.write(manifest, blobs)
                return .fetched(release.set, isDurable: true)
            } catch {
                options.note("the set cannot be written: \(error)")
                return .fetched(release.set, isDurable: false)
            }
        } catch {
            return .notFetched(release.set, "\(error)")
        }
    }

    private func manifest(_ set: ContentName) async throws -> Manifest {
        if let manifest = await disk.manifest(set, options.limits) { return manifest }
        let bytes = try await first("manifest", name: set) {
            try await $0.manifest(set, limit: self.options.limits.manifestBytes)
        }
        return try Manifest(decoding: bytes, limits: options.limits)
    }

    private func blob(_ name: ContentName, _ manifest: Manifest) async throws -> [UInt8] {
        if let bytes = await disk.blob(name) { return bytes }
        let length = manifest.length(of: name) ?? Manifest.blobLength
        let bytes = try await first("blob", name: name) { try await $0.blob(name, limit: length) }
        fetchedBlobs += 1
        return bytes
    }

    /// Returns the first content of a carrier whose bytes have the name's hash.
    private func first(
        _ what: String,
        name: ContentName,
        _ ask: (any FleetCarrier) async throws -> [UInt8]
    ) async throws -> [UInt8] {
        var problems: [String] = []
        for carrier in carriers {
            do {
                let bytes = try await ask(carrier)
                if ContentName(of: bytes) == name { return bytes }
                problems.append("\(carrier.name): the SHA-256 of \(what) \(name) is different")
            } catch {
                problems.append("\(error)")
            }
        }
        throw FleetError(problems.joined(separator: "; "))
    }

    private func load(_ release: Release) async -> NodeLoadOutcome {
        guard let contents, contents.set == release.set else { return .failed("the files are not here any more") }
        self.contents = nil
        let archive = ReleaseFiles.archive(contents.files)
        let follows = release.base != nil && release.base == node.serving?.set
        source.replace(with: ReleaseSource.Offer(archive: archive, release: release, follows: follows))
        let failure: ReloadError?
        if let store {
            failure = await store.reload(trigger: .source).failure
        } else {
            do {
                store = try await RuleStore.open(source, options: storeOptions)
                failure = nil
            } catch {
                failure = error
            }
        }
        guard let failure else { return .inUse }
        switch failure.reason {
        case .timedOut, .cancelled, .unavailable: return .failed(failure.description)
        default: return .rejected(failure.description)
        }
    }
}
#endif
