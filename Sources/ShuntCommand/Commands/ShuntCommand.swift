#if Command
import ArgumentParser
import CPCRE2
import CVersion
import Glibc
import Shunt

@main
struct ShuntCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shunt",
        abstract: "Decides what happens to a URL, by rules in nginx's language.",
        discussion: """
            Rules are a directory of *.conf files, one rule file, or an nginx.conf.

            Check rules for mistakes:
                shunt check rules

            Find what is wrong with rules that load:
                shunt lint rules

            Put them in the one form:
                shunt format rules

            Run their tests:
                shunt test --rules rules --coverage

            Decide about URLs, one a line:
                shunt run --rules rules < urls.txt

            See why a URL goes where it goes:
                shunt explain --rules rules 'https://example.com/old?id=7'

            Measure what your rules cost:
                shunt bench --rules rules --requests urls.txt

            Look URLs up in the routes that rules declare:
                shunt routes --table rules < urls.txt

            Exit status: 0 when all is well; 1 when the answer is no: `check` found an error, a request could not be decided; 2 when the \
            command line is wrong; 3 when there is no answer: the rules do not load, or input or output failed.

            Colours are used on a terminal only, and not at all when the environment variable NO_COLOR is set.
            """,
        version: ProgramVersion.text,
        groupedSubcommands: [
            CommandGroup(
                name: "Write rules",
                subcommands: [
                    CheckCommand.self, LintCommand.self, FormatCommand.self, TestCommand.self, ExamplesCommand.self,
                    ImportCommand.self,
                ]
            ),
            CommandGroup(name: "Change rules", subcommands: [DiffCommand.self, ListCommand.self]),
            CommandGroup(
                name: "Query rules",
                subcommands: [RunCommand.self, ExplainCommand.self, RoutesCommand.self, BenchCommand.self]
            ),
            CommandGroup(
                name: "Apps and modules",
                subcommands: [LinksCommand.self, AppLinksCommand.self, ModulesCommand.self]
            ),
        ] + GatewayCommands.groups + FleetCommands.groups
    )

    static func main() {
        // A closed pipe is an error of `write`, which ends the program quietly, and not a signal.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard !arguments.isEmpty else {
                Failure.report(helpMessage())
                Glibc.exit(Failure.wrongUsage.rawValue)
            }
            let path = CommandPath(arguments, of: self)
            if let problem = path.problem {
                Failure.report("Error: \(problem)")
                Glibc.exit(Failure.wrongUsage.rawValue)
            }
            var command = try parseAsRoot(try GatewayCommands.expanded(arguments))
            do {
                try command.run()
            } catch let error as ValidationError {
                Failure.report(path.message(for: error, of: type(of: command)))
                Glibc.exit(Failure.wrongUsage.rawValue)
            }
        } catch {
            Glibc.exit(end(after: error))
        }
        Glibc.exit(0)
    }

    /// Prints an error, and returns the exit status for it.
    private static func end(after error: any Error) -> Int32 {
        if let output = error as? OutputError { return Failure.status(of: output) }
        if let code = error as? ExitCode { return code.rawValue }
        // One that the parser of arguments has wrapped.
        if exitCode(for: error) == Failure.unanswered { return Failure.unanswered.rawValue }
        #if Gateway
        if let problem = error as? Problem {
            Failure.report(problem.description)
            return Failure.wrongUsage.rawValue
        }
        #endif
        let message = fullMessage(for: error)
        guard exitCode(for: error).isSuccess else {
            #if Gateway
            if let origin = OptionSources.origin(namedIn: message) {
                Failure.report("\(origin): error: in this option:")
            }
            #endif
            Failure.report(message)
            return Failure.wrongUsage.rawValue
        }
        do throws(OutputError) {
            let output = OutputStream(STDOUT_FILENO)
            try output.write(message.hasSuffix("\n") ? message : message + "\n")
            try output.flush()
            return 0
        } catch {
            return Failure.status(of: error)
        }
    }
}

/// The failures that end the program.
enum Failure {
    /// The answer is no.
    static let negative = ExitCode(1)
    /// The command line is wrong.
    static let wrongUsage = ExitCode(2)
    /// There is no answer: the rules do not load, or something cannot be read or written.
    static let unanswered = ExitCode(3)

    /// Writes a message to standard error; a failure of that cannot be reported.
    static func report(_ message: String) {
        let output = OutputStream(STDERR_FILENO)
        try? output.write(message.hasSuffix("\n") || message.isEmpty ? message : message + "\n")
        try? output.flush()
    }

    /// Writes diagnostics to standard error, in colour where it wants that.
    static func report(_ diagnostics: [Diagnostic]) {
        report(DiagnosticRenderer(usesColor: OutputStream(STDERR_FILENO).wantsColor).render(diagnostics))
    }

    /// Reports an error, and returns the exit status.
    static func error(_ message: String, status: ExitCode = unanswered) -> ExitCode {
        report("shunt: error: \(message)")
        return status
    }

    /// Reports all that is wrong with rules or other files, and returns the exit status.
    static func errors(_ diagnostics: [Diagnostic], status: ExitCode = unanswered) -> ExitCode {
        report(diagnostics)
        return status
    }

    /// Reports why something cannot be served, rules with all that is wrong with them; returns the exit status.
    static func ofServing(_ error: any Error) -> ExitCode {
        let failure = error as? ReloadError
        if let failure, !failure.diagnostics.isEmpty { return errors(failure.diagnostics) }
        return self.error("\(error)" + (failure?.reason == .empty ? "; if that is meant, add --allow-empty" : ""))
    }

    /// Reports a failure to write, and returns its exit status.
    static func status(of error: OutputError) -> Int32 {
        report("shunt: error: cannot write the output: \(SystemError.text(error.number))")
        return unanswered.rawValue
    }
}

enum ProgramVersion {
    /// The version, the commit if it is known, and the version of PCRE2 that the program has loaded.
    static var text: String {
        let commit = String(cString: shunt_commit())
        return "shunt \(SHUNT_VERSION) (\(commit.isEmpty ? "" : "commit \(commit), ")PCRE2 \(pcre2))"
    }

    /// The number before the date in PCRE2's version.
    private static var pcre2: Substring {
        let size = pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil)
        var bytes = [UInt8](repeating: 0, count: max(0, Int(size)))
        pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), &bytes)
        return String(decoding: bytes, as: UTF8.self).prefix { $0 != " " && $0 != "\0" }
    }
}
#endif
