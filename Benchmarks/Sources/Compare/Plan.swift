import Foundation
import Measurement
import Shunt
import Workloads

/// Everything that a run measures, from few rules to many.
struct Plan {
    var isQuick: Bool
    /// The folder for files of peers.
    var folder: String
    /// The folder of the programs of `Peers/`.
    var peers: String
    /// The program `single`.
    var single: String

    private var race: Race { isQuick ? Race(rounds: 9, roundTime: 1e6) : Race(rounds: 15, roundTime: 3e6) }
    private var counts: [Int] { isQuick ? [10, 1000, 10_000] : [10, 100, 1000, 10_000, 100_000] }

    /// The largest number of rules that a contestant is asked for: beyond it takes minutes, or does not work.
    private func limit(_ contestant: String, _ workload: String) -> Int {
        switch contestant {
        // Compiles for 12 s at 10,000 rules, for 160 s at 100,000.
        case "Hyperscan": isQuick && workload == "prefixes" ? 1000 : 10_000
        // Takes 13 ms a lookup at 100,000 rules.
        case "PCRE2 loop", "nginx", "nginx, pcre_jit on", "HAProxy map": 10_000
        default: 100_000
        }
    }

    func run(into results: inout Results) throws {
        for count in counts {
            for workload in [RewriteWorkload.prefixes(count), .mixed(count)] {
                report("\(workload.name), \(count) rules")
                try rewrites(workload, into: &results)
            }
        }
        report("few rules and many in turns")
        try growth(into: &results)
        for count in isQuick ? [10, 10_000] : [10, 100, 1000, 10_000, 100_000] {
            report("whole URLs, \(count) rules")
            for workload in [URLWorkload.renames(count), .degrades(count), .blocklist(count)] {
                try urls(workload, count, into: &results)
            }
        }
        if !isQuick {
            report("blocklist, 1000000 hosts")
            try urls(.blocklist(1_000_000), 1_000_000, into: &results)
        }
        report("stages and the whole way")
        stages(into: &results)
        for count in isQuick ? [10_000] : counts {
            try dispatch(count, into: &results)
        }
        report("loading")
        loads(into: &results)
    }

    private func report(_ text: String) {
        FileHandle.standardError.write(Data("measuring \(text)\n".utf8))
    }

    // MARK: Rewrites

    private func rewrites(_ workload: RewriteWorkload, into results: inout Results) throws {
        let count = workload.rules.count
        let paths = Dictionary(uniqueKeysWithValues: URLKind.allCases.map { ($0.rawValue, workload.paths($0)) })
        let requests = paths.mapValues(Lookups.requests(paths:))
        let (shunt, ruleSet) = try EngineContestant.load("Shunt", text: workload.serverText(), requests: requests)
        let index = TableContestant(
            TableContestant.index,
            paths.compactMapValues { StageLookups(ruleSet, paths: $0) }
        )
        var contestants: [any Contestant] = [shunt, index, shunt.copying]
        // The cost of a decision without rules, so that the cost of the rules is known.
        let emptyServer = RewriteWorkload.none.serverText()
        contestants.append(try EngineContestant.load("Shunt, no rules", text: emptyServer, requests: requests).0)
        contestants += peers(workload, paths: paths, into: &results)
        for contestant in contestants {
            guard contestant.canMatch, let seconds = contestant.loadSeconds else { continue }
            results.compilations.append(
                Results.Compilation(
                    workload: workload.name,
                    rules: count,
                    contestant: contestant.name,
                    seconds: seconds,
                    bytes: (contestant as? PeerProcess)?.loadBytes
                )
            )
        }
        race.run(
            workload.name,
            rules: count,
            kinds: URLKind.allCases.map { ($0.rawValue, $0.isHit) },
            contestants: contestants,
            into: &results
        )
    }

