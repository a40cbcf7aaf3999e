package import ShuntCore

extension ListedRule {
    /// The rule for programs.
    package var json: JSONObject {
        let members: JSONObject = [
            "kind": kind, "matcher": matcher, "target": target, "in": context, "lookup": lookup.rawValue,
            "note": note.map(Self.object),
        ]
        return location.members.adding(members)
    }

    private static func object(_ note: RuleNote) -> JSONObject {
        let allowed = note.entries.filter { $0.key == "allow" }.map(\.value)
        var written: Set<String> = ["allow"]
        let others = note.entries.filter { written.insert($0.key).inserted }.map { ($0.key, $0.value) }
        return JSONObject(others).adding(["allow": allowed.isEmpty ? nil : allowed])
    }
}
