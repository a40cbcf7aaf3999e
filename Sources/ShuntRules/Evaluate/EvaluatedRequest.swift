import ShuntCore

/// The request as it came in, which nothing changes.
///
/// What most evaluations read is copied into the arena; the rest is kept as it came, and only where there is any: a request is
/// borrowed, and taking an array out of it counts references, which costs more than the bytes.
struct EvaluatedRequest: ~Copyable {
    /// The values that every request has: trivial, and each written for every request.
    struct Line {
        var isForURL = false
        /// True if the URL or the target is not too long.
        var subjectFits = false
        /// The URL or the target as it came in, if it fits.
        var subject = ByteRange.empty
        /// The Host that goes with the target.
        var host = ByteRange.empty
        var hasHost = false
        /// True if the Host is the same as in the request before, and is a name that servers are chosen by without a change.
        var hostIsKnown = false
        /// The scheme, the Host and the target in the arena one after the other: mostly the requested URL.
        var joined = ByteRange.empty
        var method = ByteRange.empty
        var methodKind = MethodKind.other
        var remotePort = 0
        /// The time of the request, once it is known: set by the caller, or from the first read of the clock.
        var time: Timestamp?
    }

    var line = Line()
    /// The header lines, a Host that goes with the target not among them.
    private(set) var headers: [RuleRequest.Header] = []
    private var inputs = RequestInputs()
    /// The address of the connection.
    private(set) var remoteAddress = "" { didSet { knownAddress = .none } }
    /// The same as a number; nil until it is read, and the inner nil for a Unix socket.
    private var knownAddress: InternetAddress??
    private(set) var version = ""
    private(set) var isVersion11 = false
    /// A Host that needs no change, which stays at the arena's beginning; empty where there is none.
    ///
    /// The requests of one evaluation mostly have the same host, and so it is read once.
    private var knownHost = ByteRange.empty
    private var knownHostIsSecure = false
    /// The place where the request arrived, if it has one.
    private(set) var listen: RuleRequest.Endpoint?
    /// The place where the last request with one arrived, and the `listen` of the rules for that: connections
    /// bring many requests.
    private var earlierListen: (endpoint: RuleRequest.Endpoint, index: TableIndex<ListenGroup>)?
    /// The gates that are not in the rules; without them `auth_basic` admits every request.
    var gate: (any AccessGate)?
    /// True if there is anything of what few requests have: headers, inputs, or where the request arrived.
    private(set) var hasMore = false

    /// Takes over what is read before any byte is read.
    @inline(__always)
    mutating func takeContext(_ request: borrowing RuleRequest) {
        // Mostly they are what they were, and comparing costs less than counting references.
        if remoteAddress != request.remoteAddress { remoteAddress = request.remoteAddress }
        if version != request.version {
            version = request.version
            isVersion11 = version == "1.1"
        }
        if request.listen != nil || !request.headers.isEmpty || !request.inputs.isEmpty { takeMore(request) }
    }

    @inline(never)
    private mutating func takeMore(_ request: borrowing RuleRequest) {
        listen = request.listen
        headers = request.headers
        inputs = request.inputs
        hasMore = true
    }

    /// Copies the bytes that are read on every request into the arena.
    @inline(__always)
    mutating func takeBytes(_ request: borrowing RuleRequest, isSecure: Bool, into arena: ByteArena) {
        line.isForURL = request.isForURL
        let subjectFits = request.bytes.count <= EvaluationLimits.targetBytes
        line.subjectFits = subjectFits
        if let host = request.host {
            line.hasHost = true
            if !knownHost.isEmpty, isSecure == knownHostIsSecure, arena.holds(host, at: knownHost) {
                arena.removeAll(after: Int(knownHost.end))
                line.host = knownHost
                line.hostIsKnown = true
            } else {
                line.hostIsKnown = false
                knownHost = .empty
                arena.removeAll(after: EvaluationMemory.constants.count)
                arena.append(isSecure ? "https://" : "http://")
                let mark = arena.mark
                arena.append(host)
                line.host = arena.range(from: mark)
            }
        } else {
            line.hasHost = false
            line.hostIsKnown = false
            line.host = .empty
            knownHost = .empty
            arena.removeAll(after: EvaluationMemory.constants.count)
        }
        if subjectFits {
            let mark = arena.mark
            arena.append(request.bytes)
            line.subject = arena.range(from: mark)
            line.joined = ByteRange(EvaluationMemory.constants.count, arena.mark)
        } else {
            line.subject = .empty
            line.joined = .empty
        }
        line.methodKind = MethodKind(request.methodBytes.span)
        if line.methodKind == .get {
            line.method = EvaluationMemory.get
        } else {
            let mark = arena.mark
            arena.append(request.methodBytes)
            line.method = arena.range(from: mark)
        }
        line.remotePort = request.remotePort
        line.time = request.time
    }

    /// Keeps the Host where it is, for the next request: servers are chosen by it as it came.
    mutating func keepHost(isSecure: Bool) {
        knownHost = line.host
        knownHostIsSecure = isSecure
    }

    /// The `listen` of the rules for where the request arrived, if the one before arrived there.
    var knownListen: TableIndex<ListenGroup>? {
        guard let listen, let earlierListen, earlierListen.endpoint == listen else { return nil }
        return earlierListen.index
    }

    /// Keeps the `listen` that was chosen, for the next request.
    mutating func keepListen(_ index: TableIndex<ListenGroup>) {
        guard let listen, knownListen == nil else { return }
        earlierListen = (listen, index)
    }

    /// Releases what was kept of the request: what waits for the next one must not hold on to what a client has sent.
    @inline(__always)
    mutating func forget() { if hasMore { forgetMore() } }

    @inline(never)
    private mutating func forgetMore() {
        headers = []
        listen = nil
        inputs = RequestInputs()
        hasMore = false
    }

    func input(_ name: String) -> [UInt8]? { inputs[name] }

    /// The address of the connection, read once for all requests from it; nil for a Unix socket.
    mutating func address() -> InternetAddress? {
        if let knownAddress { return knownAddress }
        let address = InternetAddress(remoteAddress)
        knownAddress = .some(address)
        return address
    }

    /// The time of the request: one value for all rules.
    mutating func time() -> Timestamp {
        if let time = line.time { return time }
        let now = Timestamp.now()
        line.time = now
        return now
    }
}