    private func peers(
        _ workload: RewriteWorkload,
        paths: [String: [String]],
        into results: inout Results
    ) -> [any Contestant] {
        let count = workload.rules.count
        let place = "\(folder)/\(workload.name)-\(count)"
        var files: [String: String] = [:]
        do {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try write(workload.rules.map(\.pattern), to: "\(place)/patterns")
            for (kind, paths) in paths {
                files[kind] = "\(place)/\(kind)"
                try write(paths, to: "\(place)/\(kind)")
            }
        } catch {
            results.skipped.append("peers: \(error)")
            return []
        }
        var makers: [(String, () throws -> any Contestant)] = []
        for (name, program) in [("PCRE2 loop", "pcre2"), ("RE2::Set", "re2set"), ("Hyperscan", "hyperscan")] {
            let program = "\(peers)/\(program)"
            makers.append(
                (name, { try PeerProcess(name: name, program: program, patterns: "\(place)/patterns", files: files) })
            )
        }
        makers += nginx(workload, paths: paths, place: place)
        makers.append(
            ("HAProxy map", { try ServerContestant.haproxy(workload: workload, paths: paths, folder: place) })
        )
        return makers.compactMap { name, make in
            guard count <= limit(name, workload.name) else { return nil }
            return attempt(into: &results) { results in
                let contestant = try make()
                if let peer = contestant as? PeerProcess { results.versions[name] = peer.version }
                return contestant
            }
        }
    }

    /// nginx as it comes, and with its expressions compiled to machine code.
    private func nginx(
        _ workload: RewriteWorkload,
        paths: [String: [String]],
        canMatch: Bool = true,
        place: String
    ) -> [(String, () throws -> any Contestant)] {
        [("nginx", false), ("nginx, pcre_jit on", true)]
            .map { name, isCompiled in
                let make = {
                    try ServerContestant.nginx(
                        isCompiled: isCompiled,
                        workload: workload,
                        paths: paths,
                        canMatch: canMatch,
                        folder: place
                    )
                }
                return (name, make)
            }
    }

    /// A contestant, or nil and a line about what is missing, once.
    private func attempt(
        into results: inout Results,
        _ make: (inout Results) throws -> any Contestant
    ) -> (any Contestant)? {
        do {
            return try make(&results)
        } catch {
            if !results.skipped.contains("\(error)") { results.skipped.append("\(error)") }
            return nil
        }
    }

