import ShuntCore
import ShuntRouting

/// Everything that one evaluation changes: trivial to copy, and begun anew for each request.
@safe
struct EvaluationState {
    /// Whether the request is for a URL.
    var isForURL: Bool = false
    /// Whether the URL or the target is not too long.
    var subjectFits: Bool = false
    /// The URL or the target as it came in, if it fits.
    var subject: ByteRange = ByteRange.empty
    /// The Host that goes with the target.
    var requestHost: ByteRange = ByteRange.empty
    var hasRequestHost: Bool = false
    /// The client's port.
    var requestPort: Int = 0
    /// The time of the request, if it says so.
    var requestTime: Timestamp?
    var phase: Evaluator.Phase = Evaluator.Phase.url
    var method: ByteRange = ByteRange.empty
    var originalMethod: ByteRange = ByteRange.empty
    var methodKind: MethodKind = MethodKind.other
    var clientAddress: InternetAddress?
    /// Whether `clientAddress` was read from the request, or replaced.
    var hasClientAddress: Bool = false
    /// Whether a header has replaced the address.
    var hasRealAddress: Bool = false
    var timestamp: Timestamp = Timestamp(seconds: 0)
    var hasTimestamp: Bool = false
    var listen: Int32 = -1
    var url: ByteRange = ByteRange.empty
    var parts: URLParts = URLParts(scheme: .empty, path: .empty)
    var urlChanged: Bool = false
    var urlError: URLSyntaxError?
    var requestURI: ByteRange = ByteRange.empty
    /// `uri` and `arguments` as they came in, to see whether a rule changed them.
    var receivedURI: ByteRange = ByteRange.empty
    var receivedArguments: ByteRange = ByteRange.empty
    var uri: ByteRange = ByteRange.empty
    var arguments: ByteRange = ByteRange.empty
    var host: ByteRange = ByteRange.empty
    /// The host and port as the request names them.
    var authority: ByteRange = ByteRange.empty
    var hasHost: Bool = false
    var isSecure: Bool = false
    var needsEscape: Bool = false
    /// Whether the path came with a percent sign in it.
    var isQuoted: Bool = false
    /// Whether `requestURI` still is what the request asks for.
    var receivedTargetIsValid: Bool = true
    var changesLeft: Int = EvaluationLimits.changes + 1
    var isInternal: Bool = false
    var uriChanged: Bool = false
    /// Whether the path still is the one the location was chosen for, as `alias` needs it.
    var locationIsValid: Bool = true
    var addsURIToAlias: Bool = false
    var server: Int32 = -1
    var currentSettings: Int32 = -1
    var currentLocation: Int32 = -1
    /// The handler of the last settings that named one, since the location was found.
    var contentHandler = ContentHandler.none
    /// Whether captures are escaped in `set` and `if`: until the first rewrite of the sequence has matched.
    var escapesCaptures: Bool = false
    var pendingLocation: ByteRange = ByteRange.empty
    var hasPendingLocation: Bool = false
    var errorStatus: Int32 = 0
    /// What `$limit_rate` was set to, in bytes a second.
    var limitRate: Int = 0
    var errorPageUsed: Bool = false
    var responseStatus: Int32 = 0
    var outcome: Outcome = Outcome()
    /// The rule that is being tried, for decisions and failures that follow from it.
    var position: SourcePosition = SourcePosition.none
    /// The rule that last changed the URL or the path, which a forwarded request is owed to.
    var changePosition: SourcePosition = SourcePosition.none
    var depth: Int = 0
    /// Whether an index has found the host of the URL among the names of the next rule, which settles that it applies.
    var hostIsProven: Bool = false
    var captureCount: Int = 0
    /// What `$secure_link` has found behind the comma.
    var secureLinkExpires: ByteRange = ByteRange.empty
    /// The parts of the URL of the outcome, where they are known without taking it apart.
    var routeSubject: RouteSubject?
}

/// What an evaluator keeps from one request to the next: memory that is emptied, not freed.
struct EvaluationMemory {
    /// What is kept of the request.
    var headers: [Request.Header] = []
    var inputs: [String: [UInt8]] = [:]
    var address: String = ""
    var version: String = ""
    var listen: Request.Endpoint?
    var recorder: TraceRecorder?
    var isRecording = false
    /// The headers of the outcome: name in the program, value in the arena.
    var responseHeaders: [(name: [UInt8], value: ByteRange)] = []
    /// The headers of a forwarded request that count only for the usual statuses.
    var successHeaders: [(name: [UInt8], value: ByteRange)] = []
    var slots: [Evaluator.Slot] = []
    /// The phase that computed values belong to.
    var stamp: UInt32 = 0
    /// The request that assigned values belong to: its first phase.
    var requestStamp: UInt32 = 0
    /// Ranges of the variables of the strings being assembled; strings nest through `map`.
    var pending: [ByteRange] = []
    /// The numbered captures, `captures[1]` being `$1`.
    var captures: [ByteRange] = Array(repeating: .empty, count: 10)
}
