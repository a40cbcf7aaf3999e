package import ShuntCore
import ShuntRouting

/// The state of an evaluator as its properties.
///
/// It lies behind constant pointers and not in variables of the class: those are checked at run time for overlapping
/// access, which cost a sixth of an evaluation. The pointers are made in `init`, freed in `deinit` and never given away,
/// and an evaluator is used by one thread at a time, so each access below is to initialised memory that nobody else
/// touches.
extension Evaluator {
    /// Where steps are recorded; without one, looking costs a test.
    package var recorder: TraceRecorder? {
        @inline(__always) get { unsafe memory.pointee.isRecording ? memory.pointee.recorder : nil }
        @inline(__always)
        set {
            unsafe memory.pointee.recorder = newValue
            unsafe memory.pointee.isRecording = newValue != nil
        }
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
