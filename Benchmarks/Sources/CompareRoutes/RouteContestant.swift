import Measurement
import RouteTables

/// A router with one table and its questions.
protocol RouteContestant {
    /// The name, for tables.
    var name: String { get }
    /// The number of questions whose answer is not the route that it should be.
    var wrongAnswers: Int { get }

    /// Looks paths up in turn for about a time.
    func round(nanoseconds: Double) throws -> RouteRound
}

/// The result of one round.
struct RouteRound {
    /// The cost of one lookup, in nanoseconds of processor time.
    var nanoseconds: Double
    /// The number of lookups.
    var lookups: Int
    /// The number of matches.
    var matches: Int

    /// Runs lookups for about a time.
    ///
    /// - Parameters:
    ///   - nanoseconds: How long.
    ///   - body: Does a number of lookups and returns the number of matches.
    /// - Returns: What they cost.
    static func timed(nanoseconds: Double, body: (Int) -> Int) -> RouteRound {
        var round = RouteRound(nanoseconds: 0, lookups: 0, matches: 0)
        var batch = 16
        let start = Clocks.threadTime()
        var used = 0.0
        while used < nanoseconds {
            round.matches += body(batch)
            round.lookups += batch
            used = Clocks.threadTime() - start
            // Seldom enough that reading the clock costs nothing.
            if used < nanoseconds / 16 { batch *= 2 }
        }
        round.nanoseconds = used / Double(round.lookups)
        return round
    }
}

/// The reason why a contestant is missing.
struct Refusal: Error, CustomStringConvertible {
    var description: String
}

/// Shunt's table.
final class ShuntContestant: RouteContestant {
    let name = "Shunt"
    private let routes: ShuntRoutes
    private var position = 0

    init(_ questions: RouteQuestions) throws {
        routes = try ShuntRoutes(questions)
    }

    var wrongAnswers: Int { routes.wrongAnswers }

    func round(nanoseconds: Double) -> RouteRound {
        RouteRound.timed(nanoseconds: nanoseconds) { count in
            defer { position += count }
            return routes.run(from: position, count: count)
        }
    }
}
