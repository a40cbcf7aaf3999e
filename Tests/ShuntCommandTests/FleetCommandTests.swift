#if Command && Fleet
import TestFolder
import Testing

@Suite("shunt fleet")
struct FleetCommandTests {
    /// A folder with rules, keys and a key file.
    static func folder(approvals: Int = 0) throws -> TestFolder {
        let folder = try TestFolder(["rules/10-app.conf": "server { listen 80; location / { return 201; } }\n"])
        try folder.run(
            ["fleet", "keygen", "--owner", "alice", "--role", "publish", "--out", "alice.key"],
            is: 0
        )
        try folder.run(
            ["fleet", "keygen", "--owner", "carol", "--role", "rollback", "--role", "approve", "--out", "carol.key"],
            is: 0
        )
        try folder.run(
            [
                "fleet", "keys", "make", "--namespace", "web", "alice.key.pub", "carol.key.pub",
                "--threshold", "approve=\(approvals)", "--out", "keys.json",
            ],
            is: 0
        )
        return folder
    }

    static let publish = ["fleet", "publish", "rules", "--to", "releases", "--keys", "keys.json", "--author", "alice"]
    static let store = ["--store", "releases"]
    static let trusted = store + ["--keys", "keys.json"]
    static let quick = ["--stages", "1,100%", "--bake", "0"]

    @Test("A key whose signature does not count, and a plan that no node can read, make no release")
    func refusedOrders() throws {
        let folder = try Self.folder()
        try folder.run(["fleet", "keygen", "--owner", "eve", "--role", "publish", "--out", "eve.key"], is: 0)
        for (key, problem) in [("carol.key", "has the role approve, rollback"), ("eve.key", "is not in the key file")] {
            let outcome = try folder.run(Self.publish + ["--key", key], is: 1)
            #expect(outcome.errors.contains(problem), "\(outcome.errors)")
        }
        for plan in [["--spread=-1"], ["--spread", "600001"], ["--confirm", "8d"], ["--stages", "1000001,100%"]] {
            let outcome = try folder.run(Self.publish + ["--key", "alice.key"] + plan, is: 2)
            #expect(outcome.errors.contains("The rollout cannot be so"), "\(outcome.errors)")
        }
        #expect(!(try folder.run(["fleet", "history"] + Self.store).text.contains("waiting")))
    }

    @Test("From keys to a rollback")
    func wholeWay() throws {
        let folder = try Self.folder()
        let first = try folder.run(Self.publish + ["--key", "alice.key", "--message", "begin"], is: 0)
        #expect(first.text.hasPrefix("checked     1 rule, all tests passed\nrelease 1   set "), "\(first.text)")
        #expect(first.text.hasSuffix(" is stable: it is the first one\n"), "\(first.text)")
        try folder.write("rules/10-app.conf", "server { listen 80; location / { return 202; } }\n")
        let dry = try folder.run(Self.publish + ["--dry-run"], is: 0)
        #expect(dry.text.contains("0 added, 1 edited, 0 removed of 4 rules, within the budget"), "\(dry.text)")
        #expect(dry.text.contains("nothing was written"))
        let second = try folder.run(Self.publish + ["--key", "alice.key", "--wait"] + Self.quick, is: 0)
        #expect(second.text.contains("stage 1     1 node    no node reports; waited in "), "\(second.text)")
        #expect(second.text.contains("stage 2     100 %     no node reports; waited in "), "\(second.text)")
        #expect(second.text.hasSuffix("done        release 2 is stable\n"), "\(second.text)")
        let status = try folder.run(["fleet", "status"] + Self.trusted, is: 0)
        #expect(status.text == "namespace web   release 2 stable   0 nodes, 0 live\n")
        let back = ["fleet", "rollback", "--to", "1", "--key", "carol.key", "--keys", "keys.json", "--at-once"]
        let third = try folder.run(back + ["--author", "carol", "--format", "json"] + Self.store, is: 0)
        #expect(third.text.hasPrefix(#"{"release":3,"set":""#), "\(third.text)")
        #expect(third.text.contains(#""state":"done""#), "\(third.text)")
        let history = try folder.run(["fleet", "history"] + Self.store, is: 0)
        let lines = history.text.split(separator: "\n")
            .map { line in
                line.split(separator: " ", omittingEmptySubsequences: true).dropFirst().joined(separator: " ")
            }
        #expect(
            lines == [
                "RELEASE WHAT WHO WHY", "1 published alice begin", "2 published alice", "2 stage 1 alice",
                "2 stage 2 alice", "2 done alice", "3 rolled back carol back to release 1", "3 done carol",
            ],
            "\(history.text)"
        )
        let told = try folder.run(["fleet", "history", "--last", "2", "--format", "json"] + Self.store, is: 0)
        let golden = [
            #"{"at":"…","release":3,"action":"rolled back","kind":"rollback","set":"…","rules":1,"by":"carol","reason":"back to release 1"}"#,
            #"{"at":"…","release":3,"action":"done","by":"carol","reason":""}"#,
        ]
        let objects = told.text.split(separator: "\n")
            .map {
                String($0).replacing(/"at":"[^"]*"/, with: #""at":"…""#).replacing(/"set":"[^"]*"/, with: #""set":"…""#)
            }
        #expect(objects == golden)
        let verified = try folder.run(["fleet", "verify", "--keys", "keys.json"] + Self.store, is: 0)
        #expect(verified.text.hasPrefix("right  release 3 set "), "\(verified.text)")
        #expect(try folder.run(["fleet", "gc"] + Self.store, is: 0).text == "0 manifests and 0 blobs removed\n")
    }

