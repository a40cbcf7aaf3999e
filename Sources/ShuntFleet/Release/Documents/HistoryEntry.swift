public import ShuntCore

/// Something that was done to a fleet: by whom, when and why.
public struct HistoryEntry: Sendable, Hashable {
    /// The action.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// A release was put into the pointer.
        case published
        /// A release was made that needs the signature of someone else; the pointer is as it was.
        case waiting
        /// A release that waited was signed and put into the pointer.
        case approved
        /// A release with the set of an earlier one was put into the pointer.
        case rolledBack = "rolled back"
        /// A stage of the rollout began.
        case stage
        /// Every node may have the release; it is the stable one.
        case done
        /// The release is taken back.
        case aborted
        /// The rollout is still.
        case paused
        /// The rollout continues.
        case resumed
        /// A node is not counted any more, or counted again.
        case excluded
        /// A list of sets that no node may use was put into the pointer.
        case poisoned
        /// A key file was put into the pointer.
        case keys
    }

    /// The most bytes of its JSON text.
    public static let longest = 48 << 10

    /// The number of the release that it is about.
    public var sequence: Int
    /// The action.
    public var action: Action
    /// The stage that began, from 0.
    public var stage: Int?
    /// The release with its signatures, where it was made or signed.
    public var envelope: Envelope?
    /// The actor.
    public var by: String
    /// The time.
    public var at: Timestamp
    /// The reason, for people.
    public var reason: String

    /// Makes an entry.
    public init(
        sequence: Int,
        action: Action,
        stage: Int? = nil,
        envelope: Envelope? = nil,
        by: String,
        at: Timestamp,
        reason: String = ""
    ) {
        self.sequence = sequence
        self.action = action
        self.stage = stage
        self.envelope = envelope
        self.by = by
        self.at = at
        self.reason = reason
    }

    /// The release; nil where the entry has none that can be read.
    public var release: Release? { envelope.flatMap { try? Release(decoding: $0.payload) } }

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1,
            "sequence": sequence,
            "action": action.rawValue,
            "stage": stage,
            "envelope": envelope?.object,
            "by": by,
            "at": at.description,
            "reason": reason,
        ]
        return object.bytes
    }

    /// Reads an entry, any bytes at all; nothing in it is verified.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "history", limit: Self.longest)
        sequence = try fields.integer("sequence", in: 0...(1 << 53))
        action = try fields.parsed("action", what: "action") { Action(rawValue: $0) }
        stage = try fields.optionalInteger("stage", in: 0...31)
        envelope = nil
        if let object = try fields.optionalObject("envelope") { envelope = try Envelope(object) }
        by = try fields.text("by")
        at = try fields.time("at")
        reason = try fields.text("reason", limit: 4096)
    }
}
