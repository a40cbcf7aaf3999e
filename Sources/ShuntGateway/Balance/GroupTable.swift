#if Gateway
import Shunt

/// The upstream groups of the rules that an event loop uses.
struct GroupTable {
    private var groups: [String: PeerGroup] = [:]

    /// No groups.
    init() {}

    /// The groups of a rule set; servers that were in the rules before keep their state.
    init(_ ruleSet: RuleSet, _ table: PeerTable, continuing before: GroupTable) {
        let described = ruleSet.upstreamGroups
        guard !described.isEmpty else { return }
        for (group, prepared) in zip(described, table.groups(of: ruleSet)) {
            groups[group.name] = PeerGroup(group, prepared, continuing: before.groups[group.name])
        }
    }

    /// The group of a name in lower case.
    func group(named name: String) -> PeerGroup? { groups[name] }
}
#endif
