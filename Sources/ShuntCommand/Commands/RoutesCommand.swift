#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Looks URLs up in a table of routes, one a line.",
        usage: """
            shunt routes --table <table> [options] < <urls>
            shunt routes --table <table> --check
            shunt routes --table <table> --list
            shunt routes --table <table> --generate <id> [<name>=<value> ...]
            """,
        discussion: """
            A table is a rule file, a directory of rule files, or an nginx.conf, of which the route directives count:

                route GET /users/:id(uint) user;
                route kl://item/:id        item priority=1;

            or a JSON list of objects with "pattern" and "id", and perhaps "method" ("GET", "GET|POST" or a list), \
            "priority", "scheme", "host" and "fallback" (true for a route that takes all below a prefix):

                [{"pattern": "/users/:id(uint)", "id": "user", "method": "GET"}]

            or an AndroidManifest.xml, of which the intent filters for links count.

            URLs are read from standard input, one a line; a line may also be an object with "url" and "method". Each results in one line: \
            the route, the URL, and the values, or why there is no route. With --format json it is an object with "url", "route" (null \
            when nothing matched), "pattern", "parameters", "wildcard" (the components that a tail took), "query", and "reason" when \
            nothing matched.

            --preset reads patterns and URLs as another router does: \(RoutingOptions.presetNames.joined(separator: ", ")). \
            With the first four and zikrouter, "parameters" has the items of the query in it too. --option makes single \
            choices on top, such as caseSensitive=no.

            The exit status is 0 when every URL matched, the table has nothing to report, or the URL was written; 1 when not; 2 when the \
            command line is wrong; 3 when the table for the URLs has an error.

            Examples:
                shunt routes --table rules < urls.txt
                shunt routes --table rules --check
                shunt routes --table app.json --preset jlroutes --format json < urls.txt
                shunt routes --table rules --generate user id=7
            """
    )

    @Option(help: "A rule file, a directory of them, or a JSON list of routes.", completion: .file())
    var table: String

    @Option(help: "Read patterns and URLs as this router does.", completion: .list(RoutingOptions.presetNames))
    var preset: String?

    @Option(
        name: .customLong("option"),
        help: .value("name=value", "A choice of how patterns and URLs are read; repeatable.")
    )
    var choices: [String] = []

    @Option(help: "The method to look up with; without it, any.")
    var method: String?

    @Option(help: "The format of the output: text or json.")
    var format: OutputFormat = .text

    @Flag(help: "Report duplicate, ambiguous and shadowed patterns instead.")
    var check = false

    @Flag(help: "List the routes instead; with --format json as a list that --table reads.")
    var list = false

    @Option(
        parsing: .upToNextOption,
        help: .value(
            "id name=value",
            "Write the URL of a route instead, with values by name or in the order of the pattern."
        )
    )
    var generate: [String] = []

    func validate() throws {
        _ = try options()
        if [check, list, !generate.isEmpty].count(where: { $0 }) > 1 {
            throw ValidationError("--check, --list and --generate cannot be combined.")
        }
    }

    private func options() throws -> RoutingOptions {
        do throws(RoutingChoiceProblem) {
            return try RoutingChoices.options(preset: preset, choices: choices)
        } catch {
            throw ValidationError("\(error.message), \(error.suggestion)")
        }
    }

    func run() throws {
        let file = RouteTableFile(table, options: try options())
        let output = OutputStream(STDOUT_FILENO)
        if check {
            try report(file, to: output)
        } else {
            guard let table = file.table else { throw Failure.errors(file.diagnostics) }
            Failure.report(file.diagnostics)
            if list {
                try format.write(json: Array((table.json() + "\n").utf8)) { RouteListing.text(table, style: $0) }
            } else if let identifier = generate.first {
                try RouteGeneration(table: table, identifier: identifier, values: Array(generate.dropFirst()))
                    .run(format: format)
            } else {
                try answer(file, table.options, to: output)
            }
        }
    }

    /// Writes all that is wrong with the table; anything at all is a no.
    private func report(_ file: RouteTableFile, to output: OutputStream) throws {
        let diagnostics = file.diagnostics
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        let count = file.table?.routes.count ?? 0
        switch format {
        case .text:
            let routes = file.table == nil ? "" : CheckReport.counted(count, "route") + ": "
            try output.write(DiagnosticRenderer(usesColor: output.wantsColor).render(diagnostics))
            try output.write(
                "\(routes)\(CheckReport.counted(errors, "error")), \(CheckReport.counted(warnings, "warning"))\n"
            )
        case .json:
            let report: JSONObject = [
                "schema": "shunt-routes-check/1", "diagnostics": diagnostics.map(\.json), "errors": errors,
                "warnings": warnings, "routes": count,
            ]
            try output.write(report.line)
        }
        try output.flush()
        let isUnreadable = diagnostics.contains { $0.location.file == table && $0.has(.unreadableFile) }
        if isUnreadable { throw Failure.unanswered }
        if !diagnostics.isEmpty { throw Failure.negative }
    }

    private func answer(_ file: RouteTableFile, _ options: RoutingOptions, to output: OutputStream) throws {
        let answer = RouteAnswer(
            format: format,
            text: Style(usesColor: format == .text && output.wantsColor),
            parameters: ParameterStyle(preset: preset),
            options: options
        )
        var hasMissed = false
        try LineReader.readInput(writingTo: output) { line in
            let (bytes, hasMatched) = Self.answer(line, in: file, method: method, with: answer)
            if !hasMatched { hasMissed = true }
            try output.write(bytes)
        }
        if hasMissed { throw Failure.negative }
    }

    private static func answer(
        _ line: LineReader.Line,
        in file: RouteTableFile,
        method: String?,
        with answer: RouteAnswer
    ) -> (line: [UInt8], hasMatched: Bool) {
        switch line {
        case .tooLong(let start):
            let problem = "the line is longer than \(RequestRecord.limit) bytes; this is its start"
            return (answer.line(nil, url: start, problem: problem), false)
        case .whole(let bytes):
            do throws(RequestError) {
                let (url, ownMethod) = try subject(bytes)
                let resolution = file.resolve(url, method: ownMethod ?? method)
                return (answer.line(resolution, url: url), resolution?.match != nil)
            } catch {
                return (answer.line(nil, url: bytes, problem: error.description), false)
            }
        }
    }

    /// The URL of a line of input, and the method if the line has one.
    private static func subject(_ line: [UInt8]) throws(RequestError) -> (url: [UInt8], method: String?) {
        guard RequestRecord.isObject(line) else { return (line, nil) }
        let request = try RequestRecord.request(line)
        guard case .url(let url) = request.subject else { throw RequestError("a line needs \"url\"") }
        guard case .object(let members)? = try? JSONReader.read(line),
            members.contains(where: { $0.name == "method" && $0.value != .null })
        else { return (url, nil) }
        return (url, request.method)
    }
}

