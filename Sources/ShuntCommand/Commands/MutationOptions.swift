#if Command
import ArgumentParser
import Dispatch
import Glibc
import Shunt
import ShuntTools
import Synchronization

/// The options of `shunt test` that ask how many small changes of the rules the tests find.
struct MutationOptions: ParsableArguments {
    @Flag(help: "Change rules in small ways, and report the changes that the tests do not find.")
    var mutate = false

    @Option(help: .value("n", "The number of changes to try; else all."))
    var mutants: Int?

    @Option(help: .value("seconds", "The time after which no further changes are tried."))
    var mutationTime: Int?

    @Option(help: .value("n", "From what the changes are chosen."))
    var seed: UInt64 = 1

    @Option(help: .value("percent", "The least share of changes that the tests have to find."))
    var minMutation: Double?

    @Option(help: .value("n", "For how many changes a request is shown that would find them."))
    var suggest = 10

    func validate() throws {
        if let mutants, mutants < 1 { throw ValidationError("--mutants is a number from 1 on.") }
        if let mutationTime, !(1...86_400).contains(mutationTime) {
            throw ValidationError("--mutation-time is a number of seconds from 1 to 86400.")
        }
        if suggest < 0 { throw ValidationError("--suggest is a number from 0 on.") }
        if let minMutation, !(0...100).contains(minMutation) {
            throw ValidationError("--min-mutation is a number from 0 to 100.")
        }
    }

    var isWanted: Bool { minMutation != nil || mutate }

    /// Tries the changes in as many parts as there are jobs, and shows how far the first is: on a terminal always, and
    /// elsewhere a line each 30 seconds.
    func report(
        _ tests: RuleTests,
        asOf: Timestamp,
        jobs: Int,
        compiler: @escaping @Sendable () -> MutationRun.Compile
    ) -> MutationReport {
        var options = MutationRun.Options()
        options.sample = mutants
        options.seed = seed
        options.suggests = suggest > 0
        options.end = mutationTime.map { .now + .seconds($0) }
        let reports = Mutex<[Int: MutationReport]>([:])
        DispatchQueue.concurrentPerform(iterations: jobs) { [options] part in
            let terminal = OutputStream(STDERR_FILENO)
            var shown = ContinuousClock.now
            let report = MutationRun(tests, options: options, asOf: asOf, compile: compiler())
                .report(part: part, of: jobs) { done, all in
                    guard part == 0 else { return }
                    let text = "\(done * jobs) of \(all * jobs) changes"
                    if terminal.isTerminal {
                        guard done % 16 == 0 || done == all else { return }
                        try? terminal.write(done == all ? "\r\u{1b}[K" : "\r\(text)\u{1b}[K")
                    } else {
                        guard ContinuousClock.now - shown >= .seconds(30) else { return }
                        shown = .now
                        try? terminal.write("\(text) are tried\n")
                    }
                    try? terminal.flush()
                }
            reports.withLock { $0[part] = report }
        }
        var whole = MutationReport()
        for (_, report) in reports.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { whole.append(report) }
        return whole
    }

    /// Fails if too few changes were found.
    func judge(_ report: MutationReport) throws {
        guard let minMutation, report.score < minMutation else { return }
        let numbers = "\(ReportNumbers.oneDigit(report.score)) %, below \(ReportNumbers.oneDigit(minMutation)) %"
        throw Failure.error("the mutation score is \(numbers)", status: Failure.negative)
    }
}
#endif
