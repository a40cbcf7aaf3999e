struct SearchRequest {
    /// The methods of which a route must take one.
    var methods: UInt64 = UInt64.max
    /// Routes of a higher level are passed over.
    var ceiling = Int32.max
    /// The number of routes of exactly that level that are skipped too.
    var skip: Int32 = 0
    /// True if values that do not fit their constraint pass, to find out why a path does not match.
    var isLenient = false
    /// The place where the path begins.
    var start = 0
    var end = 0
    /// The place where the routed fragment begins; past every path when there is none.
    var fragmentStart = Int.max
    var fragmentEnd = 0
    /// The number of values of the host that are in the scratch already.
    var captureCount = 0
    /// True if the first route is looked for, rather than what follows another, or the reason of a miss.
    var isFirst = true
}

struct SearchResult {
    /// The cell of the route, or -1.
    var terminal = -1
    var level: Int32 = Int32.min
    /// The number of candidates of that level before it.
    var ordinal: Int32 = 0
    /// The methods of routes that match but for the method.
    var allowed: UInt64 = 0
}
