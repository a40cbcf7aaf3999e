import Foundation
import Shunt
import ShuntTools
import TestSettings
import Testing

/// Attacks on rules, where there are some: `SHUNT_ATTACK_CASES` is the path of their file.
@Suite("shunt lint: attacks")
struct AttackCaseTests {
    private static let path = TestSettings.attackCases

    @Test("The hole of each attack is found", .enabled(if: path != nil, "SHUNT_ATTACK_CASES is not set"))
    func attacks() throws {
        let cases = try AttackCase.read(Self.path ?? "")
        let names = cases.reduce(into: Set<String>()) { $0.formUnion($1.wanted) }
        var score = (found: 0, wanted: 0, quiet: 0, others: 0)
        for attack in cases {
            let (codes, isLoaded, findings) = attack.codes()
            for name in attack.wanted {
                score.wanted += 1
                // Rules that do not load cannot be attacked, and report why.
                if codes.contains(name) || !isLoaded && !codes.contains("unknown-directive") {
                    score.found += 1
                } else {
                    print("not found: \(attack.id) \(name), but \(codes.sorted())")
                }
            }
            guard attack.wanted.isEmpty else { continue }
            score.others += 1
            let unwanted = findings.filter { names.contains($0.check) && $0.diagnostic.severity != .note }
            if unwanted.isEmpty {
                score.quiet += 1
            } else {
                print("found: \(attack.id) \(unwanted.map { "\($0.diagnostic.severity.rawValue) \($0.check)" })")
            }
        }
        // Not found: answers that guard nothing, arguments that are not an origin, expressions that PCRE2 does quickly,
        // a redirect to the app that is asked for in a language of the cases' own. Found without a label: answers that
        // lead to themselves, hosts of several scripts, a value of nginx that may contain a line feed, and a fallback
        // that the request chooses.
        #expect(score.wanted - score.found <= 8)
        #expect(score.others - score.quiet <= 10)
        print("attacks: \(score.found)/\(score.wanted) found, \(score.quiet)/\(score.others) quiet")
    }
}
