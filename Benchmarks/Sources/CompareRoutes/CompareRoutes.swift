import Foundation
import Measurement
import RouteTables

/// Looks the same paths up with Shunt and other routers, in turns, in one run, and writes a table in Markdown.
@main
struct CompareRoutes {
    static let usage = "usage: compare-routes GO-PROGRAM RUST-PROGRAM [ROUNDS]"

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let inGo = arguments.first, let inRust = arguments.dropFirst().first, arguments.count <= 3 else {
            print(usage)
            return
        }
        let programs = [("httprouter", inGo), ("chi", inGo), ("matchit", inRust)]
        let rounds = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 15
        print("Median nanoseconds of processor time for a lookup, \(rounds) rounds in turns; in brackets, of Shunt's.")
        print("")
        print("| table | routes | Shunt | httprouter | chi | matchit | Hummingbird |")
        print("|---|---|---|---|---|---|---|")
        for questions in RouteQuestions.all { try compare(questions, programs: programs, rounds: rounds) }
        print("")
        try growth(rounds: rounds)
    }

    private static func compare(
        _ questions: RouteQuestions,
        programs: [(name: String, path: String)],
        rounds: Int
    ) throws {
        var contestants: [any RouteContestant] = [try ShuntContestant(questions)]
        var notes: [String: String] = [:]
        for (name, program) in programs {
            do {
                contestants.append(try RouterProcess(name, program: program, questions))
            } catch let refusal as Refusal {
                if FileManager.default.isExecutableFile(atPath: program) { notes[name] = "refused" }
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
        for name in programs.map(\.name) + ["Hummingbird"] {
            if let cost = costs[name].map({ Statistics($0).median }) {
                line += " | \(text(cost)) (\(text(cost / base)))"
            } else {
                line += " | \(notes[name] ?? "-")"
            }
        }
        print(line + " |")
    }

    /// The growth of the cost of a lookup and of building with the number of routes: for a hundred paths, which stay in the
    /// caches of the processor, and for two thousand, which in a large table do not.
    private static func growth(rounds: Int) throws {
        let counts = [100, 1000, 10_000, 100_000]
        let samples = [100, 2000]
        var seconds: [Double] = []
        var contestants: [[ShuntContestant]] = []
        for count in counts {
            let questions = RouteQuestions(.generated(count))
            var times: [Double] = []
            for _ in 0..<3 {
                let start = Clocks.threadTime()
                _ = try ShuntRoutes(questions)
                times.append((Clocks.threadTime() - start) / 1e9)
            }
            seconds.append(Statistics(times).median)
            contestants.append(try samples.map { try ShuntContestant(questions.sample($0)) })
        }
        var costs = counts.map { _ in samples.map { _ in [Double]() } }
        for round in 0...rounds {
            for index in counts.indices {
                for sample in samples.indices {
                    let result = contestants[index][sample].round(nanoseconds: 20_000_000)
                    if round > 0 { costs[index][sample].append(result.nanoseconds) }
                }
            }
        }
        print("| routes | ns a lookup, 100 paths | of 100 routes | 2,000 paths | of 100 routes | seconds to build |")
        print("|---|---|---|---|---|---|")
        for (index, count) in counts.enumerated() {
            var line = "| \(count)"
            for sample in samples.indices {
                let cost = Statistics(costs[index][sample]).median
                line += " | \(text(cost)) | \(text(cost / Statistics(costs[0][sample]).median))"
            }
            print(line + " | \(String(format: "%.3f", seconds[index])) |")
        }
    }

    private static func text(_ number: Double) -> String {
        String(format: number < 10 ? "%.2f" : number < 100 ? "%.1f" : "%.0f", number)
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
