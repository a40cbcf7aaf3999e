import ShuntCore
import ShuntPatterns
import ShuntRouting

/// The memory that an evaluation works in, which is emptied and not freed between two requests.
struct EvaluationMemory: ~Copyable {
    /// The bytes of the request and of every value that is made of it.
    let arena: ByteArena
    let scratch: MatchScratch
    let routeScratch: RouteScratch

    init() {
        scratch = MatchScratch()
        routeScratch = RouteScratch()
        arena = ByteArena(capacity: 8192, limit: EvaluationLimits.valueBytes)
        arena.append("httpsGET")
    }

    /// Limits what the expressions of a request may cost.
    func limit(matchSteps: Int) {
        scratch.limit(steps: matchSteps)
        routeScratch.limit(matchSteps: matchSteps)
    }

    /// The bytes that the arena always begins with, because most requests need them.
    static let constants = ByteRange(0, 8)
    /// The constant `https`, of which `http` is a part.
    static let https = ByteRange(0, 5)
    static let http = ByteRange(0, 4)
    static let get = ByteRange(5, 8)
}
