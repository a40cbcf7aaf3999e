#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntAnalysis

/// `shunt explain`: shows how one decision comes about.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows, rule by rule, how one request is decided.",
        usage: "shunt explain --rules <rules> <url> [options]",
        discussion: """
            Each rule that is looked at is shown with its verdict (matched, skipped, ended or decided), its place, the \
            values it saw, what it captured, and what it changed.

            With --format json the output is one object: "decision", as `shunt run` writes it, and "trace", an array \
            of steps with "kind" and "text" and, where they apply, "result", "subject", "captures", "before", "after" \
            and "rule".

            Examples:
                shunt explain --rules rules 'kl://Pay/checkout?id=1'
                shunt explain --rules rules kl://Pay --input app_version=3.1.0
                shunt explain --rules rules /old --host example.com --method POST
            """
    )

    @OptionGroup var rules: RulesOptions

    @Argument(help: "A URL, or the target of an HTTP request, such as /a/b?c=d.")
    var url: String

    @Option(help: ArgumentHelp("A variable that the rules take from the caller; repeatable.", valueName: "name=value"))
    var input: [String] = []

    @Option(help: ArgumentHelp("A header of the request; repeatable.", valueName: "name: value"))
    var header: [String] = []

    @Option(help: "The method of the request.")
    var method = "GET"

    @OptionGroup var time: TimeOptions

    @Option(help: "The address of the client.")
    var remoteAddr: String?

    @Option(help: "The Host header of the request, for a URL that is the target of an HTTP request.")
    var host: String?

    @Option(help: "The address and port that the request arrived at, such as 127.0.0.1:8080.")
    var listen: String?

    @Option(help: "How to write the trace: text or json.")
    var format: OutputFormat = .text

    /// Whether the URL is the target of an HTTP request.
    private var isTarget: Bool { url.hasPrefix("/") || url == "*" || host != nil }

    func validate() throws {
        _ = try request()
    }

    private func request() throws -> RuleRequest {
        var request = isTarget ? RuleRequest(target: url, host: host) : RuleRequest(url: url)
        request.method = Array(method.utf8)
        for input in input {
            let (name, value) = Self.split(input, at: "=")
            guard let value, !name.isEmpty else {
                throw ValidationError("An input is written name=value, not '\(input)'.")
            }
            request.inputs[Self.variable(name)] = value
        }
        for header in header {
            let (name, value) = Self.split(header, at: ":")
            guard let value, !name.isEmpty else {
                throw ValidationError("A header is written 'name: value', not '\(header)'.")
            }
            let start = value.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? value.endIndex
            request.headers.append(RuleRequest.Header(name: Array(name.utf8), value: Array(value[start...])))
        }
        request.time = try time.time()
        do throws(RequestProblem) {
            if let remoteAddr { request.remoteAddress = try RequestFields.remoteAddress(remoteAddr) }
            if let listen { request.listen = try RequestFields.endpoint(listen) }
            try RequestFields.checkHost(of: request)
        } catch {
            throw ValidationError("\(error).")
        }
        return request
    }

    func run() throws {
        let request = try request()
        let engine = try rules.engine()
        var unknownInputs = UnknownInputs(engine.ruleSet)
        unknownInputs.warn(of: request.inputs.bytes)
        let (decision, trace) = engine.explain(request)
        let output = OutputStream(STDOUT_FILENO)
        switch format {
        case .text:
            let text = TraceText(style: Style(usesColor: output.wantsColor))
            let heading = RequestText.shown(request, showsUsualMethod: true)
            try output.write(text.render(trace, decision, heading: heading))
        case .json: try output.write(TraceJSON.bytes(trace, decision, request: url))
        }
        try output.flush()
        if decision.kind == .fail { throw Failure.negative }
    }

    /// What stands before and behind the first separator; no value where there is none.
    private static func split(_ text: String, at separator: Unicode.Scalar) -> (name: String, value: [UInt8]?) {
        guard let place = text.unicodeScalars.firstIndex(of: separator) else { return (text, nil) }
        return (String(text[..<place]), Array(text.utf8[text.unicodeScalars.index(after: place)...]))
    }

    /// The name of a variable, which may be written with its dollar sign.
    private static func variable(_ name: String) -> String {
        name.hasPrefix("$") ? String(name.dropFirst()) : name
    }
}
#endif
