package import ShuntInterfaces

/// A place below a module where scopes of another may be attached.
public struct Slot<Attached: Module>: Sendable {
    let owner: ModuleIdentity
    let index: Int
}

/// How many scopes a slot holds.
@nonexhaustive
public enum SlotCapacity: Sendable, Hashable {
    /// One; attaching with an equal input finds it, with another input replaces it.
    case one
    /// Up to a limit; each attaching makes another.
    case many(limit: Int)
}

/// What is known of a slot before anything runs.
package struct SlotDraft: Sendable {
    package var module: ModuleDraft
    package var capacity: SlotCapacity
    /// The pattern of the URLs that lead to the scopes; nil for a slot that only code reaches.
    package var address: String?
    /// The callers that may use the address, and those of what is in the slot.
    package var exposure = Exposure.code
    package var attachesOnDemand = false
    /// Reads an input from the parameters of a URL.
    package var decodeInput: (@Sendable (any Decoder) throws -> any Sendable)?
    /// Whether two inputs are equal.
    package var areEqual: (@Sendable (any Sendable, any Sendable) -> Bool)?
}
