import Shunt
import Testing

@Suite("The changes of a reload")
struct RuleChangesTests {
    struct Case: Sendable {
        var name: String
        var before: [String: String]
        var after: [String: String]
        var added: [String] = []
        var removed: [String] = []
        var edited: [String] = []
        var reordered: [String] = []
    }

    static let cases: [Case] = [
        Case(name: "nothing", before: ["a.conf": "set $a 1;"], after: ["a.conf": "set $a 1;"]),
        Case(
            name: "white space and comments",
            before: ["a.conf": "set  $a\n1;"],
            after: ["a.conf": "# new\nset $a 1; # here"]
        ),
        Case(
            name: "a rule in the middle",
            before: ["a.conf": "set $a 1;\nset $c 3;"],
            after: ["a.conf": "set $a 1;\nset $b 2;\nset $c 3;"],
            added: ["set $b 2 @ rules/a.conf:2:1"]
        ),
        Case(
            name: "a rule gone",
            before: ["a.conf": "set $a 1;\nset $b 2;\nset $c 3;"],
            after: ["a.conf": "set $a 1;\nset $c 3;"],
            removed: ["set $b 2 @ rules/a.conf:2:1"]
        ),
        Case(
            name: "a rule of another text",
            before: ["a.conf": "server { return 200 a; }"],
            after: ["a.conf": "server {\n  return 200 'b c';\n}"],
            edited: ["return 200 a @ rules/a.conf:1:10 -> return 200 'b c' @ rules/a.conf:2:3"]
        ),
        Case(
            name: "another directive is no edit",
            before: ["a.conf": "server { return 200 a; }"],
            after: ["a.conf": "server { rewrite ^ /b; }"],
            added: ["rewrite ^ /b @ rules/a.conf:1:10"],
            removed: ["return 200 a @ rules/a.conf:1:10"]
        ),
        Case(
            name: "another order",
            before: ["a.conf": "set $a 1;\nset $b 2;"],
            after: ["a.conf": "set $b 2;\nset $a 1;"],
            reordered: ["rules/a.conf"]
        ),
        Case(
            name: "one of two equal rules",
            before: ["a.conf": "set $a 1;\nset $a 1;"],
            after: ["a.conf": "set $a 1;"],
            removed: ["set $a 1 @ rules/a.conf:2:1"]
        ),
        Case(
            name: "files",
            before: ["a.conf": "set $a 1;", "b.conf": "set $b 2;"],
            after: ["a.conf": "set $a 1;", "c.conf": "include d.conf;"],
            added: ["include d.conf @ rules/c.conf:1:1"],
            removed: ["set $b 2 @ rules/b.conf:1:1"]
        ),
        Case(
            name: "lines of a list",
            before: ["ads.txt": "# hosts\na.example\nb.example\n"],
            after: ["ads.txt": "a.example\n\n  c.example  \nd.example\n"],
            added: ["c.example @ rules/ads.txt:3:3", "d.example @ rules/ads.txt:4:1"],
            removed: ["b.example @ rules/ads.txt:3:1"]
        ),
        Case(
            name: "a file that is no rule file",
            before: ["a.conf": "set $a 1;"],
            after: ["a.conf": "set $a \"1; { }\n"],
            edited: ["set $a 1 @ rules/a.conf:1:1 -> set $a \"1 @ rules/a.conf:1:1"]
        ),
    ]

    @Test(arguments: cases.indices) func isFound(_ index: Int) {
        let item = Self.cases[index]
        let changes = RuleChanges(from: RuleArchive(item.before), to: RuleArchive(item.after))
        func words(_ rule: RuleChanges.Rule) -> String { "\(rule.text) @ \(rule.location)" }
        #expect(changes.added.map(words) == item.added, "\(item.name)")
        #expect(changes.removed.map(words) == item.removed, "\(item.name)")
        #expect(changes.edited.map { "\(words($0.before)) -> \(words($0.after))" } == item.edited, "\(item.name)")
        #expect(changes.reordered == item.reordered, "\(item.name)")
        #expect(changes.isEmpty == (item.added + item.removed + item.edited + item.reordered).isEmpty, "\(item.name)")
    }

    @Test func isCountedInFullAndListedInPart() {
        let before = (0..<300).map { "set $a\($0) 1;" }.joined(separator: "\n")
        let changes = RuleChanges(from: RuleArchive(["a.conf": before]), to: RuleArchive([:]))
        #expect(changes.removedCount == 300 && changes.removed.count == RuleChanges.listLimit)
        #expect(changes.previousCount == 300)
        let start = RuleChanges(from: nil, to: RuleArchive(["a.conf": before]))
        #expect(start.addedCount == 300 && start.previousCount == 0)
    }
}
