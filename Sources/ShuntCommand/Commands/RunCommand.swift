#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Decides about requests, one a line.",
        usage: "shunt run --rules <rules> [options] < <requests>",
        discussion: """
            Reads requests from standard input, one a line, and writes one decision a line, in the same order. Any \
            number of lines is fine: they are not kept. A line is a URL:

                kl://Pay/checkout?id=1
                https://example.com/old/page.html

            or a JSON object with "url", or with "target" (as in the first line of an HTTP request) and "host":

                {"url": "kl://Pay/checkout", "input": {"app_version": "3.1.0"}}
                {"target": "/old/page.html", "host": "example.com", "method": "POST"}

            It may have "method", "headers" (an object, or an array of pairs), "input" (an object with the variables that the rules take \
            from the caller), "remote_addr", "listen" (the address and port it arrived at), "time" (ISO 8601), and "latin1": true if each \
            character of its strings is one byte. Other members are copied. A line of the access log of `shunt serve` is read as the \
            request that it records.

            With --format json a decision is an object with "request" and "decision" (forward, redirect, degrade, respond, block or fail) \
            and, where they apply, "status", "url", "uri", "args", "body", "headers", "server", "location", "rule" (file, line and \
            column), "route", "parameters" and "reason". "headers" are the pairs that rules add, for forward to an answer that succeeds. \
            "latin1" lists the members that are not UTF-8: each of their characters is one byte.

            A line that cannot be understood, such as an empty one, results in a fail and does not stop the run; the exit status is 1 \
            then.

            Examples:
                shunt run --rules rules < urls.txt
                shunt run --rules rules --format json < urls.txt | jq .url
            """
    )

    @OptionGroup var rules: RulesOptions

    @OptionGroup var time: TimeOptions

    @Option(help: "The format of decisions: text or json.")
    var format: OutputFormat = .text

    func run() throws {
        let engine = try rules.engine()
        let output = OutputStream(STDOUT_FILENO)
        var printer = DecisionPrinter(format: format, output: output, engine: engine, time: try time.time())
        var progress = Progress(output: output)
        var isFirst = true
        func decide(_ line: LineReader.Line) throws {
            try printer.decide(isFirst ? Self.withoutByteOrderMark(line) : line)
            isFirst = false
            progress.step()
        }
        try LineReader.readInput(writingTo: output, finish: { progress.finish() }, decide)
        if printer.hasFailed { throw Failure.negative }
    }

    private static func withoutByteOrderMark(_ line: LineReader.Line) -> LineReader.Line {
        guard case .whole(let bytes) = line, bytes.starts(with: [0xef, 0xbb, 0xbf]) else { return line }
        return .whole(Array(bytes.dropFirst(3)))
    }
}

struct DecisionPrinter {
    private let format: OutputFormat
    private let output: OutputStream
    private let text: DecisionText
    private let engine: Engine
    /// The time of requests that have none; nil is now.
    private let time: Timestamp?
    private var unknownInputs: UnknownInputs
    private(set) var hasFailed = false

    init(format: OutputFormat, output: OutputStream, engine: Engine, time: Timestamp?) {
        self.format = format
        self.output = output
        self.engine = engine
        self.time = time
        unknownInputs = UnknownInputs(engine.ruleSet)
        text = DecisionText(style: Style(usesColor: format == .text && output.wantsColor))
    }

    mutating func decide(_ line: LineReader.Line) throws(OutputError) {
        switch line {
        case .tooLong(let start):
            let reason = "the line is longer than \(RequestRecord.limit) bytes; this is its start"
            try write(Self.failure(reason), line: start, request: nil)
        case .whole(let bytes):
            let description: RequestDescription
            do throws(RequestError) {
                description = try RequestRecord.description(bytes)
            } catch {
                return try write(Self.failure(error.description), line: bytes, request: nil)
            }
            var request = description.request
            unknownInputs.warn(of: request.inputs.bytes)
            if request.time == nil { request.time = time }
            try write(decide(request, description.fileSystem), line: bytes, request: request)
        }
    }

    /// Decides about a request; of files there are only those that it names, if it names any.
    private func decide(_ request: RuleRequest, _ files: InMemoryFileSystem?) -> Decision {
        guard let files else { return engine.decide(request) }
        var options = Engine.Options()
        options.fileSystem = files
        return Engine(engine.ruleSet, options: options).decide(request)
    }

    private static func failure(_ reason: String) -> Decision {
        Decision(.fail(Decision.Failure(status: 400, reason: reason)))
    }

    /// Writes what was decided about a line; there is no request where the line could not be understood.
    private mutating func write(_ decision: Decision, line: [UInt8], request: RuleRequest?) throws(OutputError) {
        if decision.kind == .fail { hasFailed = true }
        switch format {
        case .text:
            let subject = request.map { RequestText.shown($0) } ?? RequestText.shown(line)
            let asked = request.map(RequestText.subject) ?? line
            try output.write(text.line(decision, subject: subject, asked: asked) + "\n")
        case .json:
            let isObject = request != nil && RequestRecord.isObject(line)
            try output.write(DecisionJSON.object(decision, request: line, isObject: isObject).line)
        }
    }
}
#endif
