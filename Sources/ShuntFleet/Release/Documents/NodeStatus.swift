public import ShuntCore

/// The status of a node: its release, and the state of its rules.
public struct NodeStatus: Sendable, Hashable {
    /// The state of a release at a node.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It is fetched, compiled or tried.
        case loading
        /// It is in use, and a restart would use it without any carrier.
        case applied
        /// It is in use, but could not be written to the disk.
        case unkept
        /// It was refused for what it is.
        case rejected
        /// It failed for want of something: memory, a place on the disk.
        case failed
        /// It is not tried, for a reason that has nothing to do with its rules.
        case held
    }

    /// The counts of requests since the release is in use.
    public struct Counters: Sendable, Hashable {
        /// All requests.
        public var requests = 0
        /// Those whose decision failed.
        public var fail = 0
        /// Answers from 400 to 499.
        public var clientErrors = 0
        /// Answers from 500 on.
        public var serverErrors = 0
        /// Requests that reached a limit.
        public var limit = 0
        /// The 99th percentile of the time for a decision or a request, in microseconds, of late; 0 where it is not known.
        ///
        /// All nodes of a fleet have to measure the same.
        public var slowMicroseconds = 0

        /// Nothing counted.
        public init() {}
    }

    /// The name of the node.
    public var node: String
    /// The number of the release that the state is about.
    public var sequence: Int
    /// Its set.
    public var set: ContentName
    /// The state.
    public var state: State
    /// The number of the release that decides requests; 0 for none.
    public var serving: Int
    /// By the node's own clock.
    public var at: Timestamp
    /// The reason, for people; at most 16 KiB.
    public var error: String?
    /// The version of Shunt.
    public var version: String
    /// The counts of requests.
    public var counters: Counters

    /// The longest reason, in bytes.
    public static let longestError = 16 << 10
    /// The most bytes of the JSON text.
    public static let longest = 128 << 10

    /// Makes a status; a reason that is too long is cut.
    public init(
        node: String,
        sequence: Int,
        set: ContentName,
        state: State,
        serving: Int,
        at: Timestamp,
        error: String? = nil,
        version: String = "",
        counters: Counters = Counters()
    ) {
        self.node = node
        self.sequence = sequence
        self.set = set
        self.state = state
        self.serving = serving
        self.at = at
        self.error = error.map { Self.cut($0) }
        self.version = version
        self.counters = counters
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestError else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestError - 3)
        while String.Index(end, within: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end]) + "…"
    }

    /// Returns true if this reports something that another status of the same node has not reported.
    func isNews(after last: NodeStatus) -> Bool {
        // What is held hides nothing that was reported of the same release: the reason it was refused with is more
        // specific.
        if state == .held, last.sequence == sequence, [.rejected, .failed].contains(last.state) { return false }
        var other = self
        other.at = last.at
        return other != last
    }

    /// The JSON text.
    public var encoded: [UInt8] {
        let numbers: JSONObject = [
            "requests": counters.requests,
            "fail": counters.fail,
            "s4xx": counters.clientErrors,
            "s5xx": counters.serverErrors,
            "limit": counters.limit,
            "p99_us": counters.slowMicroseconds,
        ]
        let object: JSONObject = [
            "format": 1,
            "node": node,
            "sequence": sequence,
            "set": set.hexadecimal,
            "state": state.rawValue,
            "serving": serving,
            "at": at.description,
            "error": error,
            "shunt": version,
            "counters": numbers,
        ]
        return object.bytes
    }

    /// Reads a status.
    public init(decoding bytes: [UInt8]) throws(DocumentError) {
        let fields = try DocumentFields(bytes, "status", limit: Self.longest)
        node = try fields.parsed("node", what: FleetName.description) { FleetName.isValid($0) ? $0 : nil }
        sequence = try fields.integer("sequence", in: 0...(1 << 53))
        set = try fields.contentName("set")
        state = try fields.parsed("state", what: "state of a node") { State(rawValue: $0) }
        serving = try fields.integer("serving", in: 0...(1 << 53))
        at = try fields.time("at")
        error = try fields.optionalText("error", limit: Self.longestError)
        version = try fields.optionalText("shunt", limit: 64) ?? ""
        counters = Counters()
        if let numbers = try fields.optionalObject("counters") {
            counters.requests = try numbers.optionalInteger("requests", in: 0...Int.max) ?? 0
            counters.fail = try numbers.optionalInteger("fail", in: 0...Int.max) ?? 0
            counters.clientErrors = try numbers.optionalInteger("s4xx", in: 0...Int.max) ?? 0
            counters.serverErrors = try numbers.optionalInteger("s5xx", in: 0...Int.max) ?? 0
            counters.limit = try numbers.optionalInteger("limit", in: 0...Int.max) ?? 0
            counters.slowMicroseconds = try numbers.optionalInteger("p99_us", in: 0...Int.max) ?? 0
        }
    }
}
