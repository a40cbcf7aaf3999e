import SeededRandom
import Shunt
import ShuntLinks
import ShuntModules
import Testing

/// Bodies of requests as no program would write them: the small run of the fuzzer for JSON.
@Suite struct JSONBodyTests {
    struct Item: Codable, Sendable {
        var name: String
        var number: Double?
        var count: Int?
        var isOpen: Bool?
        var items: [Item]?
        var words: [String?]?
    }

    static let echo = ModuleAction<Item, Item>("Echo.item", at: "echo://item", for: .links)

    @Test("An action reads its own answer back as it reads a body", arguments: 1...4)
    func isReadAgain(seed: UInt64) async throws {
        let module = AnyModule("Echo") { $0.handle(Self.echo) { item, _ in item } }
        let bodies = Self.bodies(seed: seed)
        let (read, refused) = try await open([module]) { (links, _) async throws in
            var counts = (read: 0, refused: 0)
            for body in bodies {
                let first = try await Self.answer(links, body)
                guard first.status == 200 else {
                    #expect((400..<500).contains(first.status), "\(String(decoding: body, as: UTF8.self))")
                    counts.refused += 1
                    continue
                }
                let second = try await Self.answer(links, first.body)
                #expect(second.status == 200 && second.body == first.body, "\(String(decoding: body, as: UTF8.self))")
                counts.read += 1
            }
            return counts
        }
        #expect(read > 50 && refused > 100)
    }

    private static func answer(_ links: Links, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        var request = RuleRequest(url: "echo://item")
        request.method = "POST"
        let response = try await links.respond(to: request, body: body, from: Caller(.link))
        guard case .bytes(let bytes) = response.body else { return (0, []) }
        return (response.status, bytes)
    }

    /// Bodies that are right, with some bytes changed in most of them.
    private static func bodies(seed: UInt64) -> [[UInt8]] {
        var random = SeededGenerator(seed: seed)
        return (0..<1000)
            .map { _ in
                var bytes = Array(item(&random, depth: 3).utf8)
                for _ in 0..<random.below(3) where !bytes.isEmpty {
                    let index = random.below(bytes.count)
                    switch random.below(3) {
                    case 0: bytes[index] = random.pick(Array("{}[]\",:0-e.\\u x\u{0}".utf8) + [0xff, 0xc3])
                    case 1: bytes.remove(at: index)
                    default: bytes.insert(random.pick(Array("{}[]\",:0-e.\\u".utf8)), at: index)
                    }
                }
                return bytes
            }
    }

    private static func item(_ random: inout SeededGenerator, depth: Int) -> String {
        var members = [#""name": \#(text(&random))"#]
        if random.chance(40) { members.append(#""number": \#(number(&random))"#) }
        if random.chance(40) {
            members.append(#""count":\#(random.pick(["0", "-7", "9223372036854775807", "1e3", "9e99"]))"#)
        }
        if random.chance(30) { members.append(#""isOpen": \#(random.pick(["true", "false", "null"]))"#) }
        if depth > 0, random.chance(50) {
            let items = (0..<random.below(3)).map { _ in item(&random, depth: depth - 1) }
            members.append(#""items":[\#(items.joined(separator: ", "))]"#)
        }
        if random.chance(30) {
            let words = (0..<random.below(4)).map { _ in random.chance(20) ? "null" : text(&random) }
            members.append(#""words":[\#(words.joined(separator: ","))]"#)
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let pieces = ["a", "é", "\u{1F600}", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00", "\\u0000", " "]
        return "\"" + (0..<random.below(5)).map { _ in random.pick(pieces) }.joined() + "\""
    }

    private static func number(_ random: inout SeededGenerator) -> String {
        random.pick(["0", "-0", "1.5", "-1e-7", "1e308", "1e400", "0.1", "12345678901234567890", "3.0"])
    }
}
