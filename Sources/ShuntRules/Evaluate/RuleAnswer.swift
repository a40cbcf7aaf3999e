import ShuntCore

/// The answer in progress.
struct RuleAnswer {
    /// A header that rules add: name in the program, value in the arena.
    typealias Header = (name: [UInt8], value: ByteRange)

    // What `begin` writes is together, so that a few stores do it.
    /// The Location, where there is one.
    var location = ByteRange.empty
    /// The status that `error_page` was asked for.
    var errorStatus: Int32 = 0
    var responseStatus: Int32 = 0
    var hasLocation = false
    /// True if the body of the request goes nowhere: an answer of the rules or a file is being made.
    var dropsBody = false
    var errorPageUsed = false
    /// True if the connection ends with the answer, as nginx has it after some statuses.
    var endsConnection = false
    /// True if what the rules add to the answer of a file or an upstream depends on it.
    var awaitsAnswer = false
    /// True if `extras` counts: other evaluations pay nothing for it.
    private var hasExtras = false
    /// The decision so far; a failure never touches it.
    var outcome = Outcome()
    /// The failure that was caught, until `error_page` was asked: here, so that a step is small.
    var failure: EvaluationFailure?
    var headers: [Header] = []
    /// The time and the character set of an answer before, if this one has none.
    private var extras: (expiry: Expiry?, charset: AnswerCharset?)
    /// Those of answers of upstreams after which the request was decided about again, and the type of such an answer.
    ///
    /// They count only where the server's state has them: other evaluations pay nothing for them.
    var kept: [Header] = []
    var keptType: ByteRange?
    /// The headers of a forwarded request that count only for the usual statuses.
    var successHeaders: [Header] = []
    /// The headers that an upstream gets instead of the client's; one with an empty value removes it.
    ///
    /// They count only where the outcome has an upstream, which begins them again: every other evaluation pays nothing for them.
    var upstreamHeaders: [Header] = []
    /// The key that chooses the server of a group with `hash`; it counts as `upstreamHeaders` do.
    var balancingKey = ByteRange.empty
    /// The values of `proxy_ssl_name`, `proxy_method` and `proxy_set_body`, if there are any; they count as `upstreamHeaders` do.
    var upstreamName: ByteRange?
    var upstreamMethod: ByteRange?
    var upstreamBody: ByteRange?
    /// The changes to cookies of the upstream; they count as `upstreamHeaders` do.
    var cookies: UpstreamCookies?
    /// The values of the request that a `proxy_redirect` needs; they count as `upstreamHeaders` do.
    var redirectValues: [ByteRange] = []
    /// True if a variable of the answer was read.
    var readsAnswer = false
    /// The type of the file, and the length of the part of its path that may have links; they count if the outcome is a file.
    var fileType = ByteRange.empty
    var linksStart = 0
    /// The values of the request that access logs need; they count if they are requested.
    var logValues: [ByteRange] = []

    /// The time that the answer may be kept, if it has a usual status.
    var expiry: Expiry? {
        get { hasExtras ? extras.expiry : nil }
        set {
            extras = (newValue, charset)
            hasExtras = true
        }
    }

    /// The character set that the type of an upstream's answer gets.
    var charset: AnswerCharset? {
        get { hasExtras ? extras.charset : nil }
        set {
            extras = (expiry, newValue)
            hasExtras = true
        }
    }

    @inline(__always)
    mutating func begin() {
        location = .empty
        errorStatus = 0
        responseStatus = 0
        hasLocation = false
        dropsBody = false
        errorPageUsed = false
        endsConnection = false
        awaitsAnswer = false
        outcome.begin()
        removeHeaders()
    }

    /// Begins again, for other rules; only the memory for headers stays.
    mutating func empty() {
        removeHeaders()
        upstreamHeaders.removeAll(keepingCapacity: true)
        var empty = RuleAnswer()
        swap(&empty.headers, &headers)
        swap(&empty.successHeaders, &successHeaders)
        swap(&empty.upstreamHeaders, &upstreamHeaders)
        self = empty
    }

    @inline(__always)
    mutating func removeHeaders() {
        // One by one, which for the few that there are is quicker than all together.
        while !headers.isEmpty { headers.removeLast() }
        while !successHeaders.isEmpty { successHeaders.removeLast() }
        hasExtras = false
    }
}