struct RouteGeneration {
    let table: RouteTable
    let identifier: String
    /// Each `name=value`, or a value in the order of the pattern.
    let values: [String]

    /// Writes the URL; what is in the way is reported, and ends the command.
    func run(format: OutputFormat) throws {
        guard let route = table.routes.first(where: { $0.name == identifier }) else {
            let meant = Suggestion.closest(to: identifier, among: table.routes.lazy.compactMap(\.name))
            let hint = meant.map { ", did you mean \"\($0)\"?" } ?? ""
            let message = "no route is named \(RequestFields.quoted(identifier))\(hint)"
            throw Failure.error(message, status: Failure.negative)
        }
        var problems: [Diagnostic] = []
        let named = named(for: route, problems: &problems)
        var url: String?
        if problems.isEmpty {
            do throws(RouteGenerationError) {
                url = try table.generate(route: identifier, values: named)
            } catch {
                problems.append(RouteTableFile.diagnostic(error.description, about: route))
            }
        }
        guard let url else { throw Failure.errors(problems, status: Failure.negative) }
        let answer: JSONObject = ["url": url, "route": identifier, "pattern": route.pattern]
        try format.write(json: answer.line) { _ in url + "\n" }
    }

    /// The values by name; all names that the route does not know are reported.
    private func named(for route: Route, problems: inout [Diagnostic]) -> [String: String] {
        let known = route.fullPattern.valueNames
        var result: [String: String] = [:]
        for (index, value) in values.enumerated() {
            if let place = value.firstIndex(of: "="), !value.hasPrefix("=") {
                let name = String(value[..<place])
                result[name] = String(value[value.index(after: place)...])
                // One that has a default only is read when the URL is made.
                let isKnown = known.contains(name) || route.defaults[name] != nil
                if isKnown || table.options.ignoresUnknownParameters { continue }
                let meant = Suggestion.meant(by: name, among: known)
                let message = RouteGenerationError.unknownParameter(name).description
                problems.append(RouteTableFile.diagnostic(message, about: route, suggestion: meant))
            } else if index < known.count {
                result[known[index]] = value
            } else {
                let message = "\(CheckReport.counted(known.count, "parameter")), but \(values.count) values"
                problems.append(RouteTableFile.diagnostic(message, about: route))
                break
            }
        }
        return result
    }
}
#endif
