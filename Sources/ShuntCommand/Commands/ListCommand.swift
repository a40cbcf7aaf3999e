#if Command
import ArgumentParser
import Glibc
import Shunt

/// `shunt list`: shows every rule of a rule set.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists every rule and route, with its place and its note.",
        usage: "shunt list --rules <rules> [options]",
        discussion: """
            Each rule is one line: its place, what it is, what it is for, what it makes of a request, how it is found, and \
            what is noted with it.

            A rule that an index finds is "indexed": its cost does not grow with the number of rules. One that every \
            request tries is "always"; `shunt check` says why. Others are run "in order", when they are reached.

            A note is a comment that begins with #: before a rule or behind it on its line:

                #: name=old-items owner=@shop until=2027-01-01 ticket=WEB-812
                rewrite ^/item-(\\d+)\\.html$ /item/$1 permanent;

            With --format json each line is an object with "file", "line", "column", "kind" and "lookup", and where they \
            apply "matcher", "target" and "note", an object with the keys of the note.

            Examples:
                shunt list --rules rules
                shunt list --rules rules --format json | jq 'select(.note.owner == "@shop")'
            """
    )

    @OptionGroup var rules: RulesOptions

    @Option(help: "How to write the list: text or json.")
    var format: OutputFormat = .text

    func run() throws {
        let listed = try rules.engine().ruleSet.listedRules
        let output = OutputStream(STDOUT_FILENO)
        switch format {
        case .text: try output.write(RuleListing.text(listed, style: Style(usesColor: output.wantsColor)))
        case .json: for rule in listed { try output.write(RuleListing.json(rule)) }
        }
        try output.flush()
    }
}
#endif
