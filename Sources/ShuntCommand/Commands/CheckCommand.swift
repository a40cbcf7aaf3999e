#if Command
import ArgumentParser
import Shunt

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports every error and warning in rules.",
        usage: "shunt check <path> ... [options]",
        discussion: """
            Each path is a rule set: a directory of *.conf files, one rule file, or an nginx.conf. All that is wrong \
            is reported at once, each with its file, line and column.

            With --format json the report is one object with "schema", "diagnostics" (each with "severity", "code", "message", \
            "file", "line", "column", "length", and where they apply "source", "suggestion" and "notes"), "errors", \
            "warnings", "rules", the number of rules in the sets without errors, and "always_tried".

            Rules whose expressions have no text that all their matches share are tried on every request, and make a set slow \
            when there are many. They are listed with the reason.

            A rule set without a rule or a server is an error, because a directory that lost its files looks like that; with --allow-empty it is \
            accepted.

            Directives of modules that Shunt does not know are errors, because they may change where a request goes; --ignore-unknown \
            makes them warnings, and so does ignore_directive in the rules for the directives that it names.

            A directive that decides and that the gateway does not do is an error, as for shunt serve; ignore_directive in \
            the rules and --accept make it a warning. Directives without effect are counted, and listed with --ignored.

            The exit status is 0 when there is no error, even if there are warnings, 1 when there is one, and 3 when a path cannot be read.

            Examples:
                shunt check rules
                shunt check rules /etc/nginx/nginx.conf --format json
                shunt check /etc/nginx/nginx.conf --trust /usr/share/nginx
            """
    )

    @Argument(help: "Directories of rule files, rule files, or an nginx.conf.", completion: .file())
    var path: [String] = []

    @Option(help: .hidden)
    var rules: [String] = []

    @OptionGroup var loading: LoadOptions
    @OptionGroup var acceptance: AcceptOptions

    @Flag(help: "List the directives that have no effect.")
    var ignored = false

    @Flag(help: "Accept rules without any rule.")
    var allowEmpty = false

    @Option(help: "The format of the report: text or json.")
    var format: OutputFormat = .text

    func validate() throws {
        if path.isEmpty, rules.isEmpty { throw ValidationError("Which rules? Name a directory or a file.") }
    }

    func run() throws {
        var report = CheckReport(accepted: Set(acceptance.accept), listsIgnored: ignored)
        for path in path + rules { report.check(path, allowsEmpty: allowEmpty, load: loading.load) }
        try format.write(json: report.json) { report.text(usesColor: $0.usesColor) }
        if report.isUnreadable { throw Failure.unanswered }
        if report.errorCount > 0 { throw Failure.negative }
    }
}
#endif
