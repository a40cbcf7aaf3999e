#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes rules that do what the configuration of another server does.",
        usage: "shunt import <from> <file> ... [options]",
        discussion: """
            apache reads .htaccess files, the outermost one for the folder of the site and others for folders below it, and the configuration of \
            a server.

            haproxy reads the frontends of a haproxy.cfg, and the servers of its backends; caddy reads the sites of a Caddyfile, in the \
            order in which Caddy runs their directives; iis reads the rules of URL Rewrite in a web.config; redirects reads a list as \
            "redirects" does, with the --list-options, and writes a rule for each row.

            Rules keep the order and the comments of the file, and name the lines that they are from. A directive that has no exact \
            counterpart is a comment at its place, and is reported. Modules that <IfModule> names are taken to be there. Directives that \
            decide nothing about a request, such as AddType, are named at the end.

            With --verify a server and the rules get the same requests: examples of every rule, requests that it just does not match, \
            and the requests of --log. Apache is started on loopback with the .htaccess files in a separate folder; with --against a \
            running server gets them. Status, Location and, from an Apache that was started, the path after all rewriting are compared; \
            URLs are compared decoded.

            With --format json the report is one object with "schema", "rules" (the text), "read", "imported" and "notes" \
            (each with "file", "line", "text", "reason" and "kind"); with --verify also "verification".

            The exit status is 0 when everything was imported, 1 when something was left out or differs or the rules are not valid, and 3 when a file cannot be read.

            Examples:
                shunt import apache .htaccess > rules/site.conf
                shunt import apache .htaccess --root /srv/www --output rules/site.conf
                shunt import apache .htaccess --output rules/site.conf --verify --log access.log
                shunt import haproxy /etc/haproxy/haproxy.cfg --output rules/site.conf
                shunt import caddy /etc/caddy/Caddyfile --output rules/site.conf --verify
            """
    )

    enum Origin: String, ExpressibleByArgument, CaseIterable {
        case apache, caddy, haproxy, iis, redirects
    }

    @Argument(help: "The server whose configuration it is: apache, caddy, haproxy or iis; or redirects.")
    var from: Origin

    @Argument(help: "The files.", completion: .file())
    var file: [String]

    @Option(help: "The file for the rules; standard output without it.", completion: .file())
    var output: String?

    @Option(help: "The folder of the site, in which tests for files look.", completion: .directory)
    var root = "/var/www/html"

    @Option(help: .value("options", "The options of a list of redirects, as after its file in the rules."))
    var listOptions = ""

    @Option(help: "The format of the result: text, which is the rules, or json.")
    var format: OutputFormat = .text

    @Flag(help: "Start the server, send it the requests that the rules get, and report differences.")
    var verify = false

    @Option(help: .value("url", "Compare with the server at this address, such as http://127.0.0.1:8080."))
    var against: String?

    @Option(help: "A log, or lines of requests, to compare, too.", completion: .file())
    var log: String?

    func validate() throws {
        if log != nil, !verify, against == nil { throw ValidationError("--log needs --verify or --against.") }
        let isStarted =
            switch from {
            case .apache: file.allSatisfy { folder(of: $0) != nil }
            case .caddy, .haproxy: true
            case .iis, .redirects: false
            }
        if verify, against == nil, !isStarted {
            throw ValidationError(
                "--verify starts Apache for .htaccess files, Caddy and HAProxy; use --against with a running server."
            )
        }
        if !listOptions.isEmpty, from != .redirects { throw ValidationError("--list-options needs redirects.") }
        _ = try RedirectListOptions(option: listOptions)
        _ = try against.map(ServerAddress.init)
        guard from != .apache || file.allSatisfy({ folder(of: $0) == nil || Self.folder($0).hasPrefix(outermost) })
        else {
            throw ValidationError("The .htaccess files are in folders of different sites; import each site separately.")
        }
    }

    func run() throws {
        let imported = try imported()
        if let output { try OutputFile.write(Array(imported.text.utf8), to: output) }
        var problem: RuleSetError?
        do throws(RuleSetError) {
            _ = try RuleSet(text: imported.text)
        } catch {
            problem = error
        }
        let verification = problem == nil ? try verification() : nil
        let stream = OutputStream(STDOUT_FILENO)
        if format == .json {
            let object = imported.json
            try stream.write((verification.map { object.adding(["verification": $0.json]) } ?? object).line)
        } else if output == nil {
            try stream.write(imported.text)
        }
        try stream.flush()
        report(imported)
        if let verification { Failure.report(verification.text) }
        if verification?.requestCount == 0 {
            throw Failure.error("there was no request to compare, or no answer to one")
        }
        if let problem {
            Failure.report("shunt: error: the rules are not valid")
            Failure.report(DiagnosticRenderer(usesColor: false).render(problem.diagnostics))
            throw Failure.negative
        }
        if imported.notes.contains(where: { $0.kind != .remark }) || (verification?.differenceCount ?? 0) > 0 {
            throw Failure.negative
        }
    }

    private func verification() throws -> ImportVerification? {
        guard verify || against != nil else { return nil }
        do {
            if let against = try against.map(ServerAddress.init) {
                var verification = try ImportVerification(try imported()) { request, _ in try against.answer(request) }
                verification.escapesTwice = from == .apache
                try ask(&verification, files: [])
                return verification
            }
            let first = try imported()
            if from != .apache {
                let server: any ImportServer =
                    from == .caddy ? try CaddyServer(file[0]) : try HAProxyServer(try text(of: file[0]))
                var verification = try ImportVerification(first) { try server.answer($0, files: $1.files) }
                verification.asksEveryPlace = true
                try ask(&verification, files: server.files)
                return verification
            }
            let files = try file.map { (folder(of: $0) ?? "/", try text(of: $0)) }
            let server = try ApacheServer(files, servesFiles: first.text.contains("    root "))
            let rules = try imported(root: server.root)
            var verification = try ImportVerification(rules) { try server.answer($0, files: $1.files) }
            verification.root = server.root
            verification.escapesTwice = true
            try ask(&verification, files: rules.targets.map { server.root + $0 })
            return verification
        } catch let error where !(error is ExitCode) {
            throw Failure.error("\(error)")
        }
    }

    private func ask(_ verification: inout ImportVerification, files: [String]) throws {
        try verification.askExamples(files: files)
        guard let log else { return }
        for request in try RequestFile.readDescriptions(log) {
            try verification.ask(request, files: files, about: nil)
        }
    }

    private func imported(root: String? = nil) throws -> ImportedRules {
        if from != .apache {
            guard file.count == 1 else { throw ValidationError("One file is read at a time, except of apache.") }
            let text = try text(of: file[0])
            switch from {
            case .apache, .haproxy:
                guard HAProxyImport.hasSections(text) else {
                    throw Failure.error("\(file[0]) has no section of HAProxy, such as \"frontend\"")
                }
                return HAProxyImport.rules(named: file[0], text: text, file: Self.content)
            case .caddy:
                let folder = Self.folder(file[0])
                return try reported { () throws(ImportError) in
                    try CaddyImport.rules(named: file[0], text: text) { path in
                        Self.content(of: path.hasPrefix("/") ? path : folder + path)
                    }
                }
            case .redirects:
                let bytes = try InputFile.content(file[0], limit: 1 << 26)
                let options = try RedirectListOptions(option: listOptions)
                return try reported { () throws(ImportError) in
                    try ListImport.rules(named: file[0], bytes: bytes, options: options)
                }
            case .iis:
                return try reported { () throws(ImportError) in
                    try IISImport.rules(named: file[0], text: text, root: self.root)
                }
            }
        }
        let sources = try file.map { path in
            ApacheImport.Source(name: path, text: try text(of: path), folder: folder(of: path))
        }
        return try reported { () throws(ImportError) in
            try ApacheImport.rules(from: sources, root: root ?? self.root) { path in
                Self.content(of: path) ?? Self.content(of: Self.folder(file[0]) + Self.name(of: path))
            }
        }
    }

    private func reported(_ read: () throws(ImportError) -> ImportedRules) throws -> ImportedRules {
        do throws(ImportError) {
            return try read()
        } catch {
            Failure.report("\(ShownBytes.text(error.file)):\(error.line): error: \(error)")
            throw Failure.unanswered
        }
    }

    /// A file that the configuration names; one that a link leads to is not read.
    private static func content(of path: String) -> String? {
        (try? LocalFileSystem().read(path, limit: 1 << 26)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func text(of path: String) throws -> String {
        String(decoding: try InputFile.content(path, limit: 1 << 26), as: UTF8.self)
    }

    /// The folder of an `.htaccess` below that of the first one, as a path; nil for the configuration of a server.
    private func folder(of path: String) -> String? {
        guard Self.name(of: path).hasSuffix("htaccess") || Self.name(of: path).contains(".htaccess") else { return nil }
        return "/" + Self.folder(path).dropFirst(outermost.count)
    }

    /// The folder of the site, in which those of all `.htaccess` files are.
    private var outermost: String {
        file.filter { Self.name(of: $0).contains("htaccess") }.map(Self.folder).min { $0.count < $1.count } ?? ""
    }

    private static func name(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

    private static func folder(_ path: String) -> String { String(path.dropLast(name(of: path).count)) }

    private func report(_ imported: ImportedRules) {
        for note in imported.notes {
            Failure.report(
                "\(ShownBytes.text("\(note.file):\(note.line): \(note.kind.rawValue): \(note.text)")): \(note.reason)"
            )
        }
        Failure.report("\(imported.importedCount) of \(imported.count) rules imported")
    }
}
#endif
