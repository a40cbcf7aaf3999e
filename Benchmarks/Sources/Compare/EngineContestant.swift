import Measurement
import Servers
import Shunt
import Workloads

/// Shunt: the whole decision of the public API, from a request to the result, read where the engine made it.
final class EngineContestant: Contestant {
    let name: String
    let stride = 1
    let loadSeconds: Double?
    let canMatch: Bool
    let rules: Int?
    private let lookups: [String: Lookups]
    private let isCopying: Bool
    private var turns = Turns()

    /// - Parameters:
    ///   - name: The name, for tables.
    ///   - lookups: The lookups, by kind of URL.
    ///   - loadSeconds: How long the rules took to load.
    ///   - rules: The number of rules, in a race between numbers of rules.
    ///   - isCopying: Whether each decision is copied to a separate value.
    init(
        name: String = "Shunt",
        lookups: [String: Lookups],
        loadSeconds: Double? = nil,
        rules: Int? = nil,
        isCopying: Bool = false
    ) {
        self.isCopying = isCopying
        self.rules = rules
        self.name = name
        self.lookups = lookups
        canMatch = lookups.values.contains { $0.engine.ruleSet.ruleCount > 0 || $0.engine.ruleSet.routes != nil }
        self.loadSeconds = loadSeconds
    }

    /// Loads rules, and takes the time.
    static func load(
        _ name: String,
        text: String,
        requests: [String: [RuleRequest]]
    ) throws -> (EngineContestant, RuleSet) {
        let start = Clocks.threadTime()
        let engine = Engine(try RuleSet(text: text))
        let seconds = (Clocks.threadTime() - start) / 1e9
        let lookups = requests.mapValues { Lookups(engine: engine, requests: $0) }
        return (EngineContestant(name: name, lookups: lookups, loadSeconds: seconds), engine.ruleSet)
    }

    /// The same engine, with decisions that are copied.
    var copying: EngineContestant {
        EngineContestant(name: "\(name), copied", lookups: lookups, isCopying: true)
    }

    func warmUp(_ kind: String) throws {
        guard let lookups = lookups[kind] else { throw Absence("no URLs \(kind)") }
        _ = lookups.run(from: 0, count: 2 * lookups.count)
    }

    func round(_ kind: String, nanoseconds: Double) throws -> Round {
        guard let lookups = lookups[kind] else { throw Absence("no URLs \(kind)") }
        return turns.round(kind, of: lookups.count, nanoseconds: nanoseconds) { first, count in
            isCopying ? lookups.runCopying(from: first, count: count) : lookups.run(from: first, count: count)
        }
    }
}

extension Round {
    /// Runs lookups for about a time.
    ///
    /// - Parameters:
    ///   - nanoseconds: How long.
    ///   - body: Does a number of lookups and returns the number of matches.
    /// - Returns: What it cost.
    static func timed(nanoseconds: Double, body: (Int) -> Int) -> Round {
        var lookups = 0
        var matches = 0
        var batch = 16
        let start = Clocks.threadTime()
        var used = 0.0
        while used < nanoseconds {
            matches += body(batch)
            lookups += batch
            used = Clocks.threadTime() - start
            // Seldom enough that reading the clock costs nothing.
            if used < nanoseconds / 16 { batch *= 2 }
        }
        return Round(nanoseconds: used / Double(lookups), lookups: lookups, matches: matches)
    }
}

/// The places where the rounds of each kind of URLs continue.
struct Turns {
    private var positions: [String: Int] = [:]

    /// Does lookups for about a time, from where the last round of the kind ended.
    ///
    /// A pass over all of them that is not timed comes first: the contestant before left the processor's caches full of
    /// its data.
    ///
    /// - Parameters:
    ///   - kind: The kind of URLs.
    ///   - number: How many of them there are.
    ///   - nanoseconds: How long.
    ///   - body: Does a number of lookups from one of them on, and returns the number of matches.
    /// - Returns: What it cost.
    mutating func round(_ kind: String, of number: Int, nanoseconds: Double, body: (Int, Int) -> Int) -> Round {
        var position = positions[kind, default: 0]
        defer { positions[kind] = position }
        _ = body(position, number)
        return Round.timed(nanoseconds: nanoseconds) { count in
            defer { position = (position + count) % number }
            return body(position, count)
        }
    }
}

/// A step of the way that is measured alone.
final class StageContestant: Contestant {
    let name: String
    let stride = 1
    let loadSeconds: Double? = nil
    private let body: (Int) -> Int

    /// - Parameters:
    ///   - name: The name, for tables.
    ///   - body: Does a number of operations and returns the number of those that succeeded.
    init(name: String, body: @escaping (Int) -> Int) {
        self.name = name
        self.body = body
    }

    func round(_ kind: String, nanoseconds: Double) -> Round {
        Round.timed(nanoseconds: nanoseconds, body: body)
    }
}
