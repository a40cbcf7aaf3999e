import Shunt
import ShuntLinks
import ShuntModules
import Testing

/// Statements P1 to P12 and L20, L21: parameters.
@Suite struct ParameterTests {
    enum Color: String, Codable, Sendable { case red, green }
    struct Everything: Codable, Hashable, Sendable {
        var id: Int
        var name: String?
        var tags: [String]?
        var flag: Bool?
        var color: Color?
        var ratio: Double?
        var presentation: Presentation?
        var small: UInt8?
    }
    struct Three: Codable, Sendable {
        var one: Int
        var two: Int
        var three: Bool
    }
    struct Defaulted: Decodable, Sendable {
        var size: Int
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            size = try container.decodeIfPresent(Int.self, forKey: .size) ?? 20
        }
        enum Key: CodingKey { case size }
    }
    static let everything = ModuleAction<Everything, Everything>("everything", at: "kl://all/:id", for: .links)
    static let three = ModuleAction<Three, NoValue>("three", at: "kl://three/now", for: .links)
    static let defaulted = ModuleAction<Defaulted, Int>("defaulted", at: "kl://defaulted/now", for: .links)

    static let module = AnyModule("X") { definition in
        definition.handle(everything) { input, _ in input }
        definition.handle(three) { _, _ in NoValue() }
        definition.handle(defaulted) { input, _ in input.size }
    }

    private static func problems(_ links: Links, _ url: String) async -> [String] {
        do {
            _ = try await links.open(url, from: Caller(.link))
            return []
        } catch LinkError.parameters(_, let problems) {
            return problems.map { problem in
                switch problem.kind {
                case .missing: "\(problem.name) missing"
                case .repeated: "\(problem.name) repeated"
                case .unreadable(let value, let wanted): "\(problem.name) \(value) \(wanted)"
                }
            }
        } catch {
            return ["\(error)"]
        }
    }

    @Test(
        "P1 to P4, P6, P10, P11: what is wrong, all at once",
        arguments: [
            ("kl://three/now?one=1&two=2", ["three missing"]),
            ("kl://three/now?one=abc&two=2&three=true", ["one abc Int"]),
            ("kl://three/now?one=9223372036854775808&two=2&three=true", ["one 9223372036854775808 Int"]),
            ("kl://three/now?one=a&three=1", ["one a Int", "two missing", "three 1 Bool"]),
            ("kl://three/now?one=1&one=2&two=2&three=true", ["one repeated"]),
            ("kl://all/7?color=blue", ["color blue Color"]),
            ("kl://all/7?name=%zz", ["name %zz String"]),
            ("kl://all/7?name=%ff", ["name %ff String"]),
            ("kl://all/7?name=a%00b", ["name a%00b String"]),
            ("kl://all/7?small=256", ["small 256 UInt8"]),
        ]
    )
    func wrong(url: String, expected: [String]) async throws {
        try await open([Self.module]) { (links, _) async throws in #expect(await Self.problems(links, url) == expected)
        }
    }

    @Test(
        "P5, P6, P7, P9, P12: what is right",
        arguments: [
            ("kl://all/7", Everything(id: 7)),
            ("kl://all/7?tags=a&tags=b", Everything(id: 7, tags: ["a", "b"])),
            ("kl://all/7?id=8", Everything(id: 7)),
            ("kl://all/7?utm_source=x", Everything(id: 7)),
            ("kl://all/7?presentation=modal", Everything(id: 7, presentation: .modal)),
            ("kl://all/7?presentation=sideways", Everything(id: 7, presentation: Presentation(rawValue: "sideways"))),
            ("kl://all/7?flag=false&color=red&ratio=0.5", Everything(id: 7, flag: false, color: .red, ratio: 0.5)),
            ("kl://all/7?name=a%20b+c%2Fd", Everything(id: 7, name: "a b c/d")),
        ]
    )
    func right(url: String, expected: Everything) async throws {
        try await open([Self.module]) { (links, _) async throws in
            #expect(try await links.open(url, from: Caller(.link), as: Everything.self) == expected)
        }
    }

    @Test("P5: the default of a type's own decoding")
    func defaults() async throws {
        try await open([Self.module]) { (links, _) async throws in
            #expect(try await links.open("kl://defaulted/now", from: Caller(.link), as: Int.self) == 20)
            #expect(try await links.open("kl://defaulted/now?size=5", from: Caller(.link), as: Int.self) == 5)
        }
    }

    @Test("P8: a JSON body counts, but not next to the query")
    func body() async throws {
        try await open([Self.module]) { (links, _) async throws in
            let request = RuleRequest(url: "kl://all/7?flag=true")
            let body = Array(#"{"name":"n","tags":["a"],"ratio":2,"id":9}"#.utf8)
            guard case .value(let value) = try await links.open(request, body: body, from: Caller(.link)) else {
                throw CancellationError()
            }
            #expect(value as? Everything == Everything(id: 7, name: "n", tags: ["a"], flag: true, ratio: 2))
            await #expect(throws: LinkError.self) {
                try await links.open(request, body: Array(#"{"flag":false}"#.utf8), from: Caller(.link))
            }
            await #expect(throws: LinkError.self) {
                try await links.open(request, body: Array(#"{"name":5}"#.utf8), from: Caller(.link))
            }
            await #expect(throws: LinkError.self) {
                try await links.open(request, body: Array("[1".utf8), from: Caller(.link))
            }
        }
    }

    @Test("L20: random inputs survive their URL")
    func roundTrip() async throws {
        try await open([Self.module]) { (links, _) async throws in
            var generator = SystemRandomNumberGenerator()
            let words = ["", "a", "a b", "ä/ö", "50%", "a+b&c=d", "?#", "漢字", "\u{1F600}"]
            for _ in 0..<300 {
                let input = Everything(
                    id: Int.random(in: .min ... .max, using: &generator),
                    name: words.randomElement(using: &generator),
                    tags: Bool.random(using: &generator)
                        ? nil : (0..<Int.random(in: 1...3)).compactMap { _ in words.randomElement(using: &generator) },
                    flag: [nil, true, false].randomElement(using: &generator) ?? nil,
                    color: [nil, .red, .green].randomElement(using: &generator) ?? nil,
                    ratio: Double(Int.random(in: -1_000...1_000, using: &generator)) / 8,
                    small: UInt8.random(in: 0...255, using: &generator)
                )
                let url = try links.url(of: Self.everything, input)
                let back = try await links.open(url, from: Caller(.link), as: Everything.self)
                #expect(back == input, "\(url)")
            }
        }
    }

    @Test("L21: random bytes have an error or an answer, never a trap")
    func fuzzed() async throws {
        try await open([Self.module, RiderModule(attachesOnDemand: true)]) { (links, _) async throws in
            var generator = SystemRandomNumberGenerator()
            for _ in 0..<2_000 {
                var url = Array(
                    ["kl://all/7?", "ride://trip/", "kl://three/", ""].randomElement(using: &generator)?.utf8 ?? "".utf8
                )
                for _ in 0..<Int.random(in: 0...24, using: &generator) {
                    url.append(UInt8.random(in: 0...255, using: &generator))
                }
                _ = try? await links.open(RuleRequest(url: url), body: [], from: Caller(.link))
            }
        }
    }
}
