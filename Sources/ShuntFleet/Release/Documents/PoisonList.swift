import ShuntCore

/// Sets that no node of a namespace may use: signed by keys of the role `rollback`.
public struct PoisonList: Sendable, Hashable {
    /// The payload type of an envelope with a list.
    public static let payloadType = "application/vnd.shunt.poison+json"
    /// The most sets.
    public static let mostSets = 64

    /// The namespace of the fleet.
    public var namespace: String
    /// Counts the lists of a namespace; an older one is not taken for a newer one.
    public var number: Int
    /// The sets.
    public var sets: [ContentName]

    /// Makes a list.
    public init(namespace: String, number: Int, sets: [ContentName]) {
        self.namespace = namespace
        self.number = number
        self.sets = sets
    }

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1, "namespace": namespace, "number": number, "sets": sets.map(\.hexadecimal),
        ]
        return object.bytes
    }

    /// Reads a list.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "poison list", limit: Envelope.longest)
        namespace = try fields.text("namespace", limit: 128)
        number = try fields.integer("number", in: 1...(1 << 53))
        sets = try fields.contentNames("sets", limit: Self.mostSets)
    }

    /// A list out of an envelope that may be trusted.
    public static func verified(
        _ envelope: Envelope,
        by keys: KeyFile,
        _ verifier: some SignatureVerifier
    ) throws(DocumentError) -> PoisonList {
        guard envelope.payloadType == payloadType, keys.accepts(envelope, as: [.rollback], verifier) else {
            throw DocumentError("poison list", "it lacks the signatures that the keys require")
        }
        let list = try PoisonList(decoding: envelope.payload)
        guard list.namespace == keys.namespace else {
            throw DocumentError("poison list", "it is for \"\(list.namespace)\", not for \"\(keys.namespace)\"")
        }
        return list
    }
}
