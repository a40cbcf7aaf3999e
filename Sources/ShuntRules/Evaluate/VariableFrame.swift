import ShuntCore

/// The values of variables, and the captures.
struct VariableFrame: ~Copyable {
    /// The value of a variable, with the phase it was computed in or the request it was assigned in.
    struct Slot {
        var computed: UInt32 = 0
        var assigned: UInt32 = 0
        var range = ByteRange.empty
    }

    var slots: [Slot] = []
    /// The phase that computed values belong to.
    private(set) var stamp: UInt32 = 0
    /// The request that assigned values belong to: its first phase.
    private(set) var requestStamp: UInt32 = 0
    /// Ranges of the variables of the strings being assembled; strings nest through `map`.
    var pending: [ByteRange] = []
    /// The numbered captures, `captures[1]` being `$1`.
    var captures: InlineArray<10, ByteRange> = InlineArray(repeating: .empty)
    var captureCount = 0
    /// The number of variables in computation, each for the one before it.
    var depth = 0
    /// The value that `$secure_link` found after the comma.
    var secureLinkExpires = ByteRange.empty
    /// True if captures are escaped in `set` and `if`: until the first rewrite of the sequence has matched.
    var escapesCaptures = false
    var stepsLeft = 0
    /// The places of the entries of tables that supplied values, each once, and the request that they are of.
    private var notedEntries: [SourcePosition] = []
    private var notedStamp: UInt32 = 0
    /// The number of steps a request has.
    private var steps = 0

    init() { pending.reserveCapacity(64) }

    /// Makes room for so many variables, of which none has a value from the next request on, and sets the steps of a request.
    mutating func prepare(count: Int, steps: Int) {
        self.steps = steps
        if count > slots.count { slots += repeatElement(Slot(), count: count - slots.count) }
    }

    @inline(__always)
    mutating func begin() {
        forgetComputed()
        requestStamp = stamp
        // A failure leaves after what was being put together.
        if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
        captureCount = 0
        depth = 0
        secureLinkExpires = .empty
        escapesCaptures = false
        stepsLeft = steps
    }

    /// Forgets every computed value; assigned ones stay.
    @inline(__always)
    mutating func forgetComputed() {
        stamp &+= 1
        if stamp == 0 { beginStamps() }
    }

    /// Forgets everything, so that no slot has a stamp that comes again.
    @inline(never)
    private mutating func beginStamps() {
        for index in slots.indices { slots[index] = Slot() }
        stamp = 1
    }

    /// Returns the value of a variable that was computed or assigned; nil if it has to be computed.
    @inline(__always)
    func known(_ variable: VariableIndex) -> ByteRange? {
        let slot = slots[variable.position]
        return slot.computed == stamp || slot.assigned == requestStamp ? slot.range : nil
    }

    /// Returns true if a variable has a value that a rule set.
    func isAssigned(_ variable: VariableIndex) -> Bool { slots[variable.position].assigned == requestStamp }

    /// The places of the entries of tables that supplied values to the request, each once.
    var entries: [SourcePosition] { notedStamp == requestStamp ? notedEntries : [] }

    /// Notes an entry.
    ///
    /// The first one forgets the entries of the request before, so that a request without any costs nothing.
    mutating func note(entryAt position: SourcePosition) {
        if notedStamp != requestStamp {
            notedEntries.removeAll(keepingCapacity: true)
            notedStamp = requestStamp
        }
        // A volatile variable may have the same one again.
        if !notedEntries.contains(position) { notedEntries.append(position) }
    }

    /// Keeps a computed value for the rest of the phase.
    mutating func keep(_ range: ByteRange, of variable: VariableIndex) {
        slots[variable.position] = Slot(computed: stamp, range: range)
    }

    /// Sets a variable to a value that stays until the end of the request or the next assignment.
    mutating func set(_ variable: VariableIndex, to range: ByteRange) {
        slots[variable.position] = Slot(assigned: requestStamp, range: range)
    }

    /// The numbered capture; empty when there is none.
    @inline(__always)
    func capture(_ number: Int32) -> ByteRange {
        // Through a span: the array itself would be copied for it.
        Int(number) < captureCount ? captures.span[Int(number)] : .empty
    }
}
