import CAllocationCounter

enum Allocations {
    /// The number of allocations by the calling thread.
    static var count: Int { Int(truncatingIfNeeded: allocation_count()) }

    /// The bytes that are allocated and not freed.
    static var liveBytes: Int { Int(truncatingIfNeeded: allocated_bytes()) }
}
