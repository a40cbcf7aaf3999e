#if Command && Fleet
import ArgumentParser
import ShuntCore
import ShuntFleet
import ShuntRelease

/// `shunt fleet keygen`: makes a key.
struct KeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Makes a key that signs, and its public half beside it.",
        discussion: """
            The key is written to --out, for its owner alone; the public half, which goes into a key file, to the same name \
            with .pub behind it.

            Example:
                shunt fleet keygen --owner alice --role publish --out alice.key
            """
    )

    @Option(help: "What it may sign: publish, approve or rollback; may be repeated.", transform: Self.role)
    var role: [KeyRole]

    @Option(help: "Whose it is.")
    var owner: String

    @Option(help: "The file for the key; it must not be there yet.", completion: .file())
    var out: String

    @Option(help: "How to write the answer: text or json.")
    var format = OutputFormat.text

    static func role(_ text: String) throws -> KeyRole {
        guard let role = KeyRole(rawValue: text) else {
            throw ValidationError("A role is publish, approve or rollback.")
        }
        return role
    }

    func run() throws {
        for path in [out, out + ".pub"] where (try? LocalFileSystem().attributes(path)) != nil {
            Failure.report("shunt: error: \(path) is there already, and is not replaced")
            throw Failure.negative
        }
        let secret = SecretKey(owner: owner, roles: Set(role))
        let half = secret.publicHalf
        do throws(FileError) {
            try LocalFileStorage().write(out, secret.encoded)
        } catch {
            throw KeyPaths.unusable(out, error)
        }
        try OutputFile.write(half.encoded, to: out + ".pub")
        let roles = half.roles.map(\.rawValue).sorted()
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("key", half.identifier)
            writer.member("owner", owner)
            writer.name("roles")
            writer.array { writer in for role in roles { writer.string(role) } }
            writer.member("secret", out)
            writer.member("public", out + ".pub")
        }
        let text =
            "key \(half.identifier) of \(owner): \(roles.joined(separator: ", "))\n"
            + "secret  \(out)\npublic  \(out).pub\n"
        var options = FleetOptions()
        options.format = format
        try options.answer(text: text, json: writer.bytes)
    }
}
#endif
