#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntAppLinks

struct AppLinksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-links",
        abstract: "Checks, explains and writes apple-app-site-association and assetlinks.json.",
        subcommands: [AppLinksCheckCommand.self, AppLinksExplainCommand.self, AppLinksWriteCommand.self]
    )
}

struct AppLinksCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports everything that is wrong with association files.",
        discussion: """
            A file that is a list, or has this name, is Google's assetlinks.json, any other is Apple's apple-app-site-association.

            The exit status is 0 when there are at most warnings, 1 when there is an error or a file cannot be read, 2 \
            when the command line is wrong.

            Example:
                shunt app-links check .well-known/apple-app-site-association .well-known/assetlinks.json
            """
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    func run() throws {
        let diagnostics = files.flatMap { AppLinkFile($0).problems }
        let output = OutputStream(STDOUT_FILENO)
        try output.write(DiagnosticRenderer(usesColor: output.wantsColor).render(diagnostics))
        let errors = diagnostics.count { $0.severity == .error }
        let counts = [
            CheckReport.counted(files.count, "file"), CheckReport.counted(errors, "error"),
            CheckReport.counted(diagnostics.count - errors, "warning"),
        ]
        try output.write(counts.joined(separator: ", ") + "\n")
        try output.flush()
        if errors > 0 { throw Failure.negative }
    }
}

struct AppLinksExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows which apps open URLs, and which component of a file decided.",
        discussion: """
            Each line is one URL and one app. The host is not checked, since a file does not contain it; the place of the file, and the \
            app, decide which host an app belongs to. An app without components in assetlinks.json decides itself, by its intent filters. \
            Mistakes that devices ignore, such as a wrong identifier of another app, are reported and make no difference.

            The exit status is 0 when every URL opens an app, 1 when one does not, 2 when the command line is wrong, 3 \
            when the file cannot be used.

            Example:
                shunt app-links explain apple-app-site-association https://example.com/item/7
            """
    )

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Argument(help: "The URLs.")
    var urls: [String]

    func run() throws {
        let output = OutputStream(STDOUT_FILENO)
        let file = AppLinkFile(file, isTolerant: true)
        let errors = file.problems.filter { $0.severity == .error }
        Failure.report(errors)
        if case .wrong = file { throw Failure.unanswered }
        var isNegative = false
        for url in urls {
            do throws(URLSyntaxError) {
                let answers = try file.explain(url)
                for answer in answers { try? output.write("\(url): \(Self.text(answer))\n") }
                if answers.isEmpty { try? output.write("\(url): no app\n") }
                if !answers.contains(where: { $0.outcome == .opens || $0.outcome == .leftToApp }) { isNegative = true }
            } catch {
                try? output.write("\(url): \(error)\n")
                isNegative = true
            }
        }
        try output.flush()
        if isNegative { throw Failure.negative }
    }

    private static func text(_ answer: AppLinkAnswer) -> String {
        let place = answer.component.map { component in
            component.location.map { "\($0) \(component.text)" } ?? component.text
        }
        switch answer.outcome {
        case .opens: return "opens \(answer.app), by \(place ?? "")"
        case .excluded: return "does not open \(answer.app), by \(place ?? "")"
        case .unmatched: return "does not open \(answer.app), since no component takes it"
        case .leftToApp: return "opens \(answer.app) if its intent filters take it"
        @unknown default: return answer.app
        }
    }
}

struct AppLinksWriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Writes an association file for routes.",
        discussion: """
            A table is what `shunt routes --table` takes: a list of addresses in JSON, a catalogue of modules, of \
            which the addresses count that are exposed to links, or rule files. Routes of other schemes and hosts are left out. With --app the file is Apple's, with \
            --package Google's.

            Wildcards of these files take slashes, so routes with parameters get components that exclude longer paths. What cannot be \
            expressed in this way, such as the type of a parameter, is an error, or a warning with --wider.

            The exit status is 0 when the file was written, 1 when a route cannot be expressed or an identifier is invalid, 2 when the \
            command line is wrong, 3 when the table cannot be used.

            Example:
                shunt app-links write --table catalog.json --host example.com --app ABCDE12345.com.example.app
            """
    )

    @Option(help: "A JSON list of addresses, a catalogue, a rule file, or a directory of them.", completion: .file())
    var table: String

    @Option(help: "The website that the file is for.")
    var host: String

    @Option(help: .value("prefix.bundle", "The identifier of an iOS app; repeatable."))
    var app: [String] = []

    @Option(help: .value("name", "The package of an Android app."))
    var package: String?

    @Option(help: .value("pairs", "A SHA-256 fingerprint of its certificate; repeatable."))
    var fingerprint: [String] = []

    @Flag(help: "Write routes that cannot be expressed exactly with wildcards that match more.")
    var wider = false

    func validate() throws {
        if app.isEmpty == (package == nil) { throw ValidationError("Use either --app or --package.") }
        if (package == nil) != fingerprint.isEmpty {
            throw ValidationError("Use --fingerprint with --package, and only with it.")
        }
        let isHost = host.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
        if host.isEmpty || !isHost {
            throw ValidationError(
                "--host is the name of a website, without scheme, port and path, such as example.com."
            )
        }
    }

    func run() throws {
        let file = RouteTableFile(table, options: RoutingOptions(), exposedTo: "links")
        guard let table = file.table else { throw Failure.errors(file.diagnostics) }
        let routes = AppLinkRoute.all(of: table)
        let conditional = routes.filter { file.conditions[$0.name] != nil }
            .map { route in
                let isWider = wider || file.conditions[route.name]?.allSatisfy(\.isOfPattern) == true
                let message = "\"\(route.pattern.text)\" has conditions that this file is not written with"
                return Diagnostic(isWider ? .warning(.pattern) : .error(.pattern), message, at: route.location)
            }
        Failure.report(conditional)
        if conditional.contains(where: { $0.severity == .error }) { throw Failure.negative }
        let (json, warnings): ([UInt8], [Diagnostic])
        do throws(AppLinksError) {
            let wider: WiderPatterns = wider ? .written : .refused
            if let package {
                let file = try AssetLinks(
                    routes: routes,
                    package: package,
                    fingerprints: Self.once(fingerprint),
                    host: host,
                    wider: wider
                )
                (json, warnings) = (file.json(), file.warnings)
            } else {
                let file = try AppSiteAssociation(routes: routes, apps: Self.once(app), host: host, wider: wider)
                (json, warnings) = (file.json(), file.warnings)
            }
        } catch {
            throw Failure.errors(error.diagnostics, status: Failure.negative)
        }
        Failure.report(warnings)
        try OutputStream.standard { try $0.write(String(decoding: json, as: UTF8.self)) }
    }

    private static func once(_ texts: [String]) -> [String] {
        var seen = Set<String>()
        return texts.filter { seen.insert($0).inserted }
    }
}
#endif
