import ShuntCore

/// What is going to be answered.
struct Answer {
    /// A header that rules add: name in the program, value in the arena.
    typealias Header = (name: [UInt8], value: ByteRange)

    /// What was decided so far; a failure never touches it.
    var outcome = Outcome()
    /// The failure that was caught, until `error_page` was asked: here, so that a step is small.
    var failure: EvaluationFailure?
    /// The Location, where there is one.
    var location = ByteRange.empty
    var hasLocation = false
    /// The status that `error_page` was asked for.
    var errorStatus: Int32 = 0
    var errorPageUsed = false
    var responseStatus: Int32 = 0
    var headers: [Header] = []
    /// The headers of a forwarded request that count only for the usual statuses.
    var successHeaders: [Header] = []

    @inline(__always)
    mutating func begin() {
        outcome.begin()
        location = .empty
        hasLocation = false
        errorStatus = 0
        errorPageUsed = false
        responseStatus = 0
        removeHeaders()
    }

    @inline(__always)
    mutating func removeHeaders() {
        if !headers.isEmpty { headers.removeAll(keepingCapacity: true) }
        if !successHeaders.isEmpty { successHeaders.removeAll(keepingCapacity: true) }
    }
}
