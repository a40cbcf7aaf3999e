package import ShuntCore
import ShuntRouting

/// Everything that one evaluation changes: trivial to copy, and made anew for each request.
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
    var changesLeft: Int = 0
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
    /// Where steps are recorded; nil costs nothing.
    var recorder: TraceRecorder?
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

/// The state of an evaluator as its properties.
///
/// It lies behind constant pointers and not in variables of the class: those are checked at run time for overlapping
/// access, which cost a sixth of an evaluation. The pointers are made in `init`, freed in `deinit` and never given away,
/// and an evaluator is used by one thread at a time, so each access below is to initialised memory that nobody else
/// touches.
extension Evaluator {
    package var recorder: TraceRecorder? {
        @inline(__always) _read { yield unsafe memory.pointee.recorder }
        @inline(__always) _modify { yield unsafe &memory.pointee.recorder }
    }

    var isForURL: Bool {
        @inline(__always) _read { yield unsafe state.pointee.isForURL }
        @inline(__always) _modify { yield unsafe &state.pointee.isForURL }
    }

    var subjectFits: Bool {
        @inline(__always) _read { yield unsafe state.pointee.subjectFits }
        @inline(__always) _modify { yield unsafe &state.pointee.subjectFits }
    }

    var subject: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.subject }
        @inline(__always) _modify { yield unsafe &state.pointee.subject }
    }

    var requestHost: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.requestHost }
        @inline(__always) _modify { yield unsafe &state.pointee.requestHost }
    }

    var hasRequestHost: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hasRequestHost }
        @inline(__always) _modify { yield unsafe &state.pointee.hasRequestHost }
    }

    var requestPort: Int {
        @inline(__always) _read { yield unsafe state.pointee.requestPort }
        @inline(__always) _modify { yield unsafe &state.pointee.requestPort }
    }

    var requestTime: Timestamp? {
        @inline(__always) _read { yield unsafe state.pointee.requestTime }
        @inline(__always) _modify { yield unsafe &state.pointee.requestTime }
    }

    var phase: Evaluator.Phase {
        @inline(__always) _read { yield unsafe state.pointee.phase }
        @inline(__always) _modify { yield unsafe &state.pointee.phase }
    }

    var method: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.method }
        @inline(__always) _modify { yield unsafe &state.pointee.method }
    }

    var methodKind: MethodKind {
        @inline(__always) _read { yield unsafe state.pointee.methodKind }
        @inline(__always) _modify { yield unsafe &state.pointee.methodKind }
    }

    var originalMethod: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.originalMethod }
        @inline(__always) _modify { yield unsafe &state.pointee.originalMethod }
    }

    var clientAddress: InternetAddress? {
        @inline(__always) _read { yield unsafe state.pointee.clientAddress }
        @inline(__always) _modify { yield unsafe &state.pointee.clientAddress }
    }

    var hasClientAddress: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hasClientAddress }
        @inline(__always) _modify { yield unsafe &state.pointee.hasClientAddress }
    }

    var hasRealAddress: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hasRealAddress }
        @inline(__always) _modify { yield unsafe &state.pointee.hasRealAddress }
    }

    var timestamp: Timestamp {
        @inline(__always) _read { yield unsafe state.pointee.timestamp }
        @inline(__always) _modify { yield unsafe &state.pointee.timestamp }
    }

    var hasTimestamp: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hasTimestamp }
        @inline(__always) _modify { yield unsafe &state.pointee.hasTimestamp }
    }

    var listen: Int32 {
        @inline(__always) _read { yield unsafe state.pointee.listen }
        @inline(__always) _modify { yield unsafe &state.pointee.listen }
    }

    var url: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.url }
        @inline(__always) _modify { yield unsafe &state.pointee.url }
    }

    var parts: URLParts {
        @inline(__always) _read { yield unsafe state.pointee.parts }
        @inline(__always) _modify { yield unsafe &state.pointee.parts }
    }

    var urlChanged: Bool {
        @inline(__always) _read { yield unsafe state.pointee.urlChanged }
        @inline(__always) _modify { yield unsafe &state.pointee.urlChanged }
    }

    var urlError: URLSyntaxError? {
        @inline(__always) _read { yield unsafe state.pointee.urlError }
        @inline(__always) _modify { yield unsafe &state.pointee.urlError }
    }

    var requestURI: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.requestURI }
        @inline(__always) _modify { yield unsafe &state.pointee.requestURI }
    }

    var receivedURI: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.receivedURI }
        @inline(__always) _modify { yield unsafe &state.pointee.receivedURI }
    }

    var receivedArguments: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.receivedArguments }
        @inline(__always) _modify { yield unsafe &state.pointee.receivedArguments }
    }

    var uri: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.uri }
        @inline(__always) _modify { yield unsafe &state.pointee.uri }
    }

    var arguments: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.arguments }
        @inline(__always) _modify { yield unsafe &state.pointee.arguments }
    }

    var host: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.host }
        @inline(__always) _modify { yield unsafe &state.pointee.host }
    }

    var authority: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.authority }
        @inline(__always) _modify { yield unsafe &state.pointee.authority }
    }

    var hasHost: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hasHost }
        @inline(__always) _modify { yield unsafe &state.pointee.hasHost }
    }

    var isSecure: Bool {
        @inline(__always) _read { yield unsafe state.pointee.isSecure }
        @inline(__always) _modify { yield unsafe &state.pointee.isSecure }
    }

    var needsEscape: Bool {
        @inline(__always) _read { yield unsafe state.pointee.needsEscape }
        @inline(__always) _modify { yield unsafe &state.pointee.needsEscape }
    }

    var isQuoted: Bool {
        @inline(__always) _read { yield unsafe state.pointee.isQuoted }
        @inline(__always) _modify { yield unsafe &state.pointee.isQuoted }
    }

    var receivedTargetIsValid: Bool {
        @inline(__always) _read { yield unsafe state.pointee.receivedTargetIsValid }
        @inline(__always) _modify { yield unsafe &state.pointee.receivedTargetIsValid }
    }

    var changesLeft: Int {
        @inline(__always) _read { yield unsafe state.pointee.changesLeft }
        @inline(__always) _modify { yield unsafe &state.pointee.changesLeft }
    }

    var isInternal: Bool {
        @inline(__always) _read { yield unsafe state.pointee.isInternal }
        @inline(__always) _modify { yield unsafe &state.pointee.isInternal }
    }

    var uriChanged: Bool {
        @inline(__always) _read { yield unsafe state.pointee.uriChanged }
        @inline(__always) _modify { yield unsafe &state.pointee.uriChanged }
    }

    var locationIsValid: Bool {
        @inline(__always) _read { yield unsafe state.pointee.locationIsValid }
        @inline(__always) _modify { yield unsafe &state.pointee.locationIsValid }
    }

    var addsURIToAlias: Bool {
        @inline(__always) _read { yield unsafe state.pointee.addsURIToAlias }
        @inline(__always) _modify { yield unsafe &state.pointee.addsURIToAlias }
    }

    var server: Int32 {
        @inline(__always) _read { yield unsafe state.pointee.server }
        @inline(__always) _modify { yield unsafe &state.pointee.server }
    }

    var currentSettings: Int32 {
        @inline(__always) _read { yield unsafe state.pointee.currentSettings }
        @inline(__always) _modify { yield unsafe &state.pointee.currentSettings }
    }

    var contentHandler: ContentHandler {
        @inline(__always) _read { yield unsafe state.pointee.contentHandler }
        @inline(__always) _modify { yield unsafe &state.pointee.contentHandler }
    }

    var currentLocation: Int32 {
        @inline(__always) _read { yield unsafe state.pointee.currentLocation }
        @inline(__always) _modify { yield unsafe &state.pointee.currentLocation }
    }

    var escapesCaptures: Bool {
        @inline(__always) _read { yield unsafe state.pointee.escapesCaptures }
        @inline(__always) _modify { yield unsafe &state.pointee.escapesCaptures }
    }

    var pendingLocation: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.pendingLocation }
        @inline(__always) _modify { yield unsafe &state.pointee.pendingLocation }
    }

    var hasPendingLocation: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hasPendingLocation }
        @inline(__always) _modify { yield unsafe &state.pointee.hasPendingLocation }
    }

    var errorStatus: Int32 {
        @inline(__always) _read { yield unsafe state.pointee.errorStatus }
        @inline(__always) _modify { yield unsafe &state.pointee.errorStatus }
    }

    var limitRate: Int {
        @inline(__always) _read { yield unsafe state.pointee.limitRate }
        @inline(__always) _modify { yield unsafe &state.pointee.limitRate }
    }

    var errorPageUsed: Bool {
        @inline(__always) _read { yield unsafe state.pointee.errorPageUsed }
        @inline(__always) _modify { yield unsafe &state.pointee.errorPageUsed }
    }

    var responseStatus: Int32 {
        @inline(__always) _read { yield unsafe state.pointee.responseStatus }
        @inline(__always) _modify { yield unsafe &state.pointee.responseStatus }
    }

    package var outcome: Outcome {
        @inline(__always) _read { yield unsafe state.pointee.outcome }
        @inline(__always) _modify { yield unsafe &state.pointee.outcome }
    }

    package var responseHeaders: [(name: [UInt8], value: ByteRange)] {
        @inline(__always) _read { yield unsafe memory.pointee.responseHeaders }
        @inline(__always) _modify { yield unsafe &memory.pointee.responseHeaders }
    }

    package var successHeaders: [(name: [UInt8], value: ByteRange)] {
        @inline(__always) _read { yield unsafe memory.pointee.successHeaders }
        @inline(__always) _modify { yield unsafe &memory.pointee.successHeaders }
    }

    var position: SourcePosition {
        @inline(__always) _read { yield unsafe state.pointee.position }
        @inline(__always) _modify { yield unsafe &state.pointee.position }
    }

    var changePosition: SourcePosition {
        @inline(__always) _read { yield unsafe state.pointee.changePosition }
        @inline(__always) _modify { yield unsafe &state.pointee.changePosition }
    }

    var slots: [Evaluator.Slot] {
        @inline(__always) _read { yield unsafe memory.pointee.slots }
        @inline(__always) _modify { yield unsafe &memory.pointee.slots }
    }

    var stamp: UInt32 {
        @inline(__always) _read { yield unsafe memory.pointee.stamp }
        @inline(__always) _modify { yield unsafe &memory.pointee.stamp }
    }

    var requestStamp: UInt32 {
        @inline(__always) _read { yield unsafe memory.pointee.requestStamp }
        @inline(__always) _modify { yield unsafe &memory.pointee.requestStamp }
    }

    var depth: Int {
        @inline(__always) _read { yield unsafe state.pointee.depth }
        @inline(__always) _modify { yield unsafe &state.pointee.depth }
    }

    var pending: [ByteRange] {
        @inline(__always) _read { yield unsafe memory.pointee.pending }
        @inline(__always) _modify { yield unsafe &memory.pointee.pending }
    }

    var captures: [ByteRange] {
        @inline(__always) _read { yield unsafe memory.pointee.captures }
        @inline(__always) _modify { yield unsafe &memory.pointee.captures }
    }

    var secureLinkExpires: ByteRange {
        @inline(__always) _read { yield unsafe state.pointee.secureLinkExpires }
        @inline(__always) _modify { yield unsafe &state.pointee.secureLinkExpires }
    }

    var routeSubject: RouteSubject? {
        @inline(__always) _read { yield unsafe state.pointee.routeSubject }
        @inline(__always) _modify { yield unsafe &state.pointee.routeSubject }
    }

    var hostIsProven: Bool {
        @inline(__always) _read { yield unsafe state.pointee.hostIsProven }
        @inline(__always) _modify { yield unsafe &state.pointee.hostIsProven }
    }

    var captureCount: Int {
        @inline(__always) _read { yield unsafe state.pointee.captureCount }
        @inline(__always) _modify { yield unsafe &state.pointee.captureCount }
    }
}
