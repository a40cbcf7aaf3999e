package import ShuntCore
import ShuntPatterns

/// How a program is evaluated.
package struct EvaluationOptions: Sendable {
    /// Whether rules are tried one after another, without the index: the reference that the index is compared with.
    package var isLinear = false
    /// The files that `-f`, `try_files`, `index` and `root` look at; nil answers every test with no.
    package var fileSystem: (any FileSystem)?
    /// The root of locations that set none. With it, a request that nothing decided is looked up as a file, as nginx
    /// does; without it such a request is forwarded.
    package var documentRoot: [UInt8]?

    package init() {}
}

/// Evaluates requests against one program, one after another, reusing its memory.
///
/// Not thread safe: each thread or task has its own. A request that no rule touches allocates nothing. The phases are
/// those of nginx (http://nginx.org/en/docs/dev/development_guide.html#http_phases), with the URL phase before them.
package final class Evaluator {
    package let program: Program
    package let options: EvaluationOptions
    package let arena: ByteArena
    let scratch = MatchScratch()
    /// Where steps are recorded; nil costs nothing.
    package var recorder: TraceRecorder?

    /// The value of a variable, with the phase it was computed in or the request it was assigned in.
    struct Slot {
        var computed: UInt32 = 0
        var assigned: UInt32 = 0
        var range = ByteRange.empty
    }

    /// Which rules are running.
    enum Phase: UInt8 {
        case url
        case server
    }

    // The request.
    var request = Request(url: "")
    var phase = Phase.url
    var method = ByteRange.empty
    var originalMethod = ByteRange.empty
    var remoteAddress: InternetAddress?
    /// Whether a header has replaced the address.
    var hasRealAddress = false
    var timestamp = Timestamp(seconds: 0)
    var hasTimestamp = false
    var listen: Int32 = -1

    // The URL as it stands in the URL phase.
    var url = ByteRange.empty
    var parts = URLParts(scheme: .empty, path: .empty)
    var urlChanged = false
    var urlError: URLSyntaxError?

    // The request as the server phase sees it.
    var requestURI = ByteRange.empty
    /// `uri` and `arguments` as they came in, to see whether a rule changed them.
    var receivedURI = ByteRange.empty
    var receivedArguments = ByteRange.empty
    var uri = ByteRange.empty
    var arguments = ByteRange.empty
    var host = ByteRange.empty
    /// The host and port as the request names them.
    var authority = ByteRange.empty
    var hasHost = false
    var isSecure = false
    var needsEscape = false
    /// Whether the path came with a percent sign in it.
    var isQuoted = false
    /// Whether `requestURI` still is what the request asks for.
    var receivedTargetIsValid = true
    var changesLeft = 0
    var isInternal = false
    var uriChanged = false
    /// Whether the path still is the one the location was chosen for, as `alias` needs it.
    var locationIsValid = true
    var addsURIToAlias = false
    var server: Int32 = -1
    var currentSettings: Int32 = -1
    var currentLocation: Int32 = -1
    /// Whether captures are escaped in `set` and `if`: until the first rewrite of the sequence has matched.
    var escapesCaptures = false

    // What has been produced.
    var pendingLocation = ByteRange.empty
    var hasPendingLocation = false
    var errorStatus: Int32 = 0
    /// What `$limit_rate` was set to, in bytes a second.
    var limitRate = 0
    var errorPageUsed = false
    var responseStatus: Int32 = 0
    package var outcome = Outcome()
    /// The headers of the outcome: name in the program, value in the arena.
    package var responseHeaders: [(name: [UInt8], value: ByteRange)] = []
    /// The headers of a forwarded request that count only for the usual statuses.
    package var successHeaders: [(name: [UInt8], value: ByteRange)] = []
    /// The rule that last had a say, for outcomes that follow from it.
    var position = SourcePosition.none
    /// The rule that last changed the URL, the path or the arguments: what a forwarded request owes its URL to.
    var lastChange = SourcePosition.none

    // Values.
    var slots: [Slot]
    /// The phase that computed values belong to.
    var stamp: UInt32 = 0
    /// The request that assigned values belong to: its first phase.
    var requestStamp: UInt32 = 0
    var depth = 0
    /// Ranges of the variables of the strings being assembled; strings nest through `map`.
    var pending: [ByteRange] = []
    /// The numbered captures, `captures[1]` being `$1`.
    var captures: [ByteRange]
    var captureCount = 0

    /// Makes an evaluator for `program`.
    package init(_ program: Program, options: EvaluationOptions = EvaluationOptions()) {
        self.program = program
        self.options = options
        arena = ByteArena(capacity: 8192, limit: EvaluationLimits.valueBytes)
        slots = Array(repeating: Slot(), count: program.variables.count)
        captures = Array(repeating: .empty, count: 10)
        pending.reserveCapacity(64)
    }

    /// Decides about `request`. The ranges of the outcome hold until the next call.
    package func evaluate(_ request: Request) -> Outcome {
        reset(to: request)
        switch request.subject {
        case .url(let bytes): begin(url: bytes)
        case .target(let target, let host): begin(target: target, host: host)
        }
        if arena.overflowed, outcome.reason != .valueTooLong {
            fail(.valueTooLong, status: 500)
        }
        recorder?.record(decision: outcome, in: self)
        return outcome
    }

    private func reset(to request: Request) {
        self.request = request
        arena.removeAll()
        phase = .url
        nextStamp()
        requestStamp = stamp
        method = append(request.method)
        originalMethod = method
        remoteAddress = nil
        hasTimestamp = false
        listen = -1
        urlChanged = false
        urlError = nil
        parts = URLParts(scheme: .empty, path: .empty)
        url = .empty
        requestURI = .empty
        uri = .empty
        arguments = .empty
        host = .empty
        authority = .empty
        hasHost = false
        isSecure = false
        needsEscape = false
        isQuoted = false
        receivedTargetIsValid = true
        changesLeft = EvaluationLimits.changes + 1
        isInternal = false
        uriChanged = false
        locationIsValid = true
        addsURIToAlias = false
        server = -1
        currentSettings = -1
        currentLocation = -1
        escapesCaptures = false
        hasPendingLocation = false
        errorStatus = 0
        limitRate = 0
        errorPageUsed = false
        responseStatus = 0
        outcome = Outcome()
        responseHeaders.removeAll(keepingCapacity: true)
        successHeaders.removeAll(keepingCapacity: true)
        hasRealAddress = false
        position = .none
        lastChange = .none
        depth = 0
        pending.removeAll(keepingCapacity: true)
        captureCount = 0
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
        outcome.hasBody = false
        outcome.server = server
        outcome.location = currentLocation
        outcome.hasURI = false
        responseHeaders.removeAll(keepingCapacity: true)
    }
}
