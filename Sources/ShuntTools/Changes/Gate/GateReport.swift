package import Shunt

/// The report of a gate on a new rule set.
public struct GateReport: Sendable {
    /// The content hash of the set.
    public var contentHash: String
    /// The number of sampled requests that were decided.
    public var requests = 0
    /// The number of them that get another outcome.
    public var changed = 0
    /// The sampled requests that change, those that have the same change together, the largest group first.
    public var groups: [ChangeGroup] = []
    /// The number of rules in use that the new set lacks.
    public var removedRules = 0
    /// The number of rules in use.
    public var rules = 0
    /// The requests that may not change, and do.
    public var requiredChanges: [ChangedRequest] = []
    /// The reason why the set may not pass, a sentence each; empty where it may.
    public var reasons: [String] = []
    /// The parts that could not be judged, a sentence each.
    public var remarks: [String] = []

    /// True if the set changes no more than it may.
    public var isWithinBudget: Bool { reasons.isEmpty }

    /// The reasons, the largest changes and what could not be judged in one line.
    public var summary: String {
        let largest = groups.prefix(3).map { "\($0.weight) \($0.from) → \($0.to)" }.joined(separator: ", ")
        let judged = [reasons.joined(separator: "; "), largest].filter { !$0.isEmpty }.joined(separator: ": ")
        return ([judged] + remarks).filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The most groups of a report for programs, and the most requests of a group.
    private static let shownGroups = 10
    private static let shownRequests = 3
    /// The most requests of a group that are read for different ones.
    private static let comparedRequests = 100

    /// The report for programs.
    ///
    /// Of requests only what is asked is shown: their headers may hold what no one else is to see.
    package var object: JSONObject {
        let required = Self.objects(requiredChanges, limit: Self.shownGroups)
        return [
            "hash": contentHash,
            "requests": requests,
            "changed": changed,
            "removed_rules": removedRules,
            "reasons": reasons,
            "remarks": remarks,
            "groups": groups.prefix(Self.shownGroups)
                .map { $0.members.adding(["examples": Self.objects($0.requests, limit: Self.shownRequests)]) },
            "required_changes": required.isEmpty ? nil : required,
        ]
    }

    /// The URL, or the host and the target.
    private static func shown(_ request: RuleRequest) -> String {
        let isHost = { (header: RuleRequest.Header) in header.name.lowercased() == "host" }
        guard !request.isForURL, request.host == nil, let host = request.headers.first(where: isHost) else {
            return ShownBytes.text(RequestText.subject(request))
        }
        return ShownBytes.text(host.valueBytes + request.bytes)
    }

    /// The first requests that differ in what is shown of them.
    private static func objects(_ requests: [ChangedRequest], limit: Int) -> [JSONObject] {
        var shown: Set<[UInt8]> = []
        let objects = requests.prefix(comparedRequests).map(object).filter { shown.insert($0.line).inserted }
        return Array(objects.prefix(limit))
    }

    private static func object(_ changed: ChangedRequest) -> JSONObject {
        let asked = changed.request.request
        return [
            "method": asked.method, "request": Self.shown(asked), "old": changed.old.outcome,
            "new": changed.new.outcome,
        ]
    }
}
