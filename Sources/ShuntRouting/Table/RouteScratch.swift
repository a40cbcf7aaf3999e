public import ShuntCore
import ShuntPatterns

/// The memory that lookups need, reused from one to the next.
///
/// It serves any table.
///
/// Not thread safe: a scratch belongs to one lookup at a time, and what a lookup found can be read from it until the
/// next. Lookups allocate nothing, but for the first that meets an escaped component longer than any before.
///
/// Why the unsafe code is sound: every block is allocated in `init` with the capacity that its constant names and freed
/// once in `deinit`. The writers keep below those capacities: values on one path through the automaton belong to one
/// route each, so there are at most as many as a route may have; choices and labels are one for each component. The
/// stack operations check that all the same and report failure.
@safe public final class RouteScratch {
    static let captureCapacity = RoutingLimits.parameters * 2 + 2
    static let depthCapacity = RoutingLimits.components * 2 + 4
    private static let joinCapacity = RoutingLimits.visitedJoins * 2

    let captures: UnsafeMutablePointer<ByteRange>
    let values: UnsafeMutablePointer<ByteRange>
    let labels: UnsafeMutablePointer<UInt32>
    let choices: UnsafeMutablePointer<Choice>
    private(set) var decoded: UnsafeMutablePointer<UInt8>
    private var decodedCapacity: Int
    /// The namespaces that the current lookup searches, in order.
    let namespaces: UnsafeMutablePointer<Int32>
    var namespaceCount = 0
    var valueCount = 0
    /// The same for other modules; the stored one would be checked for exclusive access in every lookup if they saw it.
    package var foundValueCount: Int { valueCount }
    /// True if they are in `captures` rather than in `values`.
    var valuesAreCaptures = false
    /// The number of times that the last complete search went back, for the tests.
    var returns = 0
    /// True if something ran into a limit during the current lookup, which then finds nothing.
    var exceeded = false
    /// True if more namespaces apply than are searched.
    var hasMoreNamespaces = false

    /// The joins that were visited, as an open hash table; made when a table first has joins.
    private var joins: UnsafeMutablePointer<Visit>?
    private var stamp: UInt64 = 0
    private var joinCount = 0

    /// Room for binding the values of a route with optional parts.
    let bindings: UnsafeMutablePointer<UInt8>
    static let bindingCapacity = 256 * (depthCapacity + 1) / 8

    /// The scratch of the expressions of constraints; created when a table first needs it.
    private(set) lazy var matchScratch = makeMatchScratch()
    private var hasMatchScratch = false
    private var matchSteps = MatchScratch.standardSteps

    /// A join and the position at which it was visited, and during which lookup.
    private struct Visit: BitwiseCopyable {
        var key: UInt64 = 0
        var stamp: UInt64 = 0
    }

    /// A place to come back to when what follows does not match.
    struct Choice: BitwiseCopyable {
        var alternative: UInt32
        var alternativeEnd: UInt32
        var start: Int32
        var end: Int32
        var captureCount: Int32
        var depth: Int32

        @inline(__always)
        init(_ alternative: Int, alternativeEnd: Int, start: Int, end: Int, captureCount: Int, depth: Int) {
            self.alternative = UInt32(truncatingIfNeeded: alternative)
            self.alternativeEnd = UInt32(truncatingIfNeeded: alternativeEnd)
            self.start = Int32(truncatingIfNeeded: start)
            self.end = Int32(truncatingIfNeeded: end)
            self.captureCount = Int32(truncatingIfNeeded: captureCount)
            self.depth = Int32(truncatingIfNeeded: depth)
        }
    }

    /// Makes a scratch; it takes about 16 KiB, and 128 KiB more once it is used with a table that has joins.
    public init() {
        unsafe captures = .allocate(capacity: Self.captureCapacity)
        unsafe values = .allocate(capacity: Self.captureCapacity)
        unsafe labels = .allocate(capacity: Self.depthCapacity)
        unsafe choices = .allocate(capacity: Self.depthCapacity)
        unsafe namespaces = .allocate(capacity: RoutingLimits.namespacesPerLookup)
        decodedCapacity = 1024
        unsafe decoded = .allocate(capacity: decodedCapacity)
        unsafe bindings = .allocate(capacity: Self.bindingCapacity)
        unsafe captures.initialize(repeating: .empty, count: Self.captureCapacity)
        unsafe values.initialize(repeating: .empty, count: Self.captureCapacity)
    }

