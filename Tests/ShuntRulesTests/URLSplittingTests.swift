import Foundation
import Testing

/// URLs are taken apart in one place: a program that finds the host itself may find another one than the rules have
/// judged.
@Suite struct URLSplittingTests {
    /// The files that look for `://`, by the reason why they find no host of a request by it.
    private static let schemes: [String: [String]] = [
        "reads the text of a rule": [
            "ShuntRules/Check/Mistakes/MistakeCheck+Hosts.swift", "ShuntRules/Compile/URLPhase/MatcherCompiler.swift",
            "ShuntRules/Compile/URLPhase/SpellingCompiler.swift", "ShuntRules/Expect/URLWildcards.swift",
            "ShuntTools/Lint/Order/ImpossibleExpressions.swift", "ShuntTools/Lint/Order/ImpossibleText.swift",
            "ShuntTools/Lint/Security/FileChecks.swift", "ShuntTools/Lint/Security/OpenRedirects.swift",
            "ShuntTools/Lint/Security/ProxyChecks.swift", "ShuntTools/Lint/Security/UnescapedValues.swift",
            "ShuntTools/Lint/Traps/DoubledSlash.swift", "ShuntTools/Lint/Traps/TargetMistakes.swift",
            "ShuntTools/Lint/Traps/TargetTexts.swift", "ShuntTools/Solve/Reach/RuleEffects.swift",
        ],
        "reads the configuration of another server": [
            "ShuntTools/Import/Apache/ApacheLookup.swift", "ShuntTools/Import/Apache/ApacheStart.swift",
            "ShuntTools/Import/Apache/ApacheTarget.swift", "ShuntTools/Import/Caddy/CaddyAction.swift",
            "ShuntTools/Import/Caddy/CaddyImport.swift", "ShuntTools/Import/IIS/IISImport.swift",
        ],
        "reads the pattern of a route": [
            "ShuntGateway/Page/RouteTree.swift", "ShuntLinks/Open/Links+Unknown.swift",
            "ShuntRouting/Build/RouteTableBuilder.swift", "ShuntRouting/Pattern/RoutePattern.swift",
        ],
        "reads a row of a list, and RedirectKey or URLParser checks it": [
            "ShuntRules/Lists/RedirectKey.swift", "ShuntRules/Lists/RedirectReader.swift",
            "ShuntRules/Lists/RedirectTarget.swift", "ShuntTools/Tests/RedirectTable.swift",
        ],
        "puts a URL or a pattern together, or compares two": [
            "ShuntRules/Show/DecisionText.swift", "ShuntTools/Explain/SourceSearch.swift",
            "ShuntTools/Lint/Security/Spellings.swift", "ShuntTools/Solve/ListRequests.swift",
        ],
        "reads a target before the rules do, and HostAndPort checks its host": [
            "ShuntGateway/Decide/DecisionQuestion.swift", "ShuntGateway/Request/IncomingRequest.swift",
        ],
        "reads a URL of the program or of its operator, not of a client": [
            "ShuntCommand/Ask/ServerAddress.swift", "ShuntCommand/Ask/WireRequest.swift",
            "ShuntServices/Client/HTTPExchange.swift", "ShuntServices/Client/RemoteActions.swift",
            "ShuntServices/Client/URLSessionTransport.swift",
        ],
        "reads the Origin of a page, which has no path": ["ShuntLinks/Bridge/BridgeOrigin.swift"],
    ]

    /// The files that split at a slash, by the reason why they find no host of a request by it.
    private static let slashes: [String: [String]] = [
        "splits a path of the file system": [
            "Shunt/Store/Directory/WatchPlan.swift", "ShuntCore/Files/InMemoryFileSystem.swift",
            "ShuntCore/Files/LinkPolicy.swift", "ShuntFleet/Release/Content/FilePath.swift",
            "ShuntGateway/Report/LogDirectories.swift", "ShuntRules/Expect/ExpectedRule.swift",
            "ShuntRules/Syntax/FileGate.swift", "ShuntRules/Syntax/RuleFiles.swift",
        ],
        "splits a path or a target, which has no host": [
            "ShuntGateway/Admin/AdminExchange.swift", "ShuntRouting/Match/PatternWriter.swift",
            "ShuntRouting/Match/RouteSuggestions.swift", "ShuntRules/Evaluate/Evaluation+Files.swift",
            "ShuntRules/Evaluate/Evaluation+SignedLinks.swift", "ShuntRules/Evaluate/Evaluation+UpstreamAnswers.swift",
        ],
        "reads the text of a rule": [
            "ShuntGateway/Page/RouteTree.swift", "ShuntLinks/Open/Links+Unknown.swift",
            "ShuntRouting/Build/TableAssembly.swift", "ShuntRules/Check/Mistakes/MistakeCheck+Hosts.swift",
            "ShuntRules/Compile/Settings/ProxyCompiler.swift", "ShuntRules/Compile/Settings/RefererCompiler.swift",
        ],
        "reads a row of a list, and RedirectKey or URLParser checks it": [
            "ShuntRules/Lists/RedirectKey.swift", "ShuntRules/Lists/RedirectReader.swift",
            "ShuntRules/Lists/RedirectTarget.swift",
        ],
        "is the parser of proxy_pass": ["ShuntRules/Serving/ProxyAddress.swift"],
        "reads a target before the rules do, and HostAndPort checks its host": [
            "ShuntGateway/Decide/DecisionQuestion.swift", "ShuntGateway/Request/IncomingRequest.swift",
        ],
        "reads a URL of the program or of its operator, not of a client": [
            "ShuntFleet/Etcd/EtcdCertificateProblem.swift", "ShuntFleet/Etcd/EtcdOptions.swift",
            "ShuntServices/Client/HTTPExchange.swift", "ShuntServices/Client/RemoteActions.swift",
        ],
    ]
    /// The folders of tools, which read rules and reports, and serve no request.
    private static let tools = ["ShuntAppLinks/", "ShuntCommand/", "ShuntTools/"]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources").path

