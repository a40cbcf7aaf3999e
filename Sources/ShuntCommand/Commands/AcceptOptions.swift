#if Command
import ArgumentParser
import Shunt

/// The directives that rules are served without.
struct AcceptOptions: ParsableArguments {
    @Option(
        help: .value(
            "directive",
            "A directive that the gateway does not do and that you can do without; all for a trial. May be repeated."
        )
    )
    var accept: [String] = []

    func validate() throws {
        let known = ExternalVariables.unserved.union(UnservedDirectives.table.keys)
        for name in accept where name != "all" && !known.contains(name) {
            let meant = Suggestion.closest(to: name, among: Array(known)).map { " Did you mean \($0)?" } ?? ""
            throw ValidationError("--accept takes a directive that the gateway does not do, not '\(name)'.\(meant)")
        }
    }
}
#endif
