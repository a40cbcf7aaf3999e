package import ShuntInterfaces

/// A place below a module where scopes of another may be attached.
public struct Slot<Attached: ProgramModule>: Sendable {
    let owner: ModuleIdentity
    let index: Int
}

/// The number of scopes that a slot takes, and if equal inputs share one.
@nonexhaustive
public enum SlotCapacity: Sendable, Hashable {
    /// One; attaching with an equal input finds it, with another input replaces it.
    case one
    /// Up to a limit; each attaching makes another.
    case many(limit: Int)
    /// Up to a limit, one for each input, which is `Hashable`; attaching with an equal input finds it.
    case each(limit: Int)

    /// The most scopes.
    var limit: Int {
        switch self {
        case .one: 1
        case .many(let limit), .each(let limit): limit
        }
    }
}

package struct SlotDraft: Sendable {
    package var module: ModuleDraft
    package var capacity: SlotCapacity
    /// The pattern of the URLs that lead to the scopes; nil for a slot that only code reaches.
    package var address: String?
    /// The place of the address in the program; nil without one.
    package var place: SourceLocation?
    /// The callers that may use the address, and those of what is in the slot.
    package var exposure = Exposure.code
    package var attachesOnDemand = false
    /// Reads an input from the parameters of a URL.
    package var decodeInput: (@Sendable (any Decoder) throws -> any Sendable)?
    /// The keys by which inputs are compared; nil for inputs that are not `Hashable`.
    package var keys: InputKeys?
}

/// The comparison of the inputs of a slot, without their type.
package struct InputKeys: Sendable {
    let hash: @Sendable (any Sendable) -> Int
    let areEqual: @Sendable (any Sendable, any Sendable) -> Bool

    init<Input: Hashable & Sendable>(_: Input.Type) {
        hash = { ($0 as? Input)?.hashValue ?? 0 }
        areEqual = { first, second in
            guard let first = first as? Input, let second = second as? Input else { return false }
            return first == second
        }
    }
}
