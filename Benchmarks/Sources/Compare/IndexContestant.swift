import Shunt
import Workloads

/// The index of Shunt by itself, which does what the other libraries do: find the first expression that matches a path.
final class IndexContestant: Contestant {
    static let displayName = "Shunt, index alone"

    let name = IndexContestant.displayName
    let stride = 1
    let loadSeconds: Double? = nil
    private let lookups: [String: IndexLookups]
    private var positions: [String: Int] = [:]

    /// - Parameters:
    ///   - ruleSet: The rules.
    ///   - paths: The paths, by kind.
    init(_ ruleSet: RuleSet, paths: [String: [String]]) {
        lookups = paths.compactMapValues { IndexLookups(ruleSet: ruleSet, paths: $0) }
    }

    func warmUp(_ kind: String) throws {
        guard let lookups = lookups[kind] else { throw Absence(description: "no paths \(kind)") }
        _ = lookups.run(from: 0, count: 2 * lookups.count)
    }

    func round(_ kind: String, nanoseconds: Double) throws -> Round {
        guard let lookups = lookups[kind] else { throw Absence(description: "no paths \(kind)") }
        var position = positions[kind, default: 0]
        defer { positions[kind] = position }
        return Round.timed(nanoseconds: nanoseconds) { count in
            defer { position = (position + count) % lookups.count }
            return lookups.run(from: position, count: count)
        }
    }
}
