import Shunt

/// Requests that are next to those of a changed rule, for changes at its borders.
extension WitnessSearch {
    /// The most variations that are kept of the requests of one rule.
    private static let mostKept = 2
    /// The most hosts of servers that are tried for a request.
    private static let mostHosts = 16

    /// Adds requests whose outcome changes, for the rules none of whose requests has another one.
    mutating func addVariations(from old: LoadedRules, to new: LoadedRules) {
        let origins = takeOrigins()
        guard !origins.isEmpty else { return }
        var difference = RuleDifference(from: old.ruleSet, to: new.ruleSet, asOf: time)
        func changes(_ request: RequestDescription) -> Bool { difference.changes(request) }
        let hosts = Set([old, new].flatMap { Self.hosts(of: $0.ruleSet.document) }).sorted().prefix(Self.mostHosts)
            .map { Array($0.utf8) }
        for requests in origins where !requests.contains(where: changes) {
            var left = Self.mostKept
            for request in requests.prefix(1).flatMap({ RequestVariations.near($0, hosts: hosts) })
            where changes(request) {
                add(request)
                left -= 1
                if left == 0 { break }
            }
        }
    }

    /// The names of servers without wildcards.
    private static func hosts(of document: RuleDocument) -> [String] {
        (document.named["server_name"] ?? []).flatMap { document.nodes[$0].arguments.map(\.text) }
            .filter { name in name.contains(".") && name.allSatisfy { $0.isLetter || $0.isNumber || ".-".contains($0) }
            }
    }
}
