import SeededRandom
import Shunt
import TestSettings
import Testing

@testable import ShuntTools

/// Changes that are proved to change nothing are tried: no request may show a difference.
///
/// `SHUNT_EQUALITY_SETS` asks for a longer run, and `SHUNT_EQUALITY_SEED` begins it with another seed.
@Suite("Changes that are proved to change nothing")
struct EqualityRefutationTests {
    private static let sets = TestSettings.equalitySets
    private static let firstSeed = TestSettings.equalitySeed
    private static let asOf = Timestamp(seconds: 1_793_491_200)  // 2026-11-01T00:00:00Z

    @Test("No request is decided otherwise with a change that is proved to be none")
    func refutation() throws {
        var proved: [Mutation.Kind: Int] = [:]
        for seed in Self.firstSeed..<Self.firstSeed + Self.sets {
            var generator = MutationRuleGenerator(seed: UInt64(seed))
            let rules = generator.rules()
            let ruleSet = try RuleSet(text: rules, named: "r")
            let engine = Engine(ruleSet)
            let equality = MutationEquality(ruleSet, limits: AnalysisLimits())
            for (mutation, change) in MutationMaker.mutations(of: ruleSet) {
                let isEqual = change.flatMap { equality.proof(of: mutation, $0) }?.isEqual == true
                guard isEqual || equality.holds(mutation) else { continue }
                var content = Array(rules.utf8)
                content.replaceSubrange(mutation.range, with: mutation.replacement)
                let mutant = Engine(try RuleSet(text: String(decoding: content, as: UTF8.self), named: "r"))
                proved[mutation.kind, default: 0] += 1
                for _ in 0..<150 {
                    let request = generator.request()
                    let (before, after) = (engine.decide(request), mutant.decide(request))
                    guard !before.isSameOutcome(as: after) else { continue }
                    Issue.record("\(mutation.rule) \(mutation.change) by \(request) in\n\(rules)\(before)\n\(after)")
                    break
                }
            }
        }
        for kind in [Mutation.Kind.moved, .result, .anchor] { #expect(proved[kind, default: 0] > 4, "\(proved)") }
    }

    @Test("A request whose paths a changed expression does not distinguish is decided as before")
    func pathTrails() throws {
        var skipped = 0
        var changed = 0
        for seed in Self.firstSeed..<Self.firstSeed + Self.sets {
            var generator = MutationRuleGenerator(seed: UInt64(seed))
            let rules = generator.rules()
            let ruleSet = try RuleSet(text: rules, named: "r")
            let engine = Engine(ruleSet)
            let requests = (0..<40).map { _ in generator.request() }
            let trails = requests.map { PathTrail(engine.observe($0).steps) }
            for (mutation, change) in MutationMaker.mutations(of: ruleSet) {
                guard let expression = change.flatMap(ChangedPathExpression.init) else { continue }
                var content = Array(rules.utf8)
                content.replaceSubrange(mutation.range, with: mutation.replacement)
                let mutant = Engine(try RuleSet(text: String(decoding: content, as: UTF8.self), named: "r"))
                for (request, trail) in zip(requests, trails) {
                    let isSame = engine.decide(request).isSameOutcome(as: mutant.decide(request))
                    if !isSame { changed += 1 }
                    guard trail?.isDistinguished(by: expression) == false else { continue }
                    skipped += 1
                    #expect(isSame, "\(mutation.change) by \(request) in\n\(rules)")
                }
            }
        }
        #expect(skipped > 1000 && changed > 100, "\(skipped) \(changed)")
    }
}

/// Draws rules among which much is equal and nearly equal, and requests for them.
struct MutationRuleGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func pick(_ all: [String]) -> String { all[Int.random(in: 0..<all.count, using: &random)] }

    private static let paths = [
        "^/a$", "^/(a)$", "^/b/(.*)$", "^/(.*)$", "/(.*)$", "^/c/", "^/(a|b)+$", "^/[ab]$", "b$", "^/0(a*)$",
        "^/d(/.*)?$",
    ]
    private static let targets = ["/a", "/b/$1", "$1", "/c/x", "/e", "/d/$1", "/0"]
    private static let urls = [
        "^https?://a/(.*)$", "^kl://a/(\\w+)$", "^kl://b/", "^http://b/(.*)$", "^kl://(a|c)/x$", "^https://c(/.*)?$",
    ]
    private static let urlTargets = ["kl://a/x", "kl://b/$1", "http://a/$1", "https://c/a", "kl://c/x?y=$1"]
    private static let hosts = ["a", "b", "*.a", ".b", "a.b", "c"]

    mutating func rules() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 2...5, using: &random) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let wild = Bool.random(using: &random) ? "*." : ""
                text += "rename_host \(wild)\(pick(["a", "b", "c"])) \(wild)\(pick(["a", "b", "d"]));\n"
            case 1: text += "block host \(pick(Self.hosts)) 404;\n"
            case 2: text += "block \(pick(["^~ kl://b/", "= kl://a/x", "~ ^kl://c/", "~* ^http://b/a"])) 410;\n"
            case 3: text += "degrade \(pick(["^~ kl://a/", "= kl://B/x", "host c", "~ ^kl://d/"])) https://m.test/;\n"
            default:
                let flag = pick(["last", "break", "", "permanent"])
                text += "rewrite_url \(pick(Self.urls)) \(pick(Self.urlTargets)) \(flag);\n"
            }
        }
        text += "server {\n"
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            text += "rewrite \(pick(Self.paths)) \(pick(Self.targets)) \(pick(["last", "break", "", "redirect"]));\n"
        }
        if Int.random(in: 0..<4, using: &random) == 0 { text += "set $x $1;\nadd_header X $x;\n" }
        for path in ["/b/", "/c/"] where Bool.random(using: &random) {
            text +=
                "location \(path) { rewrite \(pick(Self.paths)) \(pick(Self.targets)) \(pick(["last", "break", ""])); }\n"
        }
        for path in ["^/a", "b$", "^/d/", "^/0"] where Bool.random(using: &random) {
            text +=
                "location ~ \(path) { return 20\(Int.random(in: 0..<4, using: &random)) \"\(pick(["$1", "$uri"]))\"; }\n"
        }
        return text + "}\n"
    }

    mutating func request() -> RuleRequest {
        var path = "/"
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
            path += pick(["a", "b", "c", "d", "x", "0", "/", "A", "B", "/b/", "/c/", "%41", "..", "~"])
        }
        if Int.random(in: 0..<4, using: &random) == 0 { path += pick(["?y=1", "?", "?a=b&y"]) }
        let host = pick(["a", "b", "c", "d", "x.a", "x.b", "A", "B", "C", "a.b", "x.a.b"])
        if Int.random(in: 0..<3, using: &random) == 0 { return RuleRequest(target: path, host: host) }
        return RuleRequest(url: "\(pick(["http", "https", "kl", "KL", "HTTP"]))://\(host)\(path)")
    }
}
