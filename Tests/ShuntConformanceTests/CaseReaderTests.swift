import NginxOracle
import Testing

/// The reader and the recorder of case files.
@Suite struct CaseReaderTests {
    static func read(_ text: String) throws -> [RuleSetCase] {
        try CaseReader.read(Array(text.utf8), file: "x.cases")
    }

    @Test func readsRequestsHeadersAndExpectations() throws {
        let sets = try Self.read(
            """
            # comment
            === first
            return 200 "x"; # a rule
            ---
            GET /a b?c HTTP/1.0
                Host: \\xe4.test
                X-Mark:  y
            > 200 "say \\"x\\" \\\\ \\x0a"
                X-A: 1
                -X-B
            PUT *
                -Host
            > forward /a\\x3fb?c?d
            GET /r
            > 301 /to
            GET /c
            > closed 444

            === second
            oops
            ---
            ! 1: message: more

            """
        )
        #expect(sets.map(\.name) == ["first", "second"])
        #expect(sets[0].rules == Array("return 200 \"x\"; # a rule\n".utf8))
        #expect(sets[1].refusal == Refusal(line: 1, message: "message: more"))
        let requests = sets[0].requests
        #expect(requests.map(\.line) == [5, 11, 14, 16])
        #expect(requests[0].request.target == Array("/a b?c".utf8))
        #expect(requests[0].request.version == Array("HTTP/1.0".utf8))
        #expect(
            requests[0].request.headers
                == [
                    HeaderLine(name: Array("Host".utf8), value: [0xe4] + Array(".test".utf8)),
                    HeaderLine("X-Mark", "y"),
                ]
        )
        #expect(
            requests[0].expectation
                == Expectation(
                    kind: .response(status: 200, location: nil, body: Array("say \"x\" \\ \n".utf8)),
                    headers: [HeaderLine("X-A", "1")],
                    absentHeaders: [Array("X-B".utf8)]
                )
        )
        #expect(requests[1].request.headers.isEmpty)
        #expect(requests[1].expectation?.kind == .forward(uri: Array("/a?b".utf8), args: Array("c?d".utf8)))
        #expect(requests[2].expectation?.kind == .response(status: 301, location: Array("/to".utf8), body: nil))
        #expect(requests[3].expectation?.kind == .closed(status: 444))
    }

    @Test(arguments: [
        ("oops\n", "x.cases:1: expected \"=== name\""),
        ("=== a\nrules\n", "x.cases:2: the last rule set has no --- line"),
        ("=== a\n---\n", "x.cases:1: the rule set has no requests"),
        ("=== a\n---\nGET /\n=== a\n---\nGET /\n", "x.cases:4: a rule set named \"a\" is on line 1"),
        ("=== a\n---\nGET\n", "x.cases:3: expected \"METHOD TARGET\""),
        ("=== a\n---\n> 200\n", "x.cases:3: this expectation belongs to no request"),
        ("=== a\n---\nGET /\n> 2000\n", "x.cases:4: cannot read the expectation \"2000\""),
        ("=== a\n---\nGET /\n> 200\n> 200\n", "x.cases:5: this expectation belongs to no request"),
        ("=== a\n---\nGET /\n    oops\n", "x.cases:4: expected \"Name: value\", \"-Host\" or \"@address\""),
        ("=== a\n---\nGET /\n!\n", "x.cases:4: a refused rule set has no requests"),
    ])
    func namesThePlaceOfAnError(_ text: String, _ message: String) {
        let error = #expect(throws: CaseError.self) { try Self.read(text) }
        #expect(error?.description == message)
    }

    @Test func writesWhatItReads() throws {
        let kinds: [RequestOutcome.Kind] = [
            .response(status: 200, location: nil, body: Array("a \"b\" \\ \u{1}ä\n".utf8)),
            .response(status: 200, location: nil, body: []),
            .response(status: 500, location: nil, body: nil),
            .response(status: 302, location: Array("/a b\"c\\?\u{7f}".utf8), body: nil),
            .response(status: 302, location: [], body: nil),
            .forward(uri: Array("/a? b\\".utf8), args: Array("c?d e".utf8)),
            .forward(uri: [], args: []),
            .closed(status: 408),
        ]
        for kind in kinds {
            let lines = Expectation(kind: kind).lines.map { String(decoding: $0, as: UTF8.self) }
            let sets = try Self.read("=== a\n---\nGET /\n" + lines.joined(separator: "\n") + "\n")
            #expect(sets[0].requests[0].expectation?.kind == kind)
        }
    }

    @Test func recordsOnlyExpectations() throws {
        let text =
            "=== a\nadd_header X-A 1;\n---\n# kept\nGET /\n    A: b\n> 200\n    X-B: old\nGET /b\n\n=== b\n\n---\n!\n"
        let sets = try Self.read(text)
        let outcomes = [
            RequestOutcome(.closed(status: 444), headers: [HeaderLine("x-b", "new"), HeaderLine("Other", "1")]),
            RequestOutcome(.response(status: 400, location: nil, body: nil), headers: [HeaderLine("X-A", "1")]),
        ]
        let recorded = CaseRecorder.record(
            Array(text.utf8),
            sets: sets,
            observations: [.outcomes(outcomes), .refused(Refusal(line: 2, message: "no"))]
        )
        let expected =
            "=== a\nadd_header X-A 1;\n---\n# kept\nGET /\n    A: b\n> closed 444\n    x-b: new\n    -X-A\nGET /b\n"
            + "> 400\n    X-A: 1\n\n=== b\n\n---\n! 2: no\n"
        #expect(String(decoding: recorded, as: UTF8.self) == expected)
    }

    @Test func findsDifferences() {
        let expected = Expectation(
            kind: .response(status: 200, location: nil, body: [65]),
            headers: [HeaderLine("X-A", "1")],
            absentHeaders: [Array("x-b".utf8)]
        )
        let good = RequestOutcome(expected.kind, headers: [HeaderLine("x-a", "1")])
        #expect(expected.difference(from: good) == nil)
        #expect(expected.difference(from: RequestOutcome(expected.kind)) != nil)
        #expect(expected.difference(from: RequestOutcome(.closed(status: 200), headers: good.headers)) != nil)
        #expect(
            expected.difference(from: RequestOutcome(expected.kind, headers: good.headers + [HeaderLine("X-B", "")]))
                != nil
        )
        let twice = RequestOutcome(expected.kind, headers: good.headers + good.headers)
        #expect(expected.difference(from: twice) != nil)
        let builtIn = Expectation(kind: .response(status: 404, location: nil, body: nil))
        #expect(builtIn.difference(from: RequestOutcome(.response(status: 404, location: nil, body: [65]))) == nil)
    }
}
