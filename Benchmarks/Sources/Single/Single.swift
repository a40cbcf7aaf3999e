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
               single timed lent|copied|made PATH FILE LOOKUPS     the same; prints nanoseconds of each and how many have a rule;
                                                                   made makes each request and reads all texts of each decision
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
            let urls = try urls(of: arguments[2])
            let engine = Engine(try RuleSet(path: arguments[1]))
            run(Lookups(engine: engine, requests: Lookups.requests(urls: urls)), lookups)
            return
        case ("timed", 5):
            guard let count = Int(arguments[4]) else { break }
            let urls = try urls(of: arguments[3])
            let engine = Engine(try RuleSet(path: arguments[2]))
            let lookups = Lookups(engine: engine, requests: Lookups.requests(urls: urls))
            switch arguments[1] {
            case "lent": time(lookups.run, first: urls.count, count: count)
            case "copied": time(lookups.runCopying, first: urls.count, count: count)
            default: time({ decide(urls, from: $0, count: $1, by: engine) }, first: urls.count, count: count)
            }
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

    /// The lines of a file.
    private static func urls(of path: String) throws -> [String] {
        let urls = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        return urls.isEmpty ? ["http://www.a.test/"] : urls
    }

    /// Makes a request of each URL in turn, as a service does, and reads all texts of the decision about it, as libshunt does.
    private static func decide(_ urls: [String], from first: Int, count: Int, by engine: Engine) -> Int {
        var (matches, bytes) = (0, 0)
        for index in first..<first + count {
            let decision = engine.decide(RuleRequest(url: urls[index % urls.count]))
            for text in [decision.url, decision.target, decision.authority, decision.rule?.file] {
                bytes += text?.utf8.count ?? 0
            }
            if decision.rule != nil { matches += 1 }
        }
        return bytes > 0 ? matches : 0
    }

    private static func time(_ run: (Int, Int) -> Int, first: Int, count: Int) {
        _ = run(0, first)
        let start = Clocks.threadTime()
        let matches = run(0, count)
        print((Clocks.threadTime() - start) / Double(count), matches)
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
