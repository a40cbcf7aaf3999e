#if Command
import ArgumentParser
import Glibc
import Shunt
import ShuntTools

/// Requests of files and logs, which both rule sets decide.
struct TrafficOptions: ParsableArguments {
    @Option(help: "A file of requests, one a line; - is standard input. May be repeated.", completion: .file())
    var requests: [String] = []

    @Option(help: "A log of requests. May be repeated.", completion: .file())
    var log: [String] = []

    @Option(help: "The form of the logs: shunt, combined, common, vhost, har, or a format of nginx.")
    var logFormat = "shunt"
}

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Shows which requests a change of rules changes.",
        usage: "shunt diff <old> <new> [options]",
        discussion: """
            Each side is a rule set: a path, a revision of the git repository here, as git:REVISION[:PATH], or the rules in use of a \
            running gateway, as the address of its admin listener, http://ADDRESS:PORT. The report has three parts: the rules that were \
            edited, added, removed or put in another order; the requests of files and logs whose outcome differs; and requests that are \
            generated for each changed rule, some that it decides and some that it just does not, if their outcome differs. --no-witnesses \
            leaves the last part out.

            For an edited rule the report names the argument that differs. "proved: no request changes" means that its expression matches \
            the same as before, or that its flag does not matter.

            An outcome is what is done, the status, the URL, the route with its parameters, and the headers and body of an answer. The \
            rule that decides is not part of it; --show-same-outcome counts requests with the same outcome by another rule.

            Files of --requests have one request a line, as `shunt run` reads them; "weight" is the number of its occurrences. Logs \
            are read by --log-format: shunt (the gateway's), combined, common, vhost, har, or a format in the words of nginx's log_format. \
            Values that a log lacks have their defaults. Requests that look the same to both rule sets are decided once, so that logs \
            may be of any size.

            The exit status is 0 when no outcome changes, and 1 when one does; with --max-changed or --max-removed, 0 when the budgets are \
            kept, for which generated requests do not count; with --approved, 0 when the changes of the traffic are the approved ones, and the \
            budgets are kept. It is 1 also when there is no traffic, and neither generated requests nor a proof judge each change of the \
            rules and of their order, and with traffic when a setting changes that no outcome shows and no approval has. It is 3 when a \
            side does not load.

            Examples:
                shunt diff git:main:rules rules --log access.log --max-changed 0.1%
                shunt diff rules new-rules --requests urls.txt --format markdown
                shunt diff --history git:HEAD:rules https://example.com/old
            """
    )

    @Argument(help: "The current rules.", completion: .file())
    var old: String

    @Argument(help: "The changed rules.", completion: .file())
    var new: String

    @Flag(help: "Show since which revision of <old>, git:REVISION:PATH, the URL in the place of <new> has its outcome.")
    var history = false

    @OptionGroup var traffic: TrafficOptions

    @Option(help: "The Host of requests whose log has none.")
    var host: String?

    @OptionGroup var loading: LoadOptions

    @OptionGroup var time: TimeOptions

    @Option(help: "The group of changes: rule, change or host.", transform: Self.criterion)
    var group = ChangeGroup.Criterion.rule

    @Option(help: .value("n", "The number of requests of a group that are shown."))
    var examples = 3

    @Flag(help: "Generate no requests for the changed rules.")
    var noWitnesses = false

    @Flag(help: "Report what lint finds in the new rules and not in the old ones.")
    var lint = false

    @Flag(help: "Count the requests with the same outcome by another rule.")
    var showSameOutcome = false

    @Option(help: .value("n|n%", "The most requests that may change."), transform: BudgetArgument.budget)
    var maxChanged: ChangeLimit?

    @Option(help: .value("n|n%", "The most rules that may be removed."), transform: BudgetArgument.budget)
    var maxRemoved: ChangeLimit?

    @Option(help: "A file of changes that are meant; others, and missing ones, are the answer no.", completion: .file())
    var approved: String?

    @Option(help: "Write the changes to a file for --approved.", completion: .file())
    var writeApproved: String?

    @Option(help: "The format of the report: text, json, markdown or github.")
    var format: Form = .text

    enum Form: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown, github
    }

    private static func criterion(_ text: String) throws -> ChangeGroup.Criterion {
        try ChangeGroup.Criterion(rawValue: text).valid(or: "--group is rule, change or host.")
    }

    func validate() throws {
        if history {
            guard traffic.requests.isEmpty, traffic.log.isEmpty, approved == nil, writeApproved == nil else {
                throw ValidationError("--history is about one URL: leave out --requests, --log and --approved.")
            }
            guard format == .text || format == .json else { throw ValidationError("A history is text or json.") }
        }
        if examples < 0 { throw ValidationError("--examples must not be negative.") }
        if group != .rule, approved != nil || writeApproved != nil {
            throw ValidationError("Changes are approved by rule: leave --group out.")
        }
        if case .log(let format) = try RequestCorpus.Form(named: traffic.logFormat), !traffic.log.isEmpty, host == nil,
            !format.hasHost
        {
            throw ValidationError("The log does not contain the Host of its requests: name it with --host.")
        }
    }

    private func tellHistory() throws {
        let output = OutputStream(STDOUT_FILENO)
        do {
            let description = try RequestDescription(line: Array(new.utf8))
            var request = try RequestCorpus.withHost(description, host).request
            if request.time == nil { request.time = try time.time() ?? .now() }
            let history = try RuleHistory(old, request, load: loaded)
            if history.entries.isEmpty { throw Problem("\(old) has no revisions") }
            switch format {
            case .json: try output.write(history.json)
            default: try output.write(history.text)
            }
        } catch let problem as Problem {
            throw Failure.error("\(problem)")
        } catch let problem as RequestError {
            throw Failure.error("\(new): \(problem)")
        }
        try output.flush()
    }

    func run() throws {
        if history { return try tellHistory() }
        let before = try load(old)
        let after = try load(new)
        let output = OutputStream(STDOUT_FILENO)
        let moment = try time.time() ?? .now()
        var difference = RuleDifference(
            from: before.ruleSet,
            to: after.ruleSet,
            asOf: moment,
            comparingRules: showSameOutcome
        )
        var corpus = RequestCorpus(host: host)
        var progress = Progress(output: output)
        let form = try RequestCorpus.Form(named: traffic.logFormat)
        let files = traffic.requests.map { ($0, RequestCorpus.Form.lines) } + traffic.log.map { ($0, form) }
        for (path, form) in files {
            try corpus.read(path, form: form) { request in
                difference.compare(request)
                progress.step()
            }
        }
        progress.finish()
        for problem in corpus.problems { Failure.report("shunt: warning: \(problem)") }
        let structure = StructureDifference.between(before, after)
        var report = try report(difference, structure: structure, from: before, to: after)
        report.unreadable = corpus.unreadable
        report.edits = EditJudgement.judgements(of: structure, from: before, to: after)
        report.masked = difference.maskedRequests
        report.failed = difference.failed
        if difference.requests > 0 {
            report.unheard = difference.missingVariables.sorted()
                .compactMap { name in
                    let rules = VariableUse.rules(reading: name, in: after.archive)
                    return rules.isEmpty ? nil : DifferenceReport.UnheardVariable(name: name, rules: rules)
                }
        }
        if !noWitnesses { report.witnesses = witnesses(for: structure, before, after, asOf: moment) }
        if lint {
            let options = LintOptions(asOf: moment)
            report.findings = LintComparison(
                from: LintRun(before.ruleSet, options).findings,
                to: LintRun(after.ruleSet, options).findings
            )
        }
        switch format {
        case .text: try output.write(DifferenceText.text(report, usesColor: output.wantsColor))
        case .json: try output.write(DifferenceJSON.bytes(report))
        case .markdown: try output.write(DifferenceMarkdown.text(report))
        case .github: try output.write(DifferenceMarkdown.annotations(report))
        }
        try output.flush()
        if !report.isAccepted { throw Failure.negative }
        guard difference.requests == difference.failed, maxChanged != nil || approved != nil else { return }
        let source =
            difference.failed > 0
            ? "all requests fail with 400 on both sides"
            : corpus.unreadable > 0 ? "no line of the log is a request" : "no requests were given"
        let option = maxChanged == nil ? "--approved" : "--max-changed"
        throw Failure.error("\(source), and without any \(option) has no answer")
    }

    private func witnesses(
        for structure: RuleChanges,
        _ before: LoadedRules,
        _ after: LoadedRules,
        asOf moment: Timestamp
    ) -> DifferenceReport.Witnesses {
        let search = WitnessSearch(for: structure, from: before, to: after, asOf: moment)
        var difference = RuleDifference(from: before.ruleSet, to: after.ruleSet, asOf: moment)
        for request in search.requests { difference.compare(request) }
        // One change alone does all that differs.
        let isAlone =
            structure.reordered.isEmpty
            && structure.editedCount + structure.addedCount + structure.removedCount == 1
        return DifferenceReport.Witnesses(
            tried: difference.requests,
            changed: difference.changed,
            groups: difference.groups(by: group),
            unjudged: isAlone && difference.changed > 0 ? [] : search.unjudged,
            unshown: difference.changed == 0 ? search.unshown : []
        )
    }

    private func loaded(_ side: String) throws -> LoadedRules {
        try RuleSide(text: side).load(trusting: loading.trust, ignoringUnknown: loading.ignoreUnknown)
    }

    private func load(_ text: String) throws -> LoadedRules {
        do {
            return try loaded(text)
        } catch let error as RuleSetError {
            throw Failure.errors(error.diagnostics)
        } catch {
            throw Failure.error("\(error)")
        }
    }

    private func report(
        _ difference: RuleDifference,
        structure: RuleChanges,
        from before: LoadedRules,
        to after: LoadedRules
    ) throws -> DifferenceReport {
        let settings = UnseenSetting.all(in: structure, from: before, to: after)
        let unseen =
            difference.requests > 0 ? settings.filter { !$0.isListen || difference.changed == 0 } : []
        let groups = difference.groups(by: group)
        var budgets: [DifferenceReport.Budget] = []
        func add(_ option: String, _ budget: ChangeLimit?, count: Int, of all: Int) {
            if let budget { budgets.append(.init(option: option, budget: budget, count: count, all: all)) }
        }
        add("--max-changed", maxChanged, count: difference.changed, of: difference.requests)
        add("--max-removed", maxRemoved, count: structure.removedCount, of: structure.previousCount)
        let isNamed = approved != nil || writeApproved != nil
        let names =
            isNamed ? DifferenceReport.names(of: groups, unseen, from: before.ruleSet, to: after.ruleSet) : []
        if let writeApproved { try ApprovalFile.write(names, to: writeApproved) }
        let approval = try approved.map { path in
            let meant = try ApprovalFile.read(path)
            return DifferenceReport.Approval(
                missing: meant.filter { !names.contains($0) },
                unexpected: names.filter { !meant.contains($0) }
            )
        }
        return DifferenceReport(
            structure: structure,
            groups: groups,
            sameOutcomes: difference.sameOutcomes,
            requests: difference.requests,
            distinct: difference.distinct,
            changed: difference.changed,
            unseen: unseen,
            settings: settings,
            examples: examples,
            budgets: budgets,
            approval: approval
        )
    }
}

/// A file of changes that are meant, one a line, for a pull request to carry.
enum ApprovalFile {
    private static let heading =
        "# Changes that are meant: what, before, after, the rule before, the rule after, the blocks around each."
    /// The largest file, in bytes.
    private static let limit = 64 << 20

    /// Reads the changes; a file that cannot be read is shown, and ends the command.
    static func read(_ path: String) throws -> [String] {
        let text = String(decoding: try InputFile.content(path, limit: limit), as: UTF8.self)
        return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    /// Writes the changes in place of what the file has.
    static func write(_ names: [String], to path: String) throws {
        try OutputFile.write(Array(([heading] + names).map { $0 + "\n" }.joined().utf8), to: path)
    }
}
#endif
