#if Command && Fleet
import ArgumentParser
import Glibc

struct FleetDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows what one release changes compared with another, as `shunt diff` does.",
        usage: "shunt fleet diff <release> <release> --store <store> [options]",
        discussion: """
            Either side may be a path, too, such as the path of rules that are not released yet. `shunt diff` has more options, and takes \
            releases as release:NUMBER@STORE.
            """
    )

    @Argument(help: "The number of the one release.")
    var old: String

    @Argument(help: "The number of the other release.")
    var new: String

    @Option(help: "The store of releases: a directory, or etcd://HOST:PORT/NAMESPACE.", completion: .directory)
    var store: String?

    @OptionGroup var trust: KeyFileOptions

    @Option(help: "A file of requests, one a line; - is standard input. May be repeated.", completion: .file())
    var requests: [String] = []

    @Option(help: "A log of requests. May be repeated.", completion: .file())
    var log: [String] = []

    @Option(help: "The form of the logs: shunt, combined, common, vhost, har, or a format of nginx.")
    var logFormat = "shunt"

    @Flag(help: "Generate no requests for the changed rules.")
    var noWitnesses = false

    @Option(help: "The format of the report: text, json, markdown or github.")
    var format = "text"

    func run() throws {
        var options = FleetOptions()
        options.store = store
        options.format = .text
        let name = try options.name()
        if let keys = trust.keys { setenv("SHUNT_FLEET_KEYS", keys, 1) }
        let sides = [old, new].map { Int($0) == nil ? $0 : "release:\($0)@\(name)" }
        let files = requests.flatMap { ["--requests", $0] } + log.flatMap { ["--log", $0] }
        let flags = noWitnesses ? ["--no-witnesses"] : []
        let command = try DiffCommand.parse(sides + files + flags + ["--log-format", logFormat, "--format", format])
        try command.run()
    }
}
#endif
