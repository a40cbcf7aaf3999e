/// What a search looks for.
struct SearchRequest {
    /// The methods of which a route must take one.
    var methods: UInt64 = UInt64.max
    /// Routes of a higher level are passed over.
    var ceiling = Int32.max
    /// How many routes of exactly that level are passed over too.
    var skip: Int32 = 0
    /// Whether values that do not fit their constraint pass, to find out why a path does not match.
    var isLenient = false
    /// Where the path begins.
    var start = 0
    /// Where it ends.
    var end = 0
    /// Where the routed fragment begins; past every path when there is none.
    var fragmentStart = Int.max
    /// Where it ends.
    var fragmentEnd = 0
    /// How many values of the host are in the scratch already.
    var captureCount = 0
    /// Whether the first route is looked for, rather than what follows another, or the reason of a miss.
    var isFirst = true
}

/// What a search found.
struct SearchResult {
    /// The cell of the route, or -1.
    var terminal = -1
    /// Its level.
    var level: Int32 = Int32.min
    /// How many candidates of that level came before it.
    var ordinal: Int32 = 0
    /// The methods of routes that match but for the method.
    var allowed: UInt64 = 0
}