    deinit {
        unsafe captures.deallocate()
        unsafe values.deallocate()
        unsafe labels.deallocate()
        unsafe choices.deallocate()
        unsafe namespaces.deallocate()
        unsafe decoded.deallocate()
        unsafe joins?.deallocate()
        unsafe bindings.deallocate()
    }

    /// Limits the steps that expressions may take in a lookup; see `MatchScratch`.
    package func limit(matchSteps: Int) {
        self.matchSteps = matchSteps
        if hasMatchScratch { matchScratch.limit(steps: matchSteps) }
    }

    private func makeMatchScratch() -> MatchScratch {
        hasMatchScratch = true
        return MatchScratch(steps: matchSteps)
    }

    /// Begins a lookup, or continues one whose last match did not do.
    @inline(__always) func begin(goingOn: Bool = false) {
        exceeded = false
        valueCount = 0
        if !goingOn, hasMatchScratch { matchScratch.renew() }
    }

    /// The value in `slot` of the route that the last lookup found; nil when it is missing or the slot does not exist.
    ///
    /// - Parameter slot: A place in the route's list of parameters.
    /// - Returns: The bytes of the URL, not decoded.
    public func value(_ slot: Int) -> ByteRange? {
        guard slot >= 0, slot < valueCount else { return nil }
        let range = valuesAreCaptures ? unsafe captures[slot] : unsafe values[slot]
        return range.start < 0 ? nil : range
    }

    @inline(__always) func capturesAreValues(_ count: Int) {
        valueCount = count
        valuesAreCaptures = true
    }

    /// All values of the route that the last lookup found; `missing` stands for those that are.
    package var allValues: [ByteRange] { (0..<valueCount).map { value($0) ?? Self.missing } }

    /// The range that represents a missing value.
    package static var missing: ByteRange { ByteRange(start: -1, end: -1) }

    /// Adds a namespace to search; false when there is no room for it.
    func add(_ namespace: Int32) -> Bool {
        guard namespaceCount < RoutingLimits.namespacesPerLookup else { return false }
        unsafe namespaces[namespaceCount] = namespace
        namespaceCount += 1
        return true
    }

    /// A namespace to search; `index` is less than their number.
    func namespace(_ index: Int) -> Int32 { unsafe namespaces[index] }

    func forgetJoins() {
        joinCount = 0
        stamp &+= 1
        if unsafe joins == nil {
            let new = UnsafeMutablePointer<Visit>.allocate(capacity: Self.joinCapacity)
            unsafe new.initialize(repeating: Visit(), count: Self.joinCapacity)
            unsafe joins = new
        }
    }

    /// Notes a visit of `state` at `position`; false when it was visited there before.
    func visit(_ state: UInt32, at position: Int) -> Bool {
        guard let joins = unsafe joins, joinCount < RoutingLimits.visitedJoins else {
            exceeded = true
            return false
        }
        let key = UInt64(state) << 32 | UInt64(UInt32(truncatingIfNeeded: position))
        let mask = Self.joinCapacity - 1
        var slot = Int(truncatingIfNeeded: PathBytes.mix(0, key) &>> 20) & mask
        while unsafe joins[slot].stamp == stamp {
            if unsafe joins[slot].key == key { return false }
            slot = (slot + 1) & mask
        }
        unsafe joins[slot] = Visit(key: key, stamp: stamp)
        joinCount += 1
        return true
    }

    /// Decodes `range` of `path` into `decoded`, which grows as needed.
    ///
    /// - Returns: The number of bytes.
    func decode(_ range: ByteRange, of path: PathBytes, foldsCase: Bool) -> Int {
        if range.count > decodedCapacity {
            unsafe decoded.deallocate()
            decodedCapacity = max(range.count, decodedCapacity * 2)
            unsafe decoded = .allocate(capacity: decodedCapacity)
        }
        var index = Int(range.start)
        var count = 0
        while index < Int(range.end) {
            let unit = path.unit(at: index, end: Int(range.end))
            let byte = unit.byte
            unsafe decoded[count] = foldsCase ? byte.asciiLowercased : byte
            index += unit.length
            count += 1
        }
        return count
    }
}
