/// A reference to a part of the program that does not count.
///
/// Counting references takes more than most look-ups, and threads that count on the same object get into each other's
/// way. Its creator keeps the object for as long as the reference is used; here that is the program, which holds
/// both.
@safe
struct UncountedReference<Instance: AnyObject & Sendable>: Sendable {
    private let reference: Unmanaged<Instance>

    /// Makes a reference to an object that outlives it.
    init(_ instance: Instance) { unsafe reference = .passUnretained(instance) }

    /// Calls `body` with the object, borrowed: it must not keep it.
    ///
    /// Sound: the object is alive, as the creator of the reference ensures.
    @inline(__always)
    func with<Result>(_ body: (Instance) -> Result) -> Result {
        unsafe reference._withUnsafeGuaranteedRef(body)
    }
}
