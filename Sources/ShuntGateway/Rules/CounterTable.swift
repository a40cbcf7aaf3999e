#if Gateway
import Shunt
import Synchronization

/// The counters of the rule set in use, and of the set that is about to be used.
///
/// They are made while a set is loaded, off the hot path.
final class CounterTable: Sendable {
    private struct State {
        var newest: RuleCounters?
        var before: RuleCounters?
        /// Every set that was about to be used and is still in memory.
        var known: [Reference] = []
    }

    private struct Reference {
        weak var ruleSet: RuleSet?
    }

    private let state = Mutex(State())
    private let shards: Int
    /// True if entries of tables are counted, too.
    let countsEntries: Bool

    init(shards: Int, countsEntries: Bool = false) {
        self.shards = shards
        self.countsEntries = countsEntries
    }

    /// Makes the counters of a set that is about to replace `current`.
    func prepare(_ ruleSet: RuleSet, replacing current: RuleSet?) {
        let previous = current.map { self.counters(of: $0) }
        let counters = RuleCounters(ruleSet, countsEntries: countsEntries, shards: shards, continuing: previous)
        // A set that is refused after this leaves its counters there until the next one comes.
        state.withLock { state in
            let known = state.known.filter { $0.ruleSet != nil } + [Reference(ruleSet: ruleSet)]
            state = State(newest: counters, before: previous, known: known)
        }
    }

    /// The number of sets in memory: beyond the last two, those of requests that began before reloads.
    var setCount: Int { state.withLock { state in state.known.count { $0.ruleSet != nil } } }

    func counters(of ruleSet: RuleSet) -> RuleCounters {
        let found = state.withLock { state in
            if state.newest?.ruleSet === ruleSet { return state.newest }
            return state.before?.ruleSet === ruleSet ? state.before : nil
        }
        // A set from before the last two has requests that are only now being decided: they count for nothing.
        return found ?? RuleCounters(ruleSet, countsEntries: countsEntries, shards: shards)
    }
}
#endif
