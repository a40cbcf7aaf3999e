import CAllocationCounter

/// What the program allocates.
enum Allocations {
    /// How often the calling thread has allocated.
    static var count: Int { Int(truncatingIfNeeded: allocation_count()) }

    /// The bytes that are allocated and not freed.
    static var liveBytes: Int { Int(truncatingIfNeeded: allocated_bytes()) }
}
