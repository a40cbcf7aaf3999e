#if Gateway && Command
import ArgumentParser
import Glibc
import Logging
import Shunt
import ShuntGateway

struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Shows rules in a browser: why a URL goes where, findings, examples, what a change changes.",
        usage: "shunt page --rules <rules> [--listen <address:port>]",
        discussion: """
            The page of a gateway's admin listener for a directory that you edit: no requests arrive. A file that is saved is loaded at \
            once, and the page shows what it changed.

            Examples:
                shunt page --rules rules
                shunt page --rules rules --listen 9000
            """
    )

    @OptionGroup var loading: LoadOptions

    @Option(help: "A directory of rule files, one rule file, or an nginx.conf.", completion: .file())
    var rules: String

    @Option(
        help: .value("address:port", "The address of the page on this machine; a port alone is on 127.0.0.1."),
        transform: AdminOptions.endpoint
    )
    var listen = SocketEndpoint(host: "127.0.0.1", port: 8081)

    func validate() throws {
        guard listen.isLoopback else { throw ValidationError("--listen \(listen) can be reached from other machines.") }
    }

    func run() throws {
        let programLog = ProgramLog()
        defer { programLog.finish() }
        var logger = programLog.logger()
        logger.logLevel = .notice
        let (path, trusted, ignoresUnknown) = (rules, loading.trusted.trust, loading.ignoreUnknown)
        let (endpoint, log) = (listen, logger)
        do {
            try PageProgram.serveAndWait {
                try await PageProgram(
                    rules: path,
                    trusting: trusted,
                    ignoringUnknownDirectives: ignoresUnknown,
                    at: endpoint,
                    coverage: {
                        PageCoverage.bytes(path, trusting: trusted, ignoringUnknownDirectives: ignoresUnknown)
                    },
                    logger: log
                )
            }
        } catch {
            throw Failure.ofServing(error)
        }
    }
}
#endif
