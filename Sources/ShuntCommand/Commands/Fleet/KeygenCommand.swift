#if Command && Fleet
import ArgumentParser
import ShuntCore
import ShuntFleet

struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Creates a key that signs, or all keys of a new fleet.",
        discussion: """
            With --role, one key: it is written to --out, for its owner alone; the public half, which goes into a key file, to the same \
            name with .pub appended.

            With --namespace, what a new fleet needs, in the directory --out: publish.key to publish, rollback.key only to roll back, and \
            keys.json, the key file of the nodes. Existing files are never replaced.

            Examples:
                shunt fleet keygen --namespace web
                shunt fleet keygen --owner alice --role publish --out alice.key
            """
    )

    @Option(help: "The right of the key: publish, approve or rollback; may be repeated.", transform: Self.role)
    var role: [KeyRole] = []

    @Option(help: "The fleet to create all keys for.")
    var namespace: String?

    @Option(help: "The owner of the key; by default the user.")
    var owner: String?

    @Option(help: "The file for the key, or with --namespace the directory; by default the current one.")
    var out: String?

    @Option(help: "The format of the answer: text or json.")
    var format = OutputFormat.text

    static func role(_ text: String) throws -> KeyRole {
        try KeyRole(rawValue: text).valid(or: "A role is publish, approve or rollback.")
    }

    func validate() throws {
        guard let namespace else {
            if role.isEmpty {
                throw ValidationError("Choose what the key may sign with --role, or name a new fleet with --namespace.")
            }
            if out == nil { throw ValidationError("Name the file for the key with --out.") }
            return
        }
        guard role.isEmpty else { throw ValidationError("--role is for one key, --namespace for all of a new fleet.") }
        guard FleetName.isValid(namespace) else {
            throw ValidationError("'\(namespace)' is not a valid name of a fleet: letters, digits and . _ - only.")
        }
    }

    func run() throws {
        var author = AuthorOptions()
        author.author = owner
        author.message = ""
        let name = author.name
        if let namespace { return try makeFleet(namespace, name) }
        guard let out else { return }
        try Self.refuse([out, out + ".pub"])
        let half = try Self.write(SecretKey(owner: name, roles: Set(role)), to: out)
        let roles = half.roles.map(\.rawValue).sorted()
        try answer(
            "key \(half.identifier) of \(name): \(roles.joined(separator: ", "))\nsecret  \(out)\npublic  \(out).pub\n",
            Self.object(half, at: out)
        )
    }

    private func makeFleet(_ namespace: String, _ name: String) throws {
        let directory = out.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
        let roles: [KeyRole] = [.publish, .rollback]
        let paths = roles.map { "\(directory)\($0.rawValue).key" }
        let file = directory + "keys.json"
        try Self.refuse(paths + paths.map { $0 + ".pub" } + [file])
        let halves = try zip(roles, paths).map { try Self.write(SecretKey(owner: name, roles: [$0]), to: $1) }
        let keys = KeyFile(namespace: namespace, keys: halves, thresholds: [.publish: 1, .rollback: 1])
        try OutputFile.write(keys.encoded + [UInt8(ascii: "\n")], to: file)
        var table = TextTable()
        let made = zip(halves, paths).map { Self.object($0, at: $1) }
        for (role, path) in zip(roles, paths) { table.add([path, "signs as \(role.rawValue)"]) }
        table.add([file, "the key file of namespace \(namespace): copy it to the nodes"])
        try answer(table.text, ["namespace": namespace, "keys": file, "made": made])
    }

    private static func refuse(_ paths: [String]) throws {
        for path in paths where (try? LocalFileSystem().attributes(path)) != nil {
            throw Failure.error("\(path) is there already, and is not replaced", status: Failure.negative)
        }
    }

    private static func write(_ secret: SecretKey, to path: String) throws -> KeyFile.Key {
        do throws(FileError) {
            try LocalFileStorage().write(path, secret.encoded)
        } catch {
            throw KeyPaths.unusable(path, error)
        }
        let half = secret.publicHalf
        try OutputFile.write(half.encoded, to: path + ".pub")
        return half
    }

    private static func object(_ half: KeyFile.Key, at path: String) -> JSONObject {
        [
            "key": half.identifier, "owner": half.owner, "roles": half.roles.map(\.rawValue).sorted(), "secret": path,
            "public": path + ".pub",
        ]
    }

    private func answer(_ text: String, _ object: JSONObject) throws {
        try format.answer(text: text, json: object.bytes)
    }
}
#endif
