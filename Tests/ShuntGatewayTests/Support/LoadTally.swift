#if Gateway
import Synchronization

/// The results of clients while rules change and upstreams die.
final class LoadTally: Sendable {
    struct Counts: Sendable {
        var fine = 0
        /// Answers that broke off after they had begun.
        var brokenOff = 0
        /// Requests that failed and may not be sent twice.
        var refused = 0
        /// Requests that failed because both servers died meanwhile.
        var unlucky = 0
        /// Requests that failed, and should not have.
        var failed = 0
        /// Answers that are for another request, of two rule sets, of one that is wrong, or of an older one than the answer before.
        var mixed = 0
        var firstProblem: String?

        /// The number of requests that the death of a server may have cost.
        var excused: Int { brokenOff + refused + unlucky }
        var all: Int { fine + excused + failed }
    }

    private let counts = Mutex(Counts())
    /// The clients that are not done.
    let running = Atomic(0)
    /// The number of the rule set that was written last.
    let written = Atomic(0)
    /// The number of times that a server has died, and whether one is dead.
    let deaths = Atomic(0)
    let isOneDead = Atomic(false)

    var all: Counts { counts.withLock { $0 } }
    var isRunning: Bool { running.load(ordering: .acquiring) > 0 }

    /// Takes the numbers of the rule sets in an answer, which are invalid if it is for another request.
    ///
    /// `last` is the newest one that its connection has seen.
    func take(_ numbers: [Int], last: inout Int) {
        let number = numbers.first ?? -1
        let written = written.load(ordering: .acquiring)
        let isMixed =
            numbers.contains { $0 != number } || number < last || number > written || NumberedSets.isWrong(number)
        counts.withLock { counts in
            counts.fine += 1
            guard isMixed else { return }
            counts.mixed += 1
            counts.firstProblem = counts.firstProblem ?? "\(numbers) after \(last)"
        }
        last = max(last, number)
    }

    /// Takes a request that has failed, and should not have.
    func fail(_ problem: String) {
        counts.withLock { counts in
            counts.failed += 1
            counts.firstProblem = counts.firstProblem ?? problem
        }
    }

    /// Takes a request that has failed while upstreams may have died.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - hasBegun: Whether its answer had begun.
    ///   - deaths: How many servers died while it was under way, with one that was dead before.
    ///   - problem: What was wrong.
    func fail(_ request: LoadRequest, hasBegun: Bool, deaths: Int, _ problem: any Error) {
        // A server that has died is known to be dead: no client waits for it.
        let isExcused = request.isProxied && (problem as? TestProblem)?.isSilence != true
        let reason: WritableKeyPath<Counts, Int>? =
            if !isExcused {
                nil
            } else if deaths > 0, hasBegun {
                \.brokenOff
            } else if request.method == "POST" {
                \.refused
            } else {
                deaths > 1 ? \.unlucky : nil
            }
        guard let reason else { return fail("\(problem): \(request)") }
        counts.withLock { $0[keyPath: reason] += 1 }
    }
}
#endif
