import ShuntCore
import ShuntPatterns
import Testing

@testable import ShuntRules

@Suite("Lists of hosts")
struct HostListTests {
    private func list(_ text: String) -> HostList {
        HostList(RuleFile(name: "ads.txt", bytes: Array(text.utf8)))
    }

    private func blocks(_ list: HostList, _ host: String) -> Bool {
        list.table.value(of: Array(host.utf8).span) != nil
    }

    private static let hostsFile = """
        # Title: a hosts file
        127.0.0.1 localhost localhost.localdomain
        ::1 ip6-localhost ip6-loopback
        255.255.255.255 broadcasthost
        0.0.0.0 0.0.0.0

        0.0.0.0 ads.example
        0.0.0.0\tCapital.Example  # why
        127.0.0.1 one.example two.example
        ::1 six.example
        0.0.0.0 under_score.example
        0.0.0.0 ads.example
        """

    private static let domains = """
        plain.example
          indented.example\t
        *.below.example
        .dotted.example
        final.example.
        commented.example # why

        192.0.2.7
        """

    private static let adblock = """
        [Adblock Plus 2.0]
        ! Title: an adblock list
        !#include other.txt
        ||whole.example^
        ||third.example^$third-party
        ||party.example^$3p,important
        ||document.example^$document
        ||all.example^$all
        ||192.0.2.9^
        ||path.example/ads
        ||path.example^ads
        ||script.example^$script
        ||third.example^$script,third-party
        ||own.example^$~third-party
        ||some.example^$domain=a.example|b.example
        ||star.*.example^
        ||open.example
        ||^
        @@||allowed.example^
        @@||whole.example^$document
        |https://start.example^
        /banner/ads^
        plain.example
        plain.example##.ad
        ##.ad
        #@#.ad
        """

    /// Lists with the number of names they hold, hosts that they block and hosts that they do not.
    private static let table: [(text: String, names: Int, blocked: [String], passed: [String])] = [
        (
            hostsFile, 7,
            ["ads.example", "capital.example", "one.example", "two.example", "six.example", "under_score.example"],
            ["localhost", "0.0.0.0", "broadcasthost", "x.ads.example", "example", "why"]
        ),
        (
            domains, 7,
            [
                "plain.example", "a.b.plain.example", "indented.example", "x.below.example", "dotted.example",
                "x.dotted.example", "final.example", "x.final.example", "commented.example", "192.0.2.7",
            ],
            ["below.example", "xplain.example", "plain.example.net", "example"]
        ),
        (
            adblock, 6,
            [
                "whole.example", "x.whole.example", "third.example", "party.example", "document.example",
                "all.example", "192.0.2.9",
            ],
            [
                "path.example", "script.example", "own.example", "some.example", "star.a.example", "open.example",
                "allowed.example", "start.example", "plain.example", "other.txt",
            ]
        ),
        // A list of this form without the line that marks it.
        ("!Blocklist\n||bare.example^$third-party\n", 1, ["bare.example"], []),
        // Lines of all forms, line ends of all kinds, no line end at all.
        ("||mixed.example^\r\nplain.example\r\n0.0.0.0 ads.example", 3, ["mixed.example", "ads.example"], ["plain"]),
        ("\u{FEFF}first.example\nsecond.example", 2, ["first.example", "second.example"], []),
        ("", 0, [], ["example"]),
        ("\n\n# nothing\n", 0, [], ["nothing"]),
    ]

    @Test(
        "A line with more than a host has the host as the way out",
        arguments: [
            ("https://ads.example/", "write ads.example"), ("ads.example:80", "write ads.example"),
            ("ads.example/banner", "write ads.example"), ("two words.example", nil), ("a..example", nil),
        ]
    )
    func advice(line: String, suggestion: String?) {
        #expect(list(line).problems.map(\.suggestion) == [suggestion])
    }

    @Test("each line blocks what its form means", arguments: table)
    func names(text: String, names: Int, blocked: [String], passed: [String]) {
        let list = list(text)
        #expect(list.problems.map(\.message) == [])
        #expect(list.names == names)
        for host in blocked { #expect(blocks(list, host), "\(host)") }
        for host in passed { #expect(!blocks(list, host), "\(host)") }
    }

    @Test("lines that name no host are reported, the first ten of them, and the rest is counted")
    func problems() {
        let list = list("good.example\n  two words\na..b\n" + String(repeating: "*\n", count: 20))
        #expect(list.names == 1)
        #expect(list.problems.count == 11)
        #expect(list.problems.map(\.count).reduce(0, +) == 22)
        #expect(list.problems.prefix(3).map { "\($0.location.line):\($0.location.column)" } == ["2:3", "3:1", "4:1"])
        #expect(list.problems.allSatisfy { $0.code == "invalid-host" && $0.severity == .warning })
    }

    @Test("a list that several rules name is kept once, and its text not at all; a file of rules keeps its own")
    func memory() {
        var fileSystem = InMemoryFileSystem()
        let rules = Array("blocklist ads.txt;\nblocklist ./ads.txt 410;\nblocklist none.txt;\n".utf8)
        fileSystem.set("/rules/a.conf", .file(rules))
        fileSystem.set("/rules/ads.txt", .file(Array("ads.example\na..b\nads.example\n".utf8)))
        fileSystem.set("/rules/none.txt", .file(Array("# nothing\n".utf8)))
        let result = Compiler.compile(RuleFiles.load("/rules", from: fileSystem))
        #expect(result.program?.tables.lists.map(\.count) == [1, 0])
        #expect(result.source.files.map(\.name) == ["/rules/a.conf", "/rules/ads.txt", "/rules/none.txt"])
        #expect(result.source.files.map(\.bytes.count) == [rules.count, 0, 0])
        let warnings = result.source.diagnostics.filter { $0.location.file == "/rules/ads.txt" }
        #expect(warnings.map(\.location.line) == [2])
        #expect(result.source.diagnostics.filter { $0.code == "empty-list" }.map(\.location.line) == [3])
        fileSystem.set("/rules/a.conf", .file(Array("blocklist a.conf;\n".utf8)))
        let own = Compiler.compile(RuleFiles.load("/rules", from: fileSystem))
        #expect(own.program == nil)
        #expect(own.source.files.map(\.bytes.count) == [18])
    }
}
