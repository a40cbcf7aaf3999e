package import ShuntCore
import ShuntPatterns
import ShuntRouting

/// How a program is evaluated.
package struct EvaluationOptions: Sendable {
    /// Whether rules are tried one after another, without the index: the reference that the index is compared with.
    package var isLinear = false
    /// The files that `-f`, `try_files`, `index` and `root` look at; nil answers every test with no.
    package var fileSystem: (any FileSystem)?
    /// The root of locations that set none.
    ///
    /// With it, a request that nothing decided is looked up as a file, as nginx does; without it such a request is
    /// forwarded.
    package var documentRoot: [UInt8]?
    /// What the expressions that an evaluation matches may cost together; see `MatchScratch`.
    package var matchSteps = MatchScratch.standardSteps

    package init() {}
}

/// Evaluates requests against one program, one after another, reusing its memory.
///
/// Not thread safe: each thread or task has its own. A request that no rule touches allocates nothing. The phases are
/// those of nginx (http://nginx.org/en/docs/dev/development_guide.html#http_phases), with the URL phase before them.
@safe
package final class Evaluator {
    package let program: Program
    package let options: EvaluationOptions
    package let arena: ByteArena
    /// Whether there are files to look at; asking `options` would count references.
    let servesFiles: Bool
    let scratch: MatchScratch
    let routeScratch: RouteScratch

    /// The value of a variable, with the phase it was computed in or the request it was assigned in.
    struct Slot {
        var computed: UInt32 = 0
        var assigned: UInt32 = 0
        var range = ByteRange.empty
    }

    /// What the arena always begins with, because most requests need it.
    static let constants = ByteRange(0, 8)
    /// The constant `https`, of which `http` is a part.
    static let https = ByteRange(0, 5)
    /// The constant `GET`.
    static let get = ByteRange(5, 8)

    /// Which rules are running.
    enum Phase: UInt8 {
        case url
        case server
    }

    /// What one evaluation changes; see `Evaluator+State.swift` for why it is reached through a pointer.
    let state: UnsafeMutablePointer<EvaluationState>
    /// What an evaluation begins with: copying it takes less than making it anew.
    private let initialState: UnsafeMutablePointer<EvaluationState>
    /// What stays from one evaluation to the next.
    let memory: UnsafeMutablePointer<EvaluationMemory>

    /// Makes an evaluator for `program`.
    package init(_ program: Program, options: EvaluationOptions = EvaluationOptions()) {
        self.program = program
        self.options = options
        servesFiles = options.fileSystem != nil
        scratch = MatchScratch(steps: options.matchSteps)
        routeScratch = RouteScratch(matchSteps: options.matchSteps)
        arena = ByteArena(capacity: 8192, limit: EvaluationLimits.valueBytes)
        arena.append("httpsGET")
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: EvaluationState())
        unsafe initialState = .allocate(capacity: 1)
        unsafe initialState.initialize(to: EvaluationState())
        unsafe memory = .allocate(capacity: 1)
        unsafe memory.initialize(to: EvaluationMemory())
        slots = Array(repeating: Slot(), count: program.variables.count)
        pending.reserveCapacity(64)
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        unsafe initialState.deinitialize(count: 1)
        unsafe initialState.deallocate()
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }

    /// Decides about `request`.
    ///
    /// The ranges of the outcome hold until the next call.
    package func evaluate(_ request: borrowing Request) -> Outcome {
        reset()
        take(request)
        if isForURL { beginWithURL() } else { beginWithTarget() }
        if outcome.action == .forward, !arena.overflowed { findRoute() }
        // Whatever was decided after a value did not fit was decided about values that are not there.
        if arena.overflowed { fail(.valueTooLong, status: 500) }
        recorder?.record(decision: outcome, in: self)
        forgetRequest()
        return outcome
    }

    /// The client's address: that of the connection, or the one a trusted proxy names.
    var remoteAddress: InternetAddress? {
        get {
            if !hasClientAddress {
                clientAddress = InternetAddress(requestAddress)
                hasClientAddress = true
            }
            return clientAddress
        }
        set {
            clientAddress = newValue
            hasClientAddress = true
        }
    }

    private func reset() {
        scratch.renew()
        arena.removeAll(after: Self.constants.count)
        nextStamp()
        unsafe state.update(from: initialState, count: 1)
        requestStamp = stamp
        if !responseHeaders.isEmpty { responseHeaders.removeAll(keepingCapacity: true) }
        if !successHeaders.isEmpty { successHeaders.removeAll(keepingCapacity: true) }
        if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
        recorder?.begin()
    }

    /// Forgets every computed value; assigned ones stay.
    func nextStamp() {
        stamp &+= 1
        if stamp == 0 {
            for index in slots.indices { slots[index] = Slot() }
            stamp = 1
        }
    }

    func append(_ bytes: [UInt8]) -> ByteRange {
        let mark = arena.mark
        arena.append(bytes)
        return arena.range(from: mark)
    }

    /// A copy of a constant of the program in the arena.
    func append(constant range: ByteRange) -> ByteRange {
        let mark = arena.mark
        arena.append(program.constants, range)
        return arena.range(from: mark)
    }

    /// Ends the evaluation with a failure.
    func fail(_ reason: FailureReason, status: Int32) {
        outcome.action = .fail
        outcome.reason = reason
        outcome.status = status
        outcome.position = position
        outcome.hasURL = false
        outcome.urlIsPending = false
        outcome.route = nil
        outcome.hasBody = false
        outcome.server = server
        outcome.location = currentLocation
        outcome.hasURI = false
        if !responseHeaders.isEmpty { responseHeaders.removeAll(keepingCapacity: true) }
        if !successHeaders.isEmpty { successHeaders.removeAll(keepingCapacity: true) }
    }
}