    private static let schemeTexts = [
        #""://""#, #":\/\/"#, #"ascii: ":"), UInt8(ascii: "/")"#, "0x3a, 0x2f", "URLComponents(", " URL(string:",
        "(URL(string:",
    ]

    /// Returns true if a line of code looks for the end of a scheme.
    private static func seeksScheme(_ line: Substring) -> Bool { schemeTexts.contains { line.contains($0) } }

    /// Finds lines of code that split at a slash, or look for the first one.
    private struct SlashSearch {
        private let forms: [Regex<AnyRegexOutput>]

        init() throws {
            let slash = #"(?:"/"|UInt8\(ascii: "/"\)|0x2f(?![0-9a-f])|(?:Self)?\.?slash(?![a-z]))"#
            let calls = "split|firstIndex|firstRange|ranges?|components|index"
            let closures = "split|firstIndex|index|prefix|first|where:|whereSeparator:|while:"
            forms = try [
                #"(?:\#(calls))\((?:[a-zA-Z]+: ?)?\#(slash)"#, "^ *(?:separator|separatedBy|of): ?\(slash)",
                #"(?:\#(closures))[^{}]*\{[^{}]*\$0 ?[!=]= ?\#(slash)"#, #"drop[^{}]*\{[^{}]*\$0 ?!= ?\#(slash)"#,
                #""[^"]*/[^"]*"(?:\.utf8)?\.contains\(\$0"#,
            ]
            .map { try Regex($0) }
        }

        func finds(_ line: Substring) -> Bool {
            guard ["/", "0x2f", "slash"].contains(where: { line.contains($0) }) else { return false }
            return forms.contains { line.firstMatch(of: $0) != nil }
        }
    }

    /// The files of which a line of code is found.
    private static func files(_ isFound: (Substring) -> Bool) throws -> Set<String> {
        let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        return Set(
            try names.filter { name in
                let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
                return text.split(separator: "\n").contains { !$0.drop { $0 == " " }.hasPrefix("//") && isFound($0) }
            }
        )
    }

    private static let advice = "use URLParser, RouteSubject or ProxyAddress"

    @Test("No code outside of the URL parsers looks for the end of a scheme to find a host")
    func lookForSchemes() throws {
        let (found, allowed) = (try Self.files(Self.seeksScheme), Set(Self.schemes.values.joined()))
        #expect(found.subtracting(allowed).sorted() == [], "\(Self.advice)")
        #expect(allowed.subtracting(found).sorted() == [], "these need no exception any more")
    }

    @Test("No code outside of the URL parsers splits at a slash to find a host")
    func splitAtSlashes() throws {
        let search = try SlashSearch()
        let found = try Self.files { search.finds($0) }
            .filter { name in !Self.tools.contains { name.hasPrefix($0) } }
        let allowed = Set(Self.slashes.values.joined())
        #expect(found.subtracting(allowed).sorted() == [], "\(Self.advice)")
        #expect(allowed.subtracting(found).sorted() == [], "these need no exception any more")
    }

    @Test(
        "Each form of looking for a host is seen",
        arguments: [
            (#"let rest = url.range(of: "://")"#, true, false), (#"url.components(separatedBy: "://")"#, true, false),
            (#"url.firstRange(of: Array("://".utf8))"#, true, false),
            (#"text.firstMatch(of: /^\w+:\/\/(.*)/)"#, true, false),
            (#"bytes.starts(with: [UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "/")])"#, true, false),
            ("let host = URLComponents(string: text)?.host", true, false),
            ("let host = URL(string: text)?.host", true, false),
            (#"let parts = url.split(separator: "/")"#, false, true),
            (#"url.split(separator: UInt8(ascii: "/"), maxSplits: 3)"#, false, true),
            (#"url.split { $0 == "/" }"#, false, true), (#"url.split(whereSeparator: { $0 == "/" })"#, false, true),
            (#"                separator: "/","#, false, true),
            (#"let end = rest.firstIndex(of: "/")"#, false, true),
            (#"rest.firstIndex(of: UInt8(ascii: "/"))"#, false, true),
            (#"rest.firstIndex(where: { $0 == UInt8(ascii: "/") })"#, false, true),
            ("rest.firstIndex(of: 0x2f)", false, true),
            (#"rest.firstIndex { "/?#".utf8.contains($0) }"#, false, true),
            (#"rest.prefix { $0 != "/" }"#, false, true),
            (#"rest.prefix(while: { $0 != "/" && $0 != "?" })"#, false, true),
            (#"url.components(separatedBy: "/")"#, false, true),
            (#"rest.range(of: "/")"#, false, true), (#"rest.drop { $0 != "/" }"#, false, true),
            (#"path.drop { $0 == "/" }"#, false, false), (#"names.joined(separator: "/")"#, false, false),
            (#"path.lastIndex(of: "/")"#, false, false), (#"url.hasPrefix("/")"#, false, false),
        ]
    )
    func forms(line: String, isScheme: Bool, isSlash: Bool) throws {
        #expect(Self.seeksScheme(line[...]) == isScheme)
        #expect(try SlashSearch().finds(line[...]) == isSlash)
    }
}
