#if Command
import ArgumentParser
import Shunt
import ShuntTools

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows, rule by rule, how one request is decided.",
        usage: "shunt explain --rules <rules> <url> [options]",
        discussion: """
            Each rule that is tried is shown with its verdict (matched, skipped, ended or decided), its place, the values it saw, what it \
            captured, and what it changed.

            With --format json the output is one object: "decision", as `shunt run` writes it, and "trace", an array \
            of steps with "kind" and "text" and, where they apply, "result", "subject", "captures", "before", "after" \
            and "rule".

            Examples:
                shunt explain --rules rules 'kl://Pay/checkout?id=1'
                shunt explain --rules rules kl://Pay --input app_version=3.1.0
                shunt explain --rules rules /old --host example.com --method POST
                shunt explain --rules rules kl://Pay --why-not 40-legacy.conf:7
                shunt explain --rules rules kl://Pay --until 2027-01-01
                shunt explain --rules rules --to https://www.example.com/store
            """
    )

    @OptionGroup var rules: RulesOptions

    @Argument(help: "A URL, or the target of an HTTP request, such as /a/b?c=d; none with --to.")
    var url: String?

    @Option(help: .value("name=value", "A variable that the rules read from the caller; repeatable."))
    var input: [String] = []

    @Option(help: .value("name: value", "A header of the request; repeatable."))
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

    @Option(
        help: .value(
            "file:line",
            "Show why the rules at this place do not apply, and which similar request they would apply to."
        ),
        transform: RulePlace.read
    )
    var whyNot: RulePlace?

    @Option(help: .value("time", "Show how the outcome changes with the time, up to this day."))
    var until: String?

    @Option(
        help: .value(
            "target",
            "Show which rules can send a request to this URL, or to this path of any host, each with a request."
        )
    )
    var to: String?

    @Option(help: "The format of the trace: text or json.")
    var format: OutputFormat = .text

    private func isTarget(_ url: String) -> Bool { url.hasPrefix("/") || url == "*" || host != nil }

    func validate() throws {
        guard url != nil || to != nil else {
            throw ValidationError("Missing expected argument '<url>'; only --to works without one.")
        }
        if to != nil, url != nil || whyNot != nil || until != nil {
            throw ValidationError("--to concerns all requests: it cannot be combined with a URL, --why-not or --until.")
        }
        if let url { _ = try request(url) }
        if whyNot != nil, until != nil { throw ValidationError("--why-not and --until cannot be combined.") }
        if let end = try end() {
            let start = try time.time() ?? .now()
            let longest = OutcomeTimeline.longestDays
            guard end > start, end.seconds - start.seconds <= Int64(longest) * 86_400 else {
                throw ValidationError("--until is a time at most \(longest) days after now, or after --at.")
            }
        }
    }

    private func end() throws -> Timestamp? {
        try TimeOptions.time(until.map { $0.contains("T") ? $0 : $0 + "T00:00:00Z" }, of: "--until")
    }

    private func request(_ url: String) throws -> RuleRequest {
        var request = isTarget(url) ? RuleRequest(target: url, host: host) : RuleRequest(written: Array(url.utf8))
        request.method = method
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
        do throws(RequestError) {
            if let remoteAddr { request.remoteAddress = try RequestFields.remoteAddress(remoteAddr) }
            if let listen { request.listen = try RequestFields.endpoint(listen) }
            try RequestFields.checkHost(of: request)
        } catch {
            throw ValidationError("\(error).")
        }
        return request
    }

    func run() throws {
        let engine = try rules.engine()
        if let to { return try tell(sourcesOf: to, engine.ruleSet) }
        guard let url else { return }
        let request = try request(url)
        var unknownInputs = UnknownInputs(engine.ruleSet)
        unknownInputs.warn(of: request.inputs.bytes)
        if let whyNot { return try answer(whyNot, request: request, ruleSet: engine.ruleSet) }
        if let end = try end() { return try tell(until: end, request) }
        let (decision, trace) = engine.explain(request)
        try format.write(json: TraceJSON.object(trace, decision, request: Array(url.utf8)).line) { style in
            let heading = RequestText.shown(request, showsUsualMethod: true)
            return TraceText(style: style).render(trace, decision, heading: heading)
        }
        if decision.kind == .fail { throw Failure.negative }
    }

    private func answer(_ place: RulePlace, request: RuleRequest, ruleSet: RuleSet) throws {
        var request = request
        let moment = try time.time() ?? .now()
        if request.time == nil { request.time = moment }
        let answers = WhyNot.answers(for: ruleSet, request, asOf: moment) { place.isOf($0) }
        if answers.isEmpty {
            throw Failure.error("there is no rule at \(place); `shunt list` shows the places of all rules")
        }
        try format.write(json: WhyNotReport.json(answers)) { WhyNotReport.text(answers, request, style: $0) }
    }

    private func tell(sourcesOf target: String, _ ruleSet: RuleSet) throws {
        let found = TargetSources(of: target, in: ruleSet, asOf: try time.time() ?? .now())
        try format.write(json: TargetSourceReport.json(found)) { TargetSourceReport.text(found, target, style: $0) }
        if found.sources.isEmpty { throw Failure.negative }
    }

    private func tell(until end: Timestamp, _ request: RuleRequest) throws {
        let loaded: LoadedRules
        do {
            loaded = try rules.loading.capture(rules.rules)
        } catch {
            throw Failure.error("\(error)")
        }
        let start = try time.time() ?? .now()
        let timeline = OutcomeTimeline(of: request, by: loaded, from: start, until: end)
        try format.write(json: OutcomeList.json(timeline)) { _ in OutcomeList.text(timeline) }
    }

    /// Returns the parts before and after the first separator; no value without one.
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
