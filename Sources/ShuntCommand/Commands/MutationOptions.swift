#if Command
import ArgumentParser
import Dispatch
import Glibc
import Shunt
import ShuntAnalysis
import Synchronization

/// The options of `shunt test` that ask how many small changes of the rules the tests find.
struct MutationOptions: ParsableArguments {
    @Flag(help: "Change rules in small ways, and tell which changes the tests do not find.")
    var mutate = false

    @Option(help: ArgumentHelp("How many changes are tried; else all.", valueName: "n"))
    var mutants: Int?

    @Option(help: ArgumentHelp("From what the changes are chosen.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The least share of changes that the tests have to find.", valueName: "percent"))
    var minMutation: Double?

    @Option(help: ArgumentHelp("For how many changes a request is shown that would find them.", valueName: "n"))
    var suggest = 10

    func validate() throws {
        if let mutants, mutants < 1 { throw ValidationError("--mutants is a number from 1 on.") }
        if suggest < 0 { throw ValidationError("--suggest is a number from 0 on.") }
        if let minMutation, !(0...100).contains(minMutation) {
            throw ValidationError("--min-mutation is a number from 0 to 100.")
        }
    }

    /// True if the changes are tried.
    var isWanted: Bool { minMutation != nil || mutate }

    /// Tries the changes in as many parts as there are jobs; tells a person who waits how far the first is.
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
        let reports = Mutex<[Int: MutationReport]>([:])
        DispatchQueue.concurrentPerform(iterations: jobs) { [options] part in
            let terminal = OutputStream(STDERR_FILENO)
            let isShown = part == 0 && terminal.isTerminal
            let report = MutationRun(tests, options: options, asOf: asOf, compile: compiler())
                .report(part: part, of: jobs) { done, all in
                    guard isShown, done % 16 == 0 || done == all else { return }
                    let text = "\r\(done * jobs) of \(all * jobs) changes\u{1b}[K"
                    try? terminal.write(done == all ? "\r\u{1b}[K" : text)
                    try? terminal.flush()
                }
            reports.withLock { $0[part] = report }
        }
        var whole = MutationReport()
        for (_, report) in reports.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { whole.append(report) }
        return whole
    }

    /// Says no where too few changes were found.
    func judge(_ report: MutationReport) throws {
        guard let minMutation, report.score < minMutation else { return }
        let numbers = "\(ReportNumbers.oneDigit(report.score)) %, below \(ReportNumbers.oneDigit(minMutation)) %"
        Failure.report("shunt: error: the mutation score is \(numbers)")
        throw Failure.negative
    }
}
#endif
