public import ShuntCore

/// The statement that is signed: in this namespace, this number is this set, to be rolled out so.
public struct Release: Sendable, Hashable {
    /// The payload type of an envelope with a release.
    public static let payloadType = "application/vnd.shunt.release+json"

    /// The kind of release.
    public enum Kind: String, Sendable, Hashable {
        /// A set that may be new.
        case publish
        /// A set that the fleet has had.
        case rollback
    }

    /// The numbers that a release may have.
    public static let numbers = 1...(1 << 53)
    /// The most numbers that may be skipped: more is an attempt to use all of them up.
    public static let longestJump = 1_000_000

    /// The highest number that may follow another.
    package static func furthest(from sequence: Int) -> Int { min(numbers.upperBound, sequence + longestJump) }

    /// The namespace of the fleet.
    public var namespace: String
    /// Counts the releases of a namespace; it only goes up.
    public var sequence: Int
    /// True if the set may be new.
    public var kind: Kind
    /// The name of the manifest.
    public var set: ContentName
    /// The content hash of the compiled rules, as `shunt check --format json` prints it.
    public var content: ContentName
    /// The number of rules.
    public var rules: Int
    /// The bytes of all files.
    public var bytes: Int
    /// The number of the release that it was made from; 0 for the first.
    public var parent: Int
    /// The set that was stable when it was made, which the budget is about; nil for the first.
    public var base: ContentName?
    /// The time when it was made.
    public var created: Timestamp
    /// From when on no node takes it up any more; one that has it keeps it.
    public var expires: Timestamp?
    /// The author.
    public var author: String
    /// The reason.
    public var message: String
    /// The oldest version of Shunt that it may be used by; nil for any.
    public var requiredVersion: String?
    /// The share of the rules that may change.
    public var budget: ChangeBudget
    /// The plan of the rollout.
    public var rollout: RolloutPlan
    /// The place where blobs may be had in addition to the carrier: URLs.
    public var locations: [String]
    /// For a rollback: a release signed for publishing that was made while the set was stable, or else that published it.
    public var witness: Envelope?

    /// Makes a release.
    public init(
        namespace: String,
        sequence: Int,
        kind: Kind = .publish,
        set: ContentName,
        content: ContentName,
        rules: Int,
        bytes: Int,
        parent: Int,
        base: ContentName? = nil,
        created: Timestamp,
        expires: Timestamp? = nil,
        author: String = "",
        message: String = "",
        requiredVersion: String? = nil,
        budget: ChangeBudget = ChangeBudget(),
        rollout: RolloutPlan = RolloutPlan(),
        locations: [String] = [],
        witness: Envelope? = nil
    ) {
        self.namespace = namespace
        self.sequence = sequence
        self.kind = kind
        self.set = set
        self.content = content
        self.rules = rules
        self.bytes = bytes
        self.parent = parent
        self.base = base
        self.created = created
        self.expires = expires
        self.author = author
        self.message = message
        self.requiredVersion = requiredVersion
        self.budget = budget
        self.rollout = rollout
        self.locations = locations
        self.witness = witness
    }

    // MARK: JSON

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1,
            "namespace": namespace,
            "sequence": sequence,
            "kind": kind.rawValue,
            "set": set.hexadecimal,
            "content": content.hexadecimal,
            "rules": rules,
            "bytes": bytes,
            "parent": parent,
            "base": base?.hexadecimal,
            "created": created.description,
            "expires": expires?.description,
            "author": author,
            "message": message,
            "requires": requiredVersion.map { ["shunt": $0] as JSONObject },
            "budget": budget.object,
            "rollout": rollout.object,
            "locations": locations,
            "witness": JSONText(witness?.encoded),
        ]
        return object.bytes
    }

    /// Reads a release.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "release", limit: Envelope.longest)
        namespace = try fields.parsed("namespace", what: FleetName.description) { FleetName.isValid($0) ? $0 : nil }
        sequence = try fields.integer("sequence", in: Self.numbers)
        kind = try fields.parsed("kind", what: "publish or rollback") { Kind(rawValue: $0) }
        set = try fields.contentName("set")
        content = try fields.contentName("content")
        rules = try fields.integer("rules", in: 0...Int.max)
        self.bytes = try fields.integer("bytes", in: 0...Int.max)
        parent = try fields.integer("parent", in: 0...sequence - 1)
        base = fields.value("base") == nil ? nil : try fields.contentName("base")
        created = try fields.time("created")
        expires = fields.value("expires") == nil ? nil : try fields.time("expires")
        author = try fields.text("author")
        message = try fields.text("message", limit: 4096)
        requiredVersion = try fields.optionalObject("requires")?.optionalText("shunt", limit: 64)
        budget = try ChangeBudget(try fields.object("budget"))
        rollout = try RolloutPlan(try fields.object("rollout"))
        locations = try fields.texts("locations", limit: 8)
        witness = nil
        if let witness = try fields.optionalObject("witness") { self.witness = try Envelope(witness) }
    }

    /// A release out of an envelope that may be trusted.
    ///
    /// Keys of the role `rollback` are enough for a release of that kind where its set has been in use here, or where
    /// its witness, who is signed for publishing, states that. A new node takes anything that was signed for publishing
    /// once.
    ///
    /// - Throws: Where it is another document, of another namespace, or not signed by whom it has to be.
    public static func verified(
        _ envelope: Envelope,
        by keys: KeyFile,
        _ verifier: some SignatureVerifier,
        isNew: Bool = false,
        hasHad: (ContentName) -> Bool
    ) throws(DocumentError) -> Release {
        guard envelope.payloadType == payloadType else {
            throw DocumentError("release", "the envelope contains \(envelope.payloadType.debugDescription)")
        }
        let release = try Release(decoding: envelope.payload)
        guard release.namespace == keys.namespace else {
            throw DocumentError("release", "it is for \"\(release.namespace)\", not for \"\(keys.namespace)\"")
        }
        if keys.accepts(envelope, as: [.publish, .approve], verifier) { return release }
        guard release.kind == .rollback, keys.accepts(envelope, as: [.rollback], verifier) else {
            throw DocumentError("release", "release \(release.sequence) lacks the signatures that the keys require")
        }
        guard hasHad(release.set) || release.isWitnessed(by: keys, verifier, isNew: isNew) else {
            throw DocumentError(
                "release",
                "release \(release.sequence) goes back to a set that was never in use here, and no publisher has signed that "
                    + "it was stable"
            )
        }
        return release
    }

    /// Returns true if someone who may publish has signed that the set was stable, or for a new node that it was
    /// published.
    func isWitnessed(by keys: KeyFile, _ verifier: some SignatureVerifier, isNew: Bool) -> Bool {
        guard let witness, witness.payloadType == Self.payloadType,
            keys.accepts(witness, as: [.publish, .approve], verifier),
            let earlier = try? Release(decoding: witness.payload),
            earlier.namespace == namespace, earlier.kind == .publish, earlier.sequence < sequence,
            sequence <= Self.furthest(from: earlier.sequence)
        else { return false }
        return earlier.base == set || isNew && earlier.set == set
    }
}
