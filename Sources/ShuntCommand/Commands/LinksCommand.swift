#if Command
import ArgumentParser
import Glibc
import Shunt

struct LinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Checks that the URLs in source files lead somewhere.",
        subcommands: [LinksCheckCommand.self]
    )
}

struct LinksCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Looks up every URL in source files, and reports URLs that lead nowhere.",
        discussion: """
            A table is what `shunt routes --table` takes: a list of addresses in JSON, as `Links.routes()` writes it, or rule files, or an \
            AndroidManifest.xml. Files are searched for URLs of the schemes given, from the scheme to the next quote, bracket or space. An \
            interpolation (\\(x), ${x}, $x, {x}, %s) and what + appends match any text: such a URL leads somewhere if some text makes it a \
            URL that a route matches. So does one that ends in a slash.

            The exit status is 0 when every URL leads somewhere, 1 when one does not or a file cannot be read, 2 when the \
            command line is wrong or no route has one of the schemes, 3 when the table cannot be used.

            Example:
                shunt links check --table addresses.json --scheme kl Sources
            """
    )

    @Option(help: "A JSON list of addresses, a rule file, or a directory of them.", completion: .file())
    var table: String

    @Option(help: .value("scheme", "A scheme to look for; repeatable."))
    var scheme: [String]

    @Argument(help: "Files, and directories of files.", completion: .file())
    var paths: [String]

    func validate() throws {
        if scheme.isEmpty { throw ValidationError("Use at least one --scheme.") }
        if paths.isEmpty { throw ValidationError("Name at least one file or directory.") }
        for scheme in scheme {
            let isScheme = scheme.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
            if scheme.isEmpty || !isScheme {
                throw ValidationError("--scheme is a name without colon and slashes, such as https, not \"\(scheme)\".")
            }
        }
    }

    func run() throws {
        let file = RouteTableFile(table, options: RoutingOptions())
        guard var check = LinkCheck(file, schemes: scheme) else { throw Failure.errors(file.diagnostics) }
        if let unknown = scheme.first(where: { !check.hasRoutes(of: $0) }) {
            throw ValidationError("No route of \(table) has the scheme \"\(unknown)\".")
        }
        for path in paths { check.look(at: path) }
        let output = OutputStream(STDOUT_FILENO)
        try output.write(DiagnosticRenderer(usesColor: output.wantsColor).render(check.diagnostics))
        let count = CheckReport.counted(check.found, "URL")
        try output.write("\(count), \(CheckReport.counted(check.diagnostics.count, "error"))\n")
        try output.flush()
        if !check.diagnostics.isEmpty { throw Failure.negative }
    }
}
#endif
