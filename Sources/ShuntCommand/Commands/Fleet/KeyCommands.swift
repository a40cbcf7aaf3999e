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

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Creates and shows key files, and sends nodes the next one.",
        subcommands: [MakeKeysCommand.self, ShowKeysCommand.self, SignKeysCommand.self]
    )

    static func text(_ file: KeyFile) -> String {
        var table = TextTable()
        table.add(["KEY", "OWNER", "ROLES"])
        for key in file.keys {
            table.add([key.identifier, key.owner, key.roles.map(\.rawValue).sorted().joined(separator: ", ")])
        }
        let needed = KeyRole.allCases.compactMap { role in
            file.thresholds[role].flatMap { $0 > 0 ? "\($0) \(role.rawValue)" : nil }
        }
        return "namespace \(file.namespace)   key file \(file.number)   a release needs: "
            + "\(needed.joined(separator: ", "))\n\(table.text)"
    }
}

struct MakeKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Puts public keys together to the key file of a namespace.",
        usage: "shunt fleet keys make --namespace <name> <key.pub> … --out <file>",
        discussion: """
            Unless thresholds are given, a release needs one signature of each of the roles publish and approve that a key has.
            """
    )

    @Argument(help: "The public halves of keys.", completion: .file())
    var publicKeys: [String]

    @Option(help: "Which fleet it is for.")
    var namespace: String

    @Option(help: "The number of keys that have to sign in a role, as publish=1; may be repeated.")
    var threshold: [String] = []

    @Option(help: "The key file that this one follows.", completion: .file())
    var after: String?

    @Option(help: "The file for it.", completion: .file())
    var out: String

    @Option(help: "The format of the answer: text or json.")
    var format = OutputFormat.text

    func run() throws {
        let keys = try publicKeys.map { try KeyPaths.publicHalf($0) }
        var thresholds: [KeyRole: Int] = [:]
        for role in KeyRole.allCases {
            thresholds[role] = keys.contains { $0.roles.contains(role) } ? 1 : 0
        }
        for text in threshold {
            let parts = text.split(separator: "=").map(String.init)
            guard parts.count == 2, let role = KeyRole(rawValue: parts[0]), let number = Int(parts[1]) else {
                throw ValidationError("A threshold is written publish=1, not '\(text)'.")
            }
            thresholds[role] = number
        }
        let number = try after.map { try KeyPaths.keyFile($0).number + 1 } ?? 1
        let made = KeyFile(namespace: namespace, number: number, keys: keys, thresholds: thresholds)
        let file: KeyFile
        do { file = try KeyFile(decoding: made.encoded) } catch { throw ValidationError("\(error)") }
        try OutputFile.write(file.encoded + [UInt8(ascii: "\n")], to: out)
        try format.answer(text: KeysCommand.text(file), json: file.encoded)
    }
}

struct ShowKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows a key file.")

    @Argument(help: "The key file.", completion: .file())
    var file: String

    @Option(help: "The format of the answer: text or json.")
    var format = OutputFormat.text

    func run() throws {
        let file = try KeyPaths.keyFile(file)
        try format.answer(text: KeysCommand.text(file), json: file.encoded)
    }
}

struct SignKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs the next key file, and sends it to the nodes.",
        discussion: """
            It has to be signed by the keys that the key file before it requires; nodes read it with the pointer. If not all of these keys \
            are at hand, --out writes what was signed so far, and another person adds a signature.

            Example:
                shunt fleet keys sign keys-2.json --key alice.key --keys keys.json --store releases
            """
    )

    @Argument(help: "The next key file, or a copy that another person has signed.", completion: .file())
    var file: String

    @Option(help: "Write the signed key file, and do not send it to the nodes.", completion: .file())
    var out: String?

    @OptionGroup var fleet: FleetOptions
    @OptionGroup var author: AuthorOptions
    @OptionGroup var signing: SigningOptions

    func run() throws {
        let bytes = try KeyPaths.read(file, Envelope.longest)
        var envelope: Envelope
        if let signed = try? Envelope(decoding: bytes) {
            envelope = signed
        } else {
            envelope = Envelope(payloadType: KeyFile.payloadType, payload: try KeyPaths.keyFile(file).encoded)
        }
        let signers = try signing.signers()
        try envelope.sign(with: signers)
        if let out {
            try OutputFile.write(envelope.encoded, to: out)
            let count = envelope.signatures.count
            let text = "\(out) has \(count) signature\(count == 1 ? "" : "s")\n"
            return try fleet.format.answer(text: text, json: envelope.encoded)
        }
        let store = try fleet.writable()
        let trusted = try signing.trust.file()
        let steering = FleetSteering(store, trusted: trusted, by: author.name, reason: author.message)
        let next = try FleetRun.wait { [envelope] in try await steering.replaceKeys(envelope) }
        try fleet.format.answer(text: "nodes get key file \(next.number)\n", json: next.encoded)
    }
}
#endif
