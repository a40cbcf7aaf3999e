#if Command && Fleet
import ArgumentParser
import ShuntFleet

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
