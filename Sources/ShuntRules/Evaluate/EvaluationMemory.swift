import ShuntCore
import ShuntPatterns
import ShuntRouting

/// The memory that an evaluation works in, which is emptied and not freed between two requests.
struct EvaluationMemory: ~Copyable {
    /// The bytes of the request and of every value that is made of it.
    let arena: ByteArena
    let scratch: MatchScratch
    let routeScratch: RouteScratch

    /// Makes memory whose expressions may cost so much for each request.
    init(matchSteps: Int) {
        scratch = MatchScratch(steps: matchSteps)
        routeScratch = RouteScratch(matchSteps: matchSteps)
        arena = ByteArena(capacity: 8192, limit: EvaluationLimits.valueBytes)
        arena.append("httpsGET")
    }

    /// The bytes that the arena always begins with, because most requests need them.
    static let constants = ByteRange(0, 8)
    /// The constant `https`, of which `http` is a part.
    static let https = ByteRange(0, 5)
    static let http = ByteRange(0, 4)
    /// The constant `GET`.
    static let get = ByteRange(5, 8)
}
