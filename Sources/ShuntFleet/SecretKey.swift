#if Fleet
import ShuntCore

/// A key that signs, as it lies in a file: whose it is and what it is for.
public struct SecretKey: Sendable {
    /// The owner's name.
    public var owner: String
    /// The intended roles; a key file grants them.
    public var roles: Set<KeyRole>
    /// The key.
    public var key: Ed25519.SigningKey

    /// The most bytes of a file.
    public static let longest = 4096

    /// Makes a new key.
    public init(owner: String, roles: Set<KeyRole>) {
        self.owner = owner
        self.roles = roles
        key = Ed25519.SigningKey()
    }

    /// Its public half, as key files have it.
    public var publicHalf: KeyFile.Key { KeyFile.Key(owner: owner, publicKey: key.publicKey, roles: roles) }

    /// The JSON text, which no one else may see.
    public var encoded: [UInt8] {
        let object: JSONObject = [
            "format": 1, "owner": owner, "roles": roles.map(\.rawValue).sorted(), "secret": Base64.encode(key.seed),
        ]
        return object.line
    }

    /// Reads a key; throws if the text is not a key.
    public init(decoding bytes: [UInt8]) throws(FleetError) {
        guard bytes.count <= Self.longest, let value = try? JSONReader.read(bytes),
            case .object(let list) = value
        else { throw FleetError("it is not a key") }
        let members = Dictionary(list.map { ($0.name, $0.value) }) { first, _ in first }
        guard case .string(let owner)? = members["owner"], case .string(let secret)? = members["secret"],
            case .array(let items)? = members["roles"], let seed = Base64.decode(secret),
            let key = Ed25519.SigningKey(seed: seed)
        else { throw FleetError("it is not a key of `shunt fleet keygen`") }
        var roles: Set<KeyRole> = []
        for item in items {
            guard case .string(let bytes) = item, let role = KeyRole(rawValue: String(decoding: bytes, as: UTF8.self))
            else { throw FleetError("it has an unknown role") }
            roles.insert(role)
        }
        self.owner = String(decoding: owner, as: UTF8.self)
        self.roles = roles
        self.key = key
    }
}
#endif