    private func write(_ lines: [String], to path: String) throws {
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Shunt against itself: 10 rules and many, in turns, so that the growth does not depend on the hour.
    private func growth(into results: inout Results) throws {
        // A ratio of times that differ by little needs many rounds.
        let race = Race(rounds: 4 * self.race.rounds, roundTime: self.race.roundTime)
        for make in [RewriteWorkload.prefixes, RewriteWorkload.mixed] {
            let workloads = [10, 1000, 100_000].map(make)
            let contestants = try workloads.map { workload in
                let engine = Engine(try RuleSet(text: workload.serverText()))
                let lookups = URLKind.allCases.map { kind in
                    (
                        kind.rawValue,
                        Lookups(engine: engine, requests: Lookups.requests(paths: workload.paths(kind)))
                    )
                }
                return EngineContestant(
                    lookups: Dictionary(uniqueKeysWithValues: lookups),
                    rules: workload.rules.count
                )
            }
            race.run(
                "growth of \(workloads[0].name)",
                rules: 0,
                kinds: URLKind.allCases.map { ($0.rawValue, $0.isHit) },
                contestants: contestants,
                into: &results
            )
        }
    }

    // MARK: Whole URLs

    private func urls(_ workload: URLWorkload, _ count: Int, into results: inout Results) throws {
        let engine = Engine(try workload.load())
        let empty = Engine(try RuleSet(text: ""))
        let requests = workload.kinds.map { ($0.rawValue, Lookups.requests(urls: workload.urls($0))) }
        let lookups = requests.map { ($0, Lookups(engine: engine, requests: $1)) }
        let without = requests.map { ($0, Lookups(engine: empty, requests: $1)) }
        var contestants: [any Contestant] = [
            EngineContestant(lookups: Dictionary(uniqueKeysWithValues: lookups)),
            EngineContestant(name: "Shunt, no rules", lookups: Dictionary(uniqueKeysWithValues: without)),
        ]
        let hosts = workload.kinds.compactMap { kind in
            StageLookups(engine.ruleSet, hostsOf: workload.urls(kind)).map { (kind.rawValue, $0) }
        }
        if !hosts.isEmpty {
            contestants.append(TableContestant(TableContestant.list, Dictionary(uniqueKeysWithValues: hosts)))
        }
        race.run(
            workload.name,
            rules: count,
            kinds: workload.kinds.map { ($0.rawValue, $0.isHit) },
            contestants: contestants,
            into: &results
        )
    }

    // MARK: Stages

    private func stages(into results: inout Results) {
        let urls = GitHubRoutes.all.map { Array("https://www.example.com\($0.path)".utf8) }
        let parse = StageContestant(name: "Shunt") { count in
            var parsed = 0
            for index in 0..<count {
                let url = urls[index % urls.count]
                if (try? URLParser.parse(url.span)) != nil { parsed += 1 }
            }
            return parsed
        }
        race.run("parse", rules: 0, kinds: [("routes", true)], contestants: [parse], into: &results)
        do {
            let routes = try RouteLookups()
            let lookup = StageContestant(name: "Shunt") { routes.run(count: $0) }
            race.run("routes", rules: routes.count, kinds: [("routes", true)], contestants: [lookup], into: &results)
        } catch {
            results.skipped.append("routes: \(error)")
        }
    }

    private func dispatch(_ count: Int, into results: inout Results) throws {
        let workload = RewriteWorkload.mixed(count)
        let shunt = EngineContestant(lookups: ["routes": try Lookups.dispatch(workload)])
        var contestants: [any Contestant] = [shunt, shunt.copying]
        if count <= limit("nginx", workload.name) {
            let paths = ["routes": GitHubRoutes.all.map(\.path)]
            for (_, make) in nginx(workload, paths: paths, canMatch: false, place: "\(folder)/dispatch-\(count)") {
                if let contestant = attempt(into: &results, { _ in try make() }) { contestants.append(contestant) }
            }
        }
        race.run("dispatch", rules: count, kinds: [("routes", true)], contestants: contestants, into: &results)
    }

    // MARK: Loading

    private func loads(into results: inout Results) {
        let large = isQuick ? 10_000 : 100_000
        let workloads: [(name: String, count: Int, files: [String: String])] = [
            ("prefixes", large, ["rules.conf": RewriteWorkload.prefixes(large).serverText()]),
            ("mixed", large, ["rules.conf": RewriteWorkload.mixed(large).serverText()]),
            ("renames", large, URLWorkload.renames(large).files),
            ("degrades", large, URLWorkload.degrades(large).files),
            ("blocklist", 10 * large, URLWorkload.blocklist(10 * large).files),
        ]
        for workload in workloads {
            do {
                let place = "\(folder)/load-\(workload.name)"
                for (name, text) in workload.files {
                    let file = URL(fileURLWithPath: "\(place)/\(name)")
                    let directory = file.deletingLastPathComponent()
                    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                    try text.write(to: file, atomically: true, encoding: .utf8)
                }
                results.loads.append(try load(workload.name, workload.count, place))
            } catch {
                results.skipped.append("load \(workload.name): \(error)")
            }
        }
    }

    /// The costs of loading, each time in a new process.
    private func load(_ name: String, _ count: Int, _ place: String) throws -> Results.Load {
        struct Report: Decodable {
            var seconds: Double
            var live_bytes: Int
            var peak_bytes: Int
        }
        let reports = try (0..<(isQuick ? 1 : 3))
            .map { _ in
                let process = Process()
                let output = Pipe()
                process.executableURL = URL(fileURLWithPath: single)
                process.arguments = ["load", place]
                process.standardOutput = output
                try process.run()
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                return try JSONDecoder().decode(Report.self, from: data)
            }
        let sorted = reports.sorted { $0.seconds < $1.seconds }
        let middle = sorted[sorted.count / 2]
        return Results.Load(
            workload: name,
            rules: count,
            seconds: middle.seconds,
            liveBytes: middle.live_bytes,
            peakBytes: middle.peak_bytes
        )
    }
}
