import Foundation
import Measurement
import Shunt
import Workloads

/// Does one thing and nothing else, so that a tool outside can count what it costs.
@main
struct Single {
    static let usage = """
        usage: single rewrites prefixes|mixed RULES KIND LOOKUPS   decide about paths, after a first pass over all
               single copied prefixes|mixed RULES KIND LOOKUPS     the same, with a value of its own for each decision
               single dispatch RULES LOOKUPS                       parse, mixed rules and routes
               single copied-dispatch RULES LOOKUPS                the same, with a value of its own for each decision
               single routes LOOKUPS                               look up the routes of GitHub
               single urls PATH FILE LOOKUPS                       decide about the URLs of a file by the rules of a path
               single each FILE LOOKUPS                            decide by each rule set of a file, one on a line
               single load PATH                                    load rules; prints time and memory as JSON
        """

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("rewrites", 5), ("copied", 5):
            guard let count = Int(arguments[2]), let kind = URLKind(rawValue: arguments[3]),
                let lookups = Int(arguments[4])
            else { break }
            let workload = arguments[1] == "mixed" ? RewriteWorkload.mixed(count) : .prefixes(count)
            let engine = Engine(try RuleSet(text: workload.serverText()))
            run(
                Lookups(engine: engine, requests: Lookups.requests(paths: workload.paths(kind))),
                lookups,
                isCopying: arguments[0] == "copied"
            )
            return
        case ("dispatch", 3), ("copied-dispatch", 3):
            guard let count = Int(arguments[1]), let lookups = Int(arguments[2]) else { break }
            run(try Lookups.dispatch(.mixed(count)), lookups, isCopying: arguments[0] == "copied-dispatch")
            return
        case ("routes", 2):
            guard let lookups = Int(arguments[1]) else { break }
            let routes = try RouteLookups()
            print(routes.run(count: routes.count + lookups))
            return
        case ("urls", 4):
            guard let lookups = Int(arguments[3]) else { break }
            let urls = try String(contentsOfFile: arguments[2], encoding: .utf8).split(separator: "\n").map(String.init)
            guard !urls.isEmpty else { break }
            let engine = Engine(try RuleSet(path: arguments[1]))
            run(Lookups(engine: engine, requests: Lookups.requests(urls: urls)), lookups)
            return
        case ("each", 3):
            guard let lookups = Int(arguments[2]) else { break }
            let lines = try String(contentsOfFile: arguments[1], encoding: .utf8).split(separator: "\n")
            for line in lines where !line.hasPrefix("#") { try each(String(line), lookups) }
            return
        case ("load", 2):
            try load(arguments[1])
            return
        default: break
        }
        print(usage)
    }

    private static func run(_ lookups: Lookups, _ count: Int, isCopying: Bool = false) {
        let run = isCopying ? lookups.runCopying : lookups.run
        let first = run(0, lookups.count)
        print(first, run(0, count))
    }

    /// Decides by a rule set about requests that have all that rules may ask for.
    private static func each(_ rules: String, _ lookups: Int) throws {
        let engine = Engine(try RuleSet(text: rules))
        var requests = [
            RuleRequest(url: "https://www.a.test/x/y?id=5&lang=de"),
            RuleRequest(target: "/x/y?id=5", host: "www.a.test"),
            RuleRequest(target: "/x/y", host: "www.a.test"),
            // The forms that a Host with a port has, and an address that is of two families.
            RuleRequest(target: "/x/y?id=5", host: "www.a.test:8080"),
        ]
        requests[3].remoteAddress = "::ffff:192.0.2.77"
        requests[0].headers = [
            .init("User-Agent", "Mozilla/5.0 (iPhone) Mobile"), .init("Cookie", "a=1; session=abc; b=2"),
            .init("X-Forwarded-For", "198.51.100.7, 192.0.2.1"), .init("Referer", "https://www.b.test/page"),
        ]
        requests[0].inputs = ["version": "3.4.0", "device": "device-with-a-long-name-12345"]
        requests[0].remoteAddress = "192.0.2.77"
        requests[2].method = "POST"
        run(Lookups(engine: engine, requests: requests), lookups)
    }

    private static func load(_ path: String) throws {
        Memory.settle()
        let before = (Memory.live(), Memory.resident())
        let start = Clocks.threadTime()
        let rules = try RuleSet(path: path)
        let seconds = (Clocks.threadTime() - start) / 1e9
        let peak = (Memory.resident()?.peak ?? 0) - (before.1?.now ?? 0)
        withExtendedLifetime(rules) {
            let live = Memory.live() - before.0
            let count = rules.ruleCount
            print(#"{"rules":\#(count),"seconds":\#(seconds),"live_bytes":\#(live),"peak_bytes":\#(peak)}"#)
        }
    }
}
