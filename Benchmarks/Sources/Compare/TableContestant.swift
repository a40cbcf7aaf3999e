import Servers
import Shunt
import Workloads

/// A single table of Shunt, which does what the other libraries do: find the first expression that matches a path.
final class TableContestant: Contestant {
    /// The name of the index of rewrites.
    static let index = "Shunt, index alone"
    /// The name of a list of hosts.
    static let list = "Shunt, list alone"

    let name: String
    let stride = 1
    let loadSeconds: Double? = nil
    private let lookups: [String: StageLookups]
    private var turns = Turns()

    /// - Parameters:
    ///   - name: The name, for tables.
    ///   - lookups: The lookups, by kind of URL.
    init(_ name: String, _ lookups: [String: StageLookups]) {
        self.name = name
        self.lookups = lookups
    }

    func warmUp(_ kind: String) throws {
        guard let lookups = lookups[kind] else { throw Absence("no URLs \(kind)") }
        _ = lookups.run(from: 0, count: 2 * lookups.count)
    }

    func round(_ kind: String, nanoseconds: Double) throws -> Round {
        guard let lookups = lookups[kind] else { throw Absence("no URLs \(kind)") }
        return turns.round(kind, of: lookups.count, nanoseconds: nanoseconds) { lookups.run(from: $0, count: $1) }
    }
}
