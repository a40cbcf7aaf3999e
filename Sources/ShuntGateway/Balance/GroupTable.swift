#if Gateway
import Shunt

/// The upstream groups of the rules, which all event loops share as nginx's workers share a `zone`.
struct GroupTable: Sendable {
    private var groups: [String: PeerGroup] = [:]

    /// No groups.
    init() {}

    /// The groups of a rule set.
    ///
    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - prepared: The addresses of the servers of each group.
    ///   - before: The groups whose servers keep their state.
    init(_ ruleSet: RuleSet, _ prepared: [PeerTable.Group], continuing before: GroupTable) {
        for (group, prepared) in zip(ruleSet.upstreamGroups, prepared) {
            groups[group.name] = PeerGroup(group, prepared, continuing: before.groups[group.name])
        }
    }

    /// The group of a name in lower case.
    func group(named name: String) -> PeerGroup? { groups[name] }
}
#endif
