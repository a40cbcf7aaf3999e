import ShuntCore

/// The permanent memory of a node: it is on the disk next to the sets.
public struct NodeMemory: Sendable, Hashable {
    /// A release that has been in use, whose set lies on the disk.
    public struct Kept: Sendable, Hashable {
        /// The signed release.
        public var envelope: Envelope
        /// Its number.
        public var sequence: Int
        /// Its set.
        public var set: ContentName
        /// True if it was seen to be for every node; until then the node goes back without an order.
        public var isConfirmed: Bool

        /// Makes a note of a release in use.
        public init(envelope: Envelope, sequence: Int, set: ContentName, isConfirmed: Bool) {
            self.envelope = envelope
            self.sequence = sequence
            self.set = set
            self.isConfirmed = isConfirmed
        }

        /// The release and its signatures; nil where it cannot be read.
        var signed: PointerView.Signed? {
            guard let release = try? Release(decoding: envelope.payload) else { return nil }
            return PointerView.Signed(release: release, envelope: envelope)
        }
    }

    /// A release that is not tried again.
    public struct Tried: Sendable, Hashable {
        /// Its number.
        public var sequence: Int
        /// The reason, for people.
        public var reason: String
        /// True if a pointer showed its rollout as aborted: the word of every writer of the carrier.
        var isAborted = false
    }

    /// The set that is being loaded or was a short time ago.
    public struct Marker: Sendable, Hashable {
        /// The set.
        public var set: ContentName
        /// The release that it belongs to.
        public var sequence: Int
        /// The number of attempts to use it.
        public var attempts: Int
    }

    /// The highest number that was seen as stable: nothing below it is ever taken.
    public internal(set) var floor = 0
    /// Releases from the floor on that are not tried again.
    public internal(set) var tried: [Tried] = []
    /// Releases whose sets lie on the disk, the one in use first.
    public internal(set) var kept: [Kept] = []
    /// The sets that have been in use, the newest first.
    public internal(set) var had: [ContentName] = []
    /// The set on probation; a process that starts and finds it did not end well.
    public internal(set) var marker: Marker?
    /// Sets that ended this process twice.
    public internal(set) var poison: [ContentName] = []
    /// Sets that a signed list has named.
    public internal(set) var listed: [ContentName] = []
    /// The number of that list.
    public internal(set) var listNumber = 0
    /// A key file that follows the one in the node's configuration.
    public internal(set) var keys: KeyFile?

    /// The most releases that are kept.
    public static let mostKept = 4
    static let mostTried = 256
    static let mostHad = 64
    /// The most bytes of the JSON text.
    public static let longest = 1 << 20

    /// Knows nothing.
    public init() {}

    /// Returns true if a set is not to be used.
    public func isPoison(_ set: ContentName) -> Bool { poison.contains(set) || listed.contains(set) }

    /// Returns true if a release is not tried again.
    public func hasTried(_ sequence: Int) -> Bool { tried.contains { $0.sequence == sequence } }

    // MARK: Changing

    /// Takes over what must not be forgotten of a pointer; `number` belongs to the configuration's key file.
    mutating func take(_ view: PointerView, afterKeys number: Int) {
        if view.keys.number > number { keys = view.keys }
        if let poison = view.poison {
            listed = poison.sets
            listNumber = poison.number
        }
        let stable = view.stable.release.sequence
        floor = max(floor, stable)
        tried.removeAll { $0.sequence < floor }
        // The progress is not signed: a node without a copy takes what is stable, as a new node does, also after an abort.
        if kept.isEmpty { tried.removeAll { $0.sequence == stable && $0.isAborted } }
        if let offered = view.offered {
            if view.progress.state == .aborted { giveUp(offered.sequence, "its rollout was aborted", isAborted: true) }
            if view.progress.isForAll { confirm(offered.sequence) }
        }
        confirm(stable)
    }

