/// The scopes below a scope, in the order in which they were attached.
///
/// Adding, removing and finding one take the same time however many there are.
struct ChildList {
    /// The scopes of a slot that may have an equal input.
    struct Chain: Hashable {
        var slot: Int
        /// The hash of the inputs; 0 for all scopes of a slot for one.
        var hash = 0
    }

    /// A scope, and its neighbours.
    private struct Child {
        var scope: Scope
        var chain: Chain
        /// The callers that wait for its start: a start that no caller waits for is given up.
        var waiting: Int
        var previous: ObjectIdentifier?
        var next: ObjectIdentifier?
        var previousAlike: ObjectIdentifier?
        var nextAlike: ObjectIdentifier?
    }

    private struct Ends {
        var first: ObjectIdentifier
        var last: ObjectIdentifier
    }

    private var children: [ObjectIdentifier: Child] = [:]
    private var all: Ends?
    private var chains: [Chain: Ends] = [:]
    private var counts: [Int: Int] = [:]

    /// All scopes; takes time in proportion to their number.
    var scopes: [Scope] {
        var scopes: [Scope] = []
        var next = all?.first
        while let id = next, let child = children[id] {
            scopes.append(child.scope)
            next = child.next
        }
        return scopes
    }

    /// The scopes of a slot; takes time in proportion to the number of all scopes.
    func scopes(inSlot slot: Int) -> [Scope] { scopes.filter { children[$0.id]?.chain.slot == slot } }

    func count(inSlot slot: Int) -> Int { counts[slot] ?? 0 }

    func contains(_ scope: Scope) -> Bool { children[scope.id] != nil }

    /// The scope of a chain that was attached last.
    func last(of chain: Chain) -> Scope? { chains[chain].flatMap { children[$0.last]?.scope } }

    /// The first scope of a chain, or the one after `scope`; nil after the last, the first again if `scope` is gone.
    func next(of chain: Chain, after scope: Scope?) -> Scope? {
        guard let scope, let child = children[scope.id] else {
            return chains[chain].flatMap { children[$0.first]?.scope }
        }
        return child.nextAlike.flatMap { children[$0]?.scope }
    }

    mutating func append(_ scope: Scope, _ chain: Chain, waiting: Int = 0) {
        let id = scope.id
        var child = Child(scope: scope, chain: chain, waiting: waiting)
        (child.previous, child.previousAlike) = (all?.last, chains[chain]?.last)
        if let previous = child.previous { children[previous]?.next = id }
        if let previous = child.previousAlike { children[previous]?.nextAlike = id }
        children[id] = child
        all = Ends(first: all?.first ?? id, last: id)
        chains[chain] = Ends(first: chains[chain]?.first ?? id, last: id)
        counts[chain.slot, default: 0] += 1
    }

    /// Takes a scope out; nil when it is not there.
    mutating func remove(_ scope: Scope) -> Scope? {
        guard let child = children.removeValue(forKey: scope.id) else { return nil }
        if let previous = child.previous { children[previous]?.next = child.next }
        if let next = child.next { children[next]?.previous = child.previous }
        if let previous = child.previousAlike { children[previous]?.nextAlike = child.nextAlike }
        if let next = child.nextAlike { children[next]?.previousAlike = child.previousAlike }
        all = Self.ends(all, without: scope.id, previous: child.previous, next: child.next)
        chains[child.chain] = Self.ends(
            chains[child.chain],
            without: scope.id,
            previous: child.previousAlike,
            next: child.nextAlike
        )
        counts[child.chain.slot, default: 1] -= 1
        return child.scope
    }

    private static func ends(
        _ ends: Ends?,
        without id: ObjectIdentifier,
        previous: ObjectIdentifier?,
        next: ObjectIdentifier?
    ) -> Ends? {
        guard var ends else { return nil }
        if ends.first == id {
            guard let next else { return nil }
            ends.first = next
        }
        if ends.last == id, let previous { ends.last = previous }
        return ends
    }

    /// Adds to the callers that wait for a scope's start; returns their number, 0 for a scope that is not there.
    mutating func wait(for scope: Scope, _ difference: Int) -> Int {
        children[scope.id]?.waiting += difference
        return children[scope.id]?.waiting ?? 0
    }
}
