#if Gateway && Command
import ArgumentParser
import Glibc
import Logging
import Shunt
import ShuntGateway
import ShuntTools

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
        let (path, trusted, ignoresUnknown) = (rules, loading.trust, loading.ignoreUnknown)
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

/// The coverage of rules by their tests, for the page.
enum PageCoverage {
    /// The most places without a test that are listed.
    private static let limit = 1_000

    /// The result of the tests that rules bring along and of those next to them; `problem` if they cannot be read.
    static func bytes(_ path: String, trusting trusted: [String], ignoringUnknownDirectives: Bool) -> [UInt8] {
        do throws(RuleSetError) {
            let ruleSet = try RuleSet(
                collectingTestsAt: path,
                trusting: trusted,
                ignoringUnknownDirectives: ignoringUnknownDirectives
            )
            var sources = TestSources(ruleSet, host: nil)
            sources.addBeside(path)
            let problem: JSONObject = ["problem": sources.problems.first.map { "\($0.location): \($0.message)" }]
            var options = RuleTests.Options()
            options.time = Timestamp.now()
            options.collectsCoverage = true
            return problem.adding(object(RuleTests(ruleSet, sources.cases, options: options).run())).line
        } catch {
            return (["problem": "the rules do not load"] as JSONObject).line
        }
    }

    private static func object(_ report: TestReport) -> JSONObject {
        let items = report.coverage?.items ?? []
        let missing = items.filter { !$0.isCovered }.prefix(limit)
            .map { item -> JSONObject in
                [
                    "rule": item.location.description,
                    "kind": item.kind.rawValue,
                    "text": item.part.map { "\(item.text): \($0)" } ?? item.text,
                ]
            }
        return [
            "tests": report.outcomes.count,
            "failed": report.count(.failed),
            "targets": items.count,
            "reached": items.count { $0.isCovered },
            "missing": missing,
        ]
    }
}
#endif
