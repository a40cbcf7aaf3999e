import ShuntCore

/// The keys that a namespace trusts, and how many signatures a document needs.
///
/// A node gets one. A later one reaches it with the pointer, signed as a release would have to be by the keys of the
/// one before it, so that keys can be replaced without touching a node.
public struct KeyFile: Sendable, Hashable {
    /// The payload type of an envelope with a key file.
    public static let payloadType = "application/vnd.shunt.keys+json"
    /// The most keys.
    public static let mostKeys = 32

    /// One key.
    public struct Key: Sendable, Hashable {
        /// Its name in signatures: the first 16 digits of the SHA-256 of the public key.
        public let identifier: String
        /// The owner's name.
        public var owner: String
        /// The bytes that its signatures are checked with.
        public let publicKey: [UInt8]
        /// The roles in which it may sign.
        public var roles: Set<KeyRole>

        /// Makes a key.
        public init(owner: String, publicKey: [UInt8], roles: Set<KeyRole>) {
            self.owner = owner
            self.publicKey = publicKey
            self.roles = roles
            identifier = KeyFile.identifier(of: publicKey)
        }

        /// The JSON text of this key alone, for building a key file.
        public var encoded: [UInt8] { object.line }

        /// Reads a key that is alone.
        public init(decoding bytes: [UInt8]) throws(DocumentError) {
            try self.init(DocumentFields(bytes, "key", limit: Envelope.longest, format: nil))
        }

        init(_ fields: DocumentFields) throws(DocumentError) {
            guard let text = try fields.optionalBytes("key", limit: 256), let publicKey = Base64.decode(text) else {
                throw fields.error("key", "is not base64")
            }
            var roles: Set<KeyRole> = []
            for role in try fields.texts("roles", limit: 16) {
                guard let role = KeyRole(rawValue: role) else { throw fields.error("roles", "has an unknown role") }
                roles.insert(role)
            }
            self.init(owner: try fields.text("owner", limit: 128), publicKey: publicKey, roles: roles)
        }

        fileprivate var object: JSONObject {
            ["owner": owner, "key": Base64.encode(publicKey), "roles": roles.map(\.rawValue).sorted()]
        }
    }

    /// The namespace of the fleet.
    public var namespace: String
    /// Counts the key files of a namespace.
    public var number: Int
    /// The keys.
    public var keys: [Key]
    /// The number of different keys that have to sign in each role; a role that is missing needs none.
    public var thresholds: [KeyRole: Int]

    /// Makes a key file.
    public init(namespace: String, number: Int = 1, keys: [Key], thresholds: [KeyRole: Int]) {
        self.namespace = namespace
        self.number = number
        self.keys = keys
        self.thresholds = thresholds
    }

    /// The name of a public key in signatures.
    public static func identifier(of publicKey: [UInt8]) -> String {
        String(ContentName(of: publicKey).hexadecimal.prefix(16))
    }

    // MARK: Verifying

    /// Returns true if an envelope has the signatures that each of the roles needs, all by different keys.
    ///
    /// A key that has two roles counts for one of them.
    public func accepts(_ envelope: Envelope, as roles: [KeyRole], _ verifier: some SignatureVerifier) -> Bool {
        let needed = roles.map { thresholds[$0] ?? 0 }
        // Nothing is ever accepted without a signature, whatever a key file has.
        guard needed.contains(where: { $0 > 0 }) else { return false }
        let message = envelope.signedBytes
        var signers: [Set<KeyRole>] = []
        var seen: Set<String> = []
        for signature in envelope.signatures {
            guard let key = keys.first(where: { $0.identifier == signature.key }), !seen.contains(key.identifier),
                verifier.isValid(signature.bytes, of: message, by: key.publicKey)
            else { continue }
            seen.insert(key.identifier)
            signers.append(key.roles)
        }
        return Self.suffices(signers, roles: roles, needed: needed)
    }

    /// Returns true if one of the keys that may sign releases has signed an envelope, however many more it needs.
    public func hasSigned(_ envelope: Envelope, _ verifier: some SignatureVerifier) -> Bool {
        let message = envelope.signedBytes
        return envelope.signatures.contains { signature in
            keys.contains { key in
                key.identifier == signature.key && verifier.isValid(signature.bytes, of: message, by: key.publicKey)
            }
        }
    }

    /// Returns true if signers can have one role each so that every role has as many as it needs.
    ///
    /// By Hall's theorem it is enough that each set of roles has enough keys with one of them.
    private static func suffices(_ signers: [Set<KeyRole>], roles: [KeyRole], needed: [Int]) -> Bool {
        for subset in 1..<(1 << roles.count) {
            let members = roles.indices.filter { subset & (1 << $0) != 0 }
            let wanted = Set(members.map { roles[$0] })
            let count = signers.count { !$0.isDisjoint(with: wanted) }
            if count < members.reduce(0, { $0 + needed[$1] }) { return false }
        }
        return true
    }

    /// The key file that follows this one, out of an envelope.
    ///
    /// - Throws: Where it is not signed by the threshold of this one, is for another namespace, or is not later.
    public func successor(_ envelope: Envelope, _ verifier: some SignatureVerifier) throws(DocumentError) -> KeyFile {
        guard envelope.payloadType == Self.payloadType else {
            throw DocumentError("key file", "the envelope contains \(envelope.payloadType.debugDescription)")
        }
        guard accepts(envelope, as: [.publish, .approve], verifier) else {
            throw DocumentError("key file", "it lacks the signatures that the key file before it requires")
        }
        let next = try KeyFile(decoding: envelope.payload)
        guard next.namespace == namespace, next.number > number else {
            throw DocumentError(
                "key file",
                "it is number \(next.number) of \"\(next.namespace)\", not a later one of \"\(namespace)\""
            )
        }
        return next
    }

    // MARK: JSON

    /// The JSON text.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1,
            "namespace": namespace,
            "number": number,
            "keys": keys.map(\.object),
            "thresholds": JSONObject(KeyRole.allCases.map { ($0.rawValue, thresholds[$0] ?? 0) }),
        ]
        return object.bytes
    }

    /// Reads a key file.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        try self.init(DocumentFields(bytes, "key file", limit: Envelope.longest))
    }

    init(_ fields: DocumentFields) throws(DocumentError) {
        namespace = try fields.parsed("namespace", what: FleetName.description) { FleetName.isValid($0) ? $0 : nil }
        number = try fields.integer("number", in: 1...(1 << 53))
        keys = []
        for key in try fields.objects("keys", limit: Self.mostKeys) {
            keys.append(try Key(key))
        }
        guard Set(keys.map(\.identifier)).count == keys.count else { throw fields.error("keys", "has a key twice") }
        let numbers = try fields.object("thresholds")
        thresholds = [:]
        for role in KeyRole.allCases {
            let threshold = try numbers.integer(role.rawValue, in: 0...Self.mostKeys)
            guard threshold <= keys.count(where: { $0.roles.contains(role) }) else {
                throw numbers.error(role.rawValue, "requires more keys than there are")
            }
            thresholds[role] = threshold
        }
        guard (thresholds[.publish] ?? 0) > 0 else { throw numbers.error("publish", "has to be 1 at least") }
    }
}
