import Foundation
import Shunt
import ShuntCore
import ShuntTools

/// Rules with a hole, or without one, and the findings that a linter must have.
struct AttackCase {
    var id: String
    var files: [String: String]
    /// The names of the findings.
    var wanted: Set<String>

    /// The cases of a file, but for those that have no rules.
    static func read(_ path: String) throws -> [AttackCase] {
        // Some texts have halves of characters, which Foundation does not take.
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(#/\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]../#) { match in
                match.output.count > 6 ? String(match.output) : "\\ufffd"
            }
        let cases = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]] ?? []
        return cases.compactMap { object in
            guard let id = object["id"] as? String else { return nil }
            var files: [String: String] = [:]
            for (name, content) in object["files"] as? [String: Any] ?? [:] {
                if let text = content as? String { files[name] = text }
                if let parts = (content as? [String: Any])?["repeat"] as? [Any], parts.count == 4,
                    let count = parts[1] as? Int
                {
                    let texts = parts.compactMap { $0 as? String }
                    guard texts.count == 3 else { return nil }
                    files[name] =
                        String(repeating: texts[0], count: count) + texts[1] + String(repeating: texts[2], count: count)
                }
            }
            if let rules = object["rules"] as? String { files["main.conf"] = own(rules) }
            if let parts = object["rules_parts"] as? [[Any]] {
                files["main.conf"] = parts.map { String(repeating: $0[0] as? String ?? "", count: $0[1] as? Int ?? 1) }
                    .joined()
            }
            guard files["main.conf"] != nil else { return nil }
            let expect = object["expect"] as? [String: Any]
            return AttackCase(id: id, files: files, wanted: Set((expect?["lint"] as? [String] ?? []).map(check)))
        }
    }

    /// The directives of the cases' own language, by their names here.
    private static func own(_ rules: String) -> String {
        rules.replacing("host_rename ", with: "rename_host ").replacing("blocklist host ", with: "block host ")
            .replacing("degrade_to_web ", with: "degrade ^~ kl:// ")
    }

    /// The check that looks for what has this name in the cases.
    private static func check(_ name: String) -> String {
        switch name {
        case "origins": "unsafe-origin"
        case "redirect_cycle", "degrade_cycle": "redirect-loop"
        case "return_bypasses_guard": "return-bypasses-access"
        case "unanchored_regex": "unanchored-check"
        case "homoglyph": "unknown-directive"
        case "bidi_control": "bidirectional-control"
        case "include_matches_backup": "skipped-file"
        case "conflicting_server_name": "conflicting-name"
        case "include_cycle": "include-loop"
        case "include_bomb": "too-many-files"
        case "control_in_file": "control-byte"
        case "regex_too_deep": "invalid-regex"
        default: name.replacing("_", with: "-")
        }
    }

    /// The reports about the rules: the checks that find something, and the codes of loading; the latter alone where
    /// the rules do not load.
    func codes() -> (codes: Set<String>, isLoaded: Bool, findings: [LintFinding]) {
        let system = InMemoryFileSystem(Dictionary(uniqueKeysWithValues: files.map { ("/r/" + $0.key, $0.value) }))
        do throws(RuleSetError) {
            let ruleSet = try RuleSet(path: "/r/main.conf", from: system)
            var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
            options.target = .nginx
            let findings = LintRun(ruleSet, options).findings
            return (Set(findings.map(\.check)), true, findings)
        } catch {
            return (Set(error.diagnostics.map(\.code)), false, [])
        }
    }
}
