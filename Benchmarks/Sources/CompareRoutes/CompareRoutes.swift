import Foundation
import Measurement
import RouteTables

/// Looks the same paths up with Shunt and other routers, in turns, in one run, and writes a table in Markdown.
@main
struct CompareRoutes {
    static let usage = "usage: compare-routes GO-PROGRAM [ROUNDS]"

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let program = arguments.first, arguments.count <= 2 else {
            print(usage)
            return
        }
        let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 15
        print("Median nanoseconds of processor time for a lookup, \(rounds) rounds in turns; in brackets, of Shunt's.")
        print("")
        print("| table | routes | Shunt | httprouter | chi | Hummingbird |")
        print("|---|---|---|---|---|---|")
        for questions in RouteQuestions.all { try compare(questions, program: program, rounds: rounds) }
        print("")
        try growth(rounds: rounds)
    }

    private static func compare(_ questions: RouteQuestions, program: String, rounds: Int) throws {
        var contestants: [any RouteContestant] = [try ShuntContestant(questions)]
        var notes: [String: String] = [:]
        for name in ["httprouter", "chi"] {
            do {
                contestants.append(try GoRoutes(name, program: program, questions))
            } catch let refusal as Refusal {
                notes[name] = "refused"
                complain(refusal.description)
            }
        }
        contestants.append(HummingbirdRoutes(questions))
        var costs: [String: [Double]] = [:]
        let expected = Double(questions.questions.count { $0.route != nil }) / Double(questions.questions.count)
        for contestant in contestants {
            let wrong = contestant.wrongAnswers
            if wrong > 0 {
                complain(
                    "\(contestant.name), \(questions.name): \(wrong) of \(questions.questions.count) answers are wrong"
                )
            }
        }
        for round in 0...rounds {
            for contestant in contestants {
                let result = try contestant.round(nanoseconds: 20_000_000)
                // The first round warms up.
                if round > 0 { costs[contestant.name, default: []].append(result.nanoseconds) }
                if contestant.name == "Shunt", expected == 0 ? result.matches > 0 : result.matches == 0 {
                    throw Refusal(description: "\(questions.name): \(result.matches) matches of \(result.lookups)")
                }
            }
        }
        let base = Statistics(costs["Shunt"] ?? []).median
        var line = "| \(questions.name) | \(questions.set.routes.count) | \(text(base))"
        for name in ["httprouter", "chi", "Hummingbird"] {
            if let cost = costs[name].map({ Statistics($0).median }) {
                line += " | \(text(cost)) (\(text(cost / base)))"
            } else {
                line += " | \(notes[name] ?? "-")"
            }
        }
        print(line + " |")
    }

    /// How the cost of a lookup and of building grows with the number of routes.
    private static func growth(rounds: Int) throws {
        let counts = [100, 1000, 10_000, 100_000]
        var tables: [(count: Int, seconds: Double, contestant: ShuntContestant)] = []
        for count in counts {
            let questions = RouteQuestions(.generated(count))
            var seconds: [Double] = []
            for _ in 0..<3 {
                let start = Clocks.threadTime()
                _ = try ShuntRoutes(questions)
                seconds.append((Clocks.threadTime() - start) / 1e9)
            }
            tables.append((count, Statistics(seconds).median, try ShuntContestant(questions.sample(2000))))
        }
        var costs = [[Double]](repeating: [], count: counts.count)
        for round in 0...rounds {
            for (index, table) in tables.enumerated() {
                let result = table.contestant.round(nanoseconds: 20_000_000)
                if round > 0 { costs[index].append(result.nanoseconds) }
            }
        }
        print("| routes | ns a lookup | of 100 | seconds to build |")
        print("|---|---|---|---|")
        let base = Statistics(costs[0]).median
        for (index, table) in tables.enumerated() {
            let cost = Statistics(costs[index]).median
            print(
                "| \(table.count) | \(text(cost)) | \(text(cost / base)) | \(String(format: "%.3f", table.seconds)) |"
            )
        }
    }

    private static func text(_ number: Double) -> String {
        String(format: number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%.0f", number)
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