    private mutating func confirm(_ sequence: Int) {
        for index in kept.indices where kept[index].sequence == sequence { kept[index].isConfirmed = true }
    }

    mutating func giveUp(_ sequence: Int, _ reason: String, isAborted: Bool = false) {
        guard sequence >= floor, !hasTried(sequence) else { return }
        tried.append(Tried(sequence: sequence, reason: String(reason.prefix(200)), isAborted: isAborted))
        if tried.count > Self.mostTried { tried.removeFirst() }
    }

    mutating func keep(_ release: Kept) {
        kept.removeAll { $0.sequence == release.sequence }
        kept.insert(release, at: 0)
        // What is gone back to has to stay: the newest that is at or below the floor.
        while kept.count > Self.mostKept {
            let spared = kept.firstIndex { $0.sequence <= floor }
            let index = kept.indices.last { $0 != spared } ?? kept.count - 1
            kept.remove(at: index)
        }
        had.removeAll { $0 == release.set }
        had.insert(release.set, at: 0)
        if had.count > Self.mostHad { had.removeLast() }
    }

    /// Notes an attempt to use a release; again by this process, which the set has not ended, it counts once.
    mutating func mark(_ release: Release, isAgain: Bool) {
        let before = marker?.set == release.set ? marker?.attempts ?? 0 : 0
        let attempts = isAgain && before > 0 ? before : before + 1
        marker = Marker(set: release.set, sequence: release.sequence, attempts: attempts)
    }

    mutating func notePoison(_ set: ContentName) {
        poison.removeAll { $0 == set }
        poison.append(set)
        if poison.count > PoisonList.mostSets { poison.removeFirst() }
    }

    // MARK: JSON

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1,
            "floor": floor,
            "tried": tried.map { entry -> JSONObject in
                ["sequence": entry.sequence, "reason": entry.reason, "aborted": entry.isAborted ? true : nil]
            },
            "kept": kept.map { release -> JSONObject in
                ["envelope": release.envelope.object, "confirmed": release.isConfirmed]
            },
            "had": had.map(\.hexadecimal),
            "marker": marker.map { marker -> JSONObject in
                ["set": marker.set.hexadecimal, "sequence": marker.sequence, "attempts": marker.attempts]
            },
            "poison": poison.map(\.hexadecimal),
            "listed": listed.map(\.hexadecimal),
            "list": listNumber,
            "keys": JSONText(keys?.encoded),
        ]
        return object.bytes
    }

    /// Reads a memory.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "memory", limit: Self.longest)
        floor = try fields.integer("floor", in: 0...(1 << 53))
        for entry in try fields.objects("tried", limit: Self.mostTried) {
            let sequence = try entry.integer("sequence", in: 0...(1 << 53))
            let isAborted = try entry.flag("aborted")
            tried.append(Tried(sequence: sequence, reason: try entry.text("reason"), isAborted: isAborted))
        }
        for entry in try fields.objects("kept", limit: Self.mostKept) {
            let envelope = try Envelope(try entry.object("envelope"))
            let release = try Release(decoding: envelope.payload)
            let (sequence, isConfirmed) = (release.sequence, try entry.flag("confirmed"))
            kept.append(Kept(envelope: envelope, sequence: sequence, set: release.set, isConfirmed: isConfirmed))
        }
        had = try fields.contentNames("had", limit: Self.mostHad)
        if let entry = try fields.optionalObject("marker") {
            marker = Marker(
                set: try entry.contentName("set"),
                sequence: try entry.integer("sequence", in: 0...(1 << 53)),
                attempts: try entry.integer("attempts", in: 0...1000)
            )
        }
        poison = try fields.contentNames("poison", limit: PoisonList.mostSets)
        listed = try fields.contentNames("listed", limit: PoisonList.mostSets)
        listNumber = try fields.integer("list", in: 0...Int.max)
        if case .object(let members)? = fields.value("keys") {
            keys = try KeyFile(DocumentFields(.object(members), "key file"))
        }
    }
}
