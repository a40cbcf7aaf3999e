package import ShuntCore
import ShuntRules

/// The report of a gate on a new rule set.
public struct GateReport: Sendable {
    /// The content hash of the set.
    public var contentHash: String
    /// The number of sampled requests that were decided.
    public var requests: Int
    /// The number of them that get another outcome.
    public var changed: Int
    /// The sampled requests that change, those that have the same change together, the largest group first.
    public var groups: [ChangeGroup]
    /// The number of rules in use that the new set lacks.
    public var removedRules: Int
    /// The number of rules in use.
    public var rules: Int
    /// The requests that may not change, and do.
    public var requiredChanges: [ChangedRequest]
    /// The reason why the set may not pass, a sentence each; empty where it may.
    public var reasons: [String]
    /// The parts that could not be judged, a sentence each.
    public var remarks: [String]

    /// True if the set changes no more than it may.
    public var isWithinBudget: Bool { reasons.isEmpty }

    /// The reasons, the largest changes and what could not be judged in one line.
    public var summary: String {
        let largest = groups.prefix(3).map { "\($0.weight) \($0.from) → \($0.to)" }.joined(separator: ", ")
        let parts = [reasons.joined(separator: "; "), largest, remarks.joined(separator: "; ")]
        return parts.filter { !$0.isEmpty }.joined(separator: ": ")
    }

    /// The most groups of a report for programs, and the most requests of a group.
    private static let shownGroups = 10
    private static let shownRequests = 3

    /// Writes the members of the report into an object that is open.
    ///
    /// Of requests only what is asked is shown: their headers may hold what no one else is to see.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("hash", contentHash)
        writer.member("requests", requests)
        writer.member("changed", changed)
        writer.member("removed_rules", removedRules)
        write(reasons, as: "reasons", to: &writer)
        write(remarks, as: "remarks", to: &writer)
        writer.name("groups")
        writer.array { writer in
            for group in groups.prefix(Self.shownGroups) {
                writer.object { writer in
                    group.writeMembers(to: &writer)
                    write(Array(group.requests.prefix(Self.shownRequests)), as: "examples", to: &writer)
                }
            }
        }
        if !requiredChanges.isEmpty {
            write(Array(requiredChanges.prefix(Self.shownGroups)), as: "required_changes", to: &writer)
        }
    }

    private func write(_ texts: [String], as name: String, to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in for text in texts { writer.string(text) } }
    }

    /// The URL, or the host and the target.
    private static func shown(_ request: RuleRequest) -> String {
        let isHost = { (header: RuleRequest.Header) in header.nameText.lowercased() == "host" }
        guard !request.isForURL, request.host == nil, let host = request.headers.first(where: isHost) else {
            return ShownBytes.text(RequestText.subject(request))
        }
        return ShownBytes.text(host.value + request.bytes)
    }

    private func write(_ requests: [ChangedRequest], as name: String, to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in
            for request in requests {
                let asked = request.request.request
                writer.object { writer in
                    writer.member("method", asked.methodText)
                    writer.member("request", Self.shown(asked))
                    writer.member("old", request.old.outcome)
                    writer.member("new", request.new.outcome)
                }
            }
        }
    }
}
