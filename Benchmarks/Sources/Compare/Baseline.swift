import Foundation
import Measurement

/// This run next to an earlier one.
///
/// Another run means another hour on a shared machine. So that Shunt is not blamed for a slow hour, each change is also
/// given relative to the PCRE2 loop, whose code did not change.
struct Baseline {
    var earlier: Results
    var results: Results

    /// The lines of the comparison.
    var text: String {
        let before = Dictionary(earlier.entries.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let common = results.entries.compactMap { entry in before[entry.key].map { ($0, entry) } }
        let peers = common.filter { $0.1.contestant == "PCRE2 loop" }.map { ratio($0.0, $0.1) }.sorted()
        let drift = peers.isEmpty ? 1 : peers[peers.count / 2]
        var text = "### Against the run of \(earlier.date)\n\n"
        text += "The PCRE2 loop takes \(Numbers.plain(drift)) times as long as then; this is divided out.\n\n"
        for (old, new) in common where new.contestant == "Shunt" {
            let change = ratio(old, new) / drift
            let mark = change > 1.1 ? "slower" : change < 0.9 ? "faster" : ""
            text += "* \(new.workload), \(Numbers.count(new.rules)), \(new.urls): "
            text += "\(Numbers.time(old.nanoseconds.median)) → \(Numbers.time(new.nanoseconds.median)), "
            text += "× \(Numbers.plain(change)) \(mark)\n"
        }
        let loads = Dictionary(earlier.loads.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for load in results.loads {
            guard let old = loads[load.key] else { continue }
            text += "* load \(Numbers.count(load.rules)) \(load.workload): "
            text += "\(Numbers.time(old.seconds * 1e9)) → \(Numbers.time(load.seconds * 1e9)), "
            text += "\(Numbers.size(old.liveBytes)) → \(Numbers.size(load.liveBytes))\n"
        }
        return text
    }

    private func ratio(_ old: Results.Entry, _ new: Results.Entry) -> Double {
        new.nanoseconds.median / old.nanoseconds.median
    }
}
