#if Command
import ArgumentParser
import Shunt
import ShuntTools

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists every rule and route, with its place and its note.",
        usage: "shunt list --rules <rules> [options]",
        discussion: """
            Each rule is one line: its place, its kind, what it matches, what it does to a request, how it is found, and its note.

            A rule that an index finds is "indexed": its cost does not grow with the number of rules. One that every request tries is \
            "always"; `shunt check` reports why. Others are run "in order", when they are reached.

            A note is a comment that begins with #: before a rule or after it on its line:

                #: name=old-items owner=@shop until=2027-01-01 ticket=WEB-812
                rewrite ^/item-(\\d+)\\.html$ /item/$1 permanent;

            With --format json each line is an object with "file", "line", "column", "kind" and "lookup", and where they \
            apply "matcher", "target" and "note", an object with the keys of the note.

            With --impact the rules at one place are shown with the requests that would get another outcome without them: the requests of \
            --requests, which may be the gateway's access log, or else generated ones.

            Examples:
                shunt list --rules rules
                shunt list --rules rules --format json | jq 'select(.note.owner == "@shop")'
                shunt list --rules rules --impact 40-legacy.conf:7 --requests access.log
            """
    )

    @OptionGroup var rules: RulesOptions

    @Option(help: "The format of the list: text or json.")
    var format: OutputFormat = .text

    @Option(
        help: .value("file:line", "Show what requests would get without the rules at this place."),
        transform: RulePlace.read
    )
    var impact: RulePlace?

    @Option(help: "A file of requests, one a line, for --impact. May be repeated.", completion: .file())
    var requests: [String] = []

    func validate() throws {
        if !requests.isEmpty, impact == nil { throw ValidationError("--requests goes with --impact.") }
    }

    private func showImpact(of place: RulePlace) throws {
        let ruleSet = try rules.engine().ruleSet
        let compile = MutationRun.compiler(
            path: rules.rules,
            trusting: rules.loading.trust,
            ignoringUnknownDirectives: rules.loading.ignoreUnknown
        )
        var impacts = RuleImpact.impacts(in: ruleSet, compile: compile, asOf: .now()) { place.isOf($0) }
        if impacts.isEmpty {
            throw Failure.error("there is no rule at \(place) that can be taken out; without --impact all are listed")
        }
        var corpus = RequestCorpus(host: nil)
        for path in requests {
            try corpus.read(path, form: .lines) { request in
                for index in impacts.indices { impacts[index].compare(request) }
            }
        }
        for problem in corpus.problems { Failure.report("shunt: warning: \(problem)") }
        if requests.isEmpty { for index in impacts.indices { impacts[index].compareExamples() } }
        let notes = Dictionary(ruleSet.listedRules.map { ($0.location, $0.note) }) { first, _ in first }
        try format.write(json: impacts.flatMap(ImpactReport.json)) { style in
            let texts = impacts.map { impact in
                let (note, usesColor) = (notes[impact.rule] ?? nil, style.usesColor)
                return ImpactReport.text(impact, note: note, isOfExamples: requests.isEmpty, usesColor: usesColor)
            }
            return texts.joined()
        }
    }

    func run() throws {
        if let impact { return try showImpact(of: impact) }
        let listed = try rules.engine().ruleSet.listedRules
        try format.write(json: listed.flatMap(\.json.line)) { RuleListing.text(listed, style: $0) }
    }
}
#endif