    @Test("The difference of two releases, and of one and rules that are not released")
    func difference() throws {
        let folder = try Self.folder()
        try folder.run(Self.publish + ["--key", "alice.key"], is: 0)
        try folder.write("rules/10-app.conf", "server { listen 80; location / { return 202; } }\n")
        try folder.run(Self.publish + ["--key", "alice.key", "--wait"] + Self.quick, is: 0)
        let difference = try folder.run(["fleet", "diff", "1", "2"] + Self.trusted, is: 1)
        #expect(difference.text.contains("to  return 202"), "\(difference.text)")
        #expect(try folder.run(["fleet", "diff", "2", "rules"] + Self.trusted).status == 0)
        let missing = try folder.run(["fleet", "diff", "1", "7"] + Self.trusted)
        #expect(missing.status == 3)
        #expect(
            missing.errors.contains("releases has no release 7 that is signed as the keys require"),
            "\(missing.errors)"
        )
        let unchecked = try folder.run(["diff", "release:1@releases", "rules"])
        #expect(
            unchecked.errors.contains("name the key file of the nodes with SHUNT_FLEET_KEYS"),
            "\(unchecked.errors)"
        )
    }

    @Test("A release that needs two people waits for the second")
    func approval() throws {
        let folder = try Self.folder(approvals: 1)
        let first = try folder.run(Self.publish + ["--key", "alice.key"], is: 0)
        #expect(first.text.hasSuffix("waits for another signature: shunt fleet approve 1\n"), "\(first.text)")
        #expect(try folder.run(["fleet", "status"] + Self.trusted).status == 1)
        let approve = ["fleet", "approve", "1", "--keys", "keys.json"] + Self.store
        #expect(try folder.run(approve + ["--key", "alice.key"], is: 0).text.contains("waits for another signature"))
        let approved = try folder.run(approve + ["--key", "carol.key"], is: 0)
        #expect(approved.text.hasSuffix("is stable: it is the first one\n"), "\(approved.text)")
    }

    @Test("A person steers a rollout")
    func steering() throws {
        let folder = try Self.folder()
        try folder.run(Self.publish + ["--key", "alice.key"], is: 0)
        #expect(try folder.run(["fleet", "pause"] + Self.trusted).status == 1)
        try folder.write("rules/10-app.conf", "server { listen 80; location / { return 202; } }\n")
        let begun = try folder.run(Self.publish + ["--key", "alice.key", "--format", "json"], is: 0)
        #expect(begun.text.contains(#""state":"running""#), "\(begun.text)")
        #expect(try folder.run(["fleet", "pause"] + Self.trusted, is: 0).text == "release 2 is paused\n")
        let excluded = try folder.run(["fleet", "exclude", "edge-1"] + Self.trusted, is: 0)
        #expect(excluded.text == "release 2 is paused   excluded: edge-1\n")
        #expect(try folder.run(["fleet", "resume"] + Self.trusted, is: 0).text.hasPrefix("release 2 is running"))
        let aborted = try folder.run(["fleet", "abort", "--format", "json", "-m", "404s"] + Self.trusted, is: 0)
        #expect(aborted.text == #"{"release":2,"state":"aborted","stage":1,"excluded":["edge-1"]}"# + "\n")
        let poison = ["fleet", "poison", "2", "--key", "carol.key", "--keys", "keys.json"]
        #expect(try folder.run(poison + Self.store, is: 0).text.hasPrefix("list 1 has 1 set\n"))
        #expect(try folder.run(poison + ["--undo"] + Self.store, is: 0).text == "list 2 has 0 sets\n")
    }

    @Test("Text in a store is not a command for a terminal")
    func hostileText() throws {
        let folder = try Self.folder()
        try folder.run(Self.publish + ["--key", "alice.key"], is: 0)
        try folder.write("rules/10-app.conf", "server { listen 80; location / { return 202; } }\n")
        let evil = "\u{1b}[2J\u{9b}31mred\nnext"
        try folder.run(Self.publish + ["--key", "alice.key", "--author", evil, "--message", evil], is: 0)
        for command in [["status"] + Self.trusted, ["history"] + Self.store] {
            let outcome = try folder.run(["fleet"] + command, is: 0)
            #expect(outcome.text.contains("[2J31mred"), "\(outcome.text)")
            #expect(!outcome.text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{9b}" })
        }
        let lost = try folder.run(Self.publish + ["--key", "alice.key"])
        #expect(lost.status == 1)
        #expect(lost.errors == "shunt: error: release 2 is still running\n")
    }

    @Test("Keys are shown and replaced")
    func keys() throws {
        let folder = try Self.folder()
        try folder.run(Self.publish + ["--key", "alice.key"], is: 0)
        let shown = try folder.run(["fleet", "keys", "show", "keys.json"], is: 0)
        #expect(shown.text.hasPrefix("namespace web   key file 1   a release needs: 1 publish, 1 rollback\n"))
        try folder.run(
            [
                "fleet", "keys", "make", "--namespace", "web", "carol.key.pub", "alice.key.pub", "--after", "keys.json",
                "--threshold", "approve=0", "--out", "next.json",
            ],
            is: 0
        )
        let sign = ["fleet", "keys", "sign", "next.json", "--keys", "keys.json"]
        #expect(try folder.run(sign + ["--key", "carol.key"] + Self.store).status == 1)
        let signed = try folder.run(sign + ["--key", "alice.key", "--out", "signed.json"], is: 0)
        #expect(signed.text == "signed.json has 1 signature\n")
        let given = ["fleet", "keys", "sign", "signed.json", "--keys", "keys.json", "--key", "alice.key"]
        #expect(try folder.run(given + Self.store, is: 0).text == "nodes get key file 2\n")
    }

    @Test(
        "1: refused, 2: wrong usage, 3: there is no answer",
        arguments: [
            (["fleet"], 0), (["fleet", "status"], 2),
            (["fleet", "status", "--store", "nothing", "--keys", "keys.json"], 3),
            (["fleet", "history", "--store", "nothing"], 3), (["fleet", "history", "--store", ""], 3),
            (["fleet", "status", "--store", "releases"], 2),
            (["fleet", "status", "--store", "http://127.0.0.1:1/", "--keys", "keys.json"], 3),
            (["fleet", "publish", "rules"], 2),
            (publish, 2), (publish + ["--key", "missing.key"], 3), (publish + ["--key", "keys.json"], 3),
            (publish + ["--key", "alice.key", "--stages", "50%"], 2),
            (["fleet", "publish", "bad", "--to", "releases", "--keys", "keys.json", "--key", "alice.key"], 1),
            (["fleet", "publish", "empty", "--to", "releases", "--keys", "keys.json", "--key", "alice.key"], 1),
            (["fleet", "publish", "rules/10-app.conf", "--to", "x", "--keys", "keys.json", "--key", "alice.key"], 1),
            (["fleet", "keygen", "--owner", "a", "--role", "publish", "--out", "alice.key"], 1),
            (["fleet", "keygen", "--owner", "a", "--role", "king", "--out", "b.key"], 2),
            (["fleet", "verify", "--keys", "keys.json", "--store", "nothing"], 3),
        ] as [([String], Int32)]
    )
    func statuses(arguments: [String], status: Int32) throws {
        let folder = try Self.folder()
        try folder.write("bad/10.conf", "retrun 200;\n")
        try folder.write("empty/10.conf", "# nothing\n")
        let outcome = try folder.run(arguments)
        #expect(outcome.status == status, "\(outcome.text)\(outcome.errors)")
        #expect(status == 0 || !outcome.errors.isEmpty)
    }
}

extension TestFolder {
    /// Runs the program, whose exit status has to be this one.
    @discardableResult
    func run(_ arguments: [String], is status: Int32) throws -> Outcome {
        let outcome = try run(arguments)
        try #require(outcome.status == status, "\(arguments): \(outcome.text)\(outcome.errors)")
        return outcome
    }
}
#endif
