import Foundation
import Shunt
import ShuntCore
import ShuntTools
import TestSettings
import Testing

/// Labelled configurations of other linters, where there are some: `SHUNT_LINTER_CASES` is the path of their file.
@Suite("shunt lint: labelled configurations")
struct LabelledFactTests {
    private struct Score {
        var found = 0
        var issues = 0
        var quiet = 0
        var others = 0
        var unwritten = 0
        var unmet: [String] = []
    }

    /// The most facts of a kind that do not hold, and why.
    private static let reasons: [String: (count: Int, why: String)] = [
        "add_header_content_type": (2, "a header of the upstream is hidden around the block, not in it"),
        "add_header_multiline": (
            3, "values that are told shortened, and a flag of a module with a word on the next line"
        ),
        "add_header_redefinition": (2, "add_header_inherit off is taken for meant; the labels differ about that"),
        "allow_without_deny": (2, "with satisfy any and no password the check is silent"),
        "default_server_flag": (2, "servers of stream, and of QUIC beside a default for TLS, are none of Shunt's"),
        "filesystem_root_exposure": (2, "a path that comes to / is the root there, too"),
        "http_splitting": (
            8, "a value over two variables is not followed to a header; one label is wrong for named groups"
        ),
        "invalid_regex": (2, "a group that another expression of the server has may be that one's"),
        "missing_resolver": (1, "told by the labels of stale_dns_cache"),
        "origins": (8, "only strings that no browser sends as an origin are accepted; keys of maps are not looked at"),
        "overlapping_captures": (8, "another check"),
        "proxy_pass_normalized": (
            18, "paths of captures and of limit_except are not followed; with location / the path is normalised, too"
        ),
        "proxy_set_header_redefinition": (3, "options of theirs, and headers that the new block does not need"),
        "regex_exact_match": (1, "$ also matches before a final line feed: not the same"),
        "regex_redos": (3, "the engine does not need more steps for these: PCRE2 optimises them"),
        "return_bypasses_allow_deny": (3, "internal and named locations, which no client asks for; a 404 with a text"),
        "ssrf": (10, "a host of two variables, and values of map and geo, are not followed"),
        "status_page_exposed": (2, "deny all keeps everybody out; localhost is two addresses"),
        "unanchored_regex": (8, "about speed: the index finds these by their texts"),
        "unnamed_groups": (7, "another check"),
        "weak_ssl_tls": (1, "ssl_prefer_server_ciphers opens nothing"),
    ]

    private static let path = TestSettings.linterCases

    @Test("Each labelled fact holds, or there is a reason", .enabled(if: path != nil, "SHUNT_LINTER_CASES is not set"))
    func facts() throws {
        let facts = try #require(try LabelledFact.read(Self.path ?? ""))
        var scores: [String: Score] = [:]
        for fact in facts where !LabelledFact.checks(of: fact.plugin).isDisjoint(with: LintCheck.all.map(\.id)) {
            guard let ruleSet = fact.ruleSet() else {
                scores[fact.plugin, default: Score()].unwritten += 1
                continue
            }
            var options = LintOptions(asOf: Timestamp(seconds: LintStatement.time))
            options.target = .nginx
            options.checks = LabelledFact.checks(of: fact.plugin)
            options.trustedDomains = fact.domains
            let findings = LintRun(ruleSet, options).findings
            let isFound = findings.contains { LabelledFact.checks(of: fact.plugin).contains($0.check) }
            if fact.isIssue {
                scores[fact.plugin, default: Score()].issues += 1
                if isFound { scores[fact.plugin, default: Score()].found += 1 }
            } else {
                scores[fact.plugin, default: Score()].others += 1
                if !isFound { scores[fact.plugin, default: Score()].quiet += 1 }
            }
            if isFound != fact.isIssue {
                let text = (fact.isIssue ? "not found: " : "found: ") + fact.summary
                scores[fact.plugin, default: Score()].unmet.append(text)
            }
        }
        for (plugin, score) in scores.sorted(by: { $0.key < $1.key }) {
            print(
                plugin,
                "\(score.found)/\(score.issues) found, \(score.quiet)/\(score.others) quiet, \(score.unwritten) not written"
            )
            for text in Set(score.unmet).sorted() { print("    \(text)") }
            let reason = Self.reasons[plugin]
            #expect(score.unmet.count <= reason?.count ?? 0, "\(plugin): \(reason?.why ?? "no reason"): \(score.unmet)")
        }
    }
}
