#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

struct FormatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "format",
        abstract: "Formats rule files, and changes nothing but white space.",
        usage: """
            shunt format <path> ... [options]
            shunt format --stdin [--name <file>] [options] < <file>
            """,
        discussion: """
            Each path is one file, such as an nginx.conf, or a directory: its rule files and what they include from it. They \
            are written in place; a file is replaced in one step, with its permissions. Lists of hosts are not touched.

            Words, quotes, backslashes and comments stay unchanged: what was read is compared with what would be written, and a file in \
            which they differ is left alone. So is a file with errors in its words or blocks.

            Blocks are indented by four spaces, one directive a line. A block that was on one line and has one directive stays there, and \
            so does the block of an "expect". If words of neighbouring lines of the same directive, or of the entries of a map, are two \
            columns apart or more, they are the columns of a table and are aligned. At most one empty line stays.

            With --check nothing is written, and files that would be are named. With --diff the changes are shown, too.

            With --format json the report is one object with "schema", "files" (each with "file", "changed", and for a file with \
            errors "diagnostics"), "changed" and "failed". With --format github a file that is not formatted is an annotation.

            With --fix-list each file is a list of redirects, as \"redirects\" reads it with the --list-options: rows that cannot be used \
            are removed, rows of chains get the last target where clients get the same, and each change is reported.

            The exit status is 1 when --check or --diff finds a file that would change, and 3 when a file cannot be formatted.

            Examples:
                shunt format rules
                shunt format --check --diff rules /etc/nginx/nginx.conf
                shunt format --stdin --name rules/10-hosts.conf < rules/10-hosts.conf
            """
    )

    @Argument(help: "Directories of rule files, rule files, or an nginx.conf.", completion: .file())
    var path: [String] = []

    @Flag(help: "Write nothing; name the files that would change.")
    var check = false

    @Flag(help: "Write nothing; show what would change.")
    var diff = false

    @Flag(help: "Take the files for lists of redirects: remove the rows that cannot be used, and shorten chains.")
    var fixList = false

    @Option(
        help: .value(
            "options",
            "The options of the list, as after its file in the rules: with others its rows mean other things."
        )
    )
    var listOptions = ""

    @Flag(help: "Format standard input and write it to standard output.")
    var stdin = false

    @Option(help: .value("file", "The name of standard input in messages."))
    var name = "standard input"

    @Option(help: .value("n|tab", "The indentation of a block: a number of spaces, or tab."))
    var indent = FormatIndentation(value: .spaces(4))

    @Option(help: .value("n", "The width up to which a block may stay on one line."))
    var width = 120

    @Option(help: "The format of the report: text, json or github.")
    var format: FormatReport.Form = .text

    func validate() throws {
        if stdin, !path.isEmpty { throw ValidationError("--stdin takes no path.") }
        if !stdin, path.isEmpty { throw ValidationError("Name a file or a directory, or use --stdin.") }
        if stdin, !check, !diff, format != .text {
            throw ValidationError("--format with --stdin needs --check or --diff.")
        }
        _ = try RedirectListOptions(option: listOptions)
        if !(1...10_000).contains(width) { throw ValidationError("--width is a number from 1 to 10000.") }
    }

    func run() throws {
        let redirectOptions = try RedirectListOptions(option: listOptions)
        let ruleFormat = RuleFormat(indentation: indent.value, width: width)
        let output = OutputStream(STDOUT_FILENO)
        var report = FormatReport(form: format, showsDifference: diff, usesColor: output.wantsColor)
        let isReadOnly = check || diff
        if stdin {
            let source = FormatSource(name: name, bytes: try Self.standardInput())
            let formatted = report.format(source, in: ruleFormat)
            if let formatted, !isReadOnly { try output.write(formatted) }
        } else {
            for path in path {
                do throws(FileError) {
                    for source in try FormatSource.files(at: path) {
                        let formatted: [UInt8]?
                        if fixList {
                            let fix = RedirectListFix(source, redirectOptions)
                            for change in fix.changes { try? output.write(Array("\(ShownBytes.text(change))\n".utf8)) }
                            report.add(source, fix.bytes)
                            formatted = fix.bytes
                        } else {
                            formatted = report.format(source, in: ruleFormat)
                        }
                        guard let formatted, !isReadOnly else { continue }
                        guard formatted != source.bytes else { continue }
                        // One file that cannot be written keeps no other from being formatted.
                        do throws(FileError) {
                            try FileReplacement.replace(source.name, with: formatted)
                        } catch {
                            report.fail(source.name, because: error)
                        }
                    }
                } catch {
                    report.fail(path, because: error)
                }
            }
        }
        if !stdin || isReadOnly { try output.write(report.text) }
        try output.flush()
        Failure.report(report.errors(usesColor: OutputStream(STDERR_FILENO).wantsColor))
        if report.failed > 0 { throw Failure.unanswered }
        if isReadOnly, report.changed > 0 { throw Failure.negative }
    }

    private static func standardInput() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= FormatSource.limit {
            let count = read(STDIN_FILENO, &part, part.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure.error("cannot read the input: \(SystemError.text(errno))")
            }
            bytes += part[..<count]
        }
        throw Failure.error("the input is larger than \(FormatSource.limit) bytes")
    }
}

/// The value of `--indent`.
struct FormatIndentation: ExpressibleByArgument, CustomStringConvertible {
    var value: RuleFormat.Indentation

    init(value: RuleFormat.Indentation) { self.value = value }

    init?(argument: String) {
        if argument == "tab" {
            value = .tab
        } else if let count = Int(argument), (1...16).contains(count) {
            value = .spaces(count)
        } else {
            return nil
        }
    }

    var description: String {
        switch value {
        case .spaces(let count): "\(count)"
        case .tab: "tab"
        }
    }
}
#endif
