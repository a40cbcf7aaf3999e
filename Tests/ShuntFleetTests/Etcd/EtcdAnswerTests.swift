#if Fleet
import SeededRandom
import ShuntFleet
import Testing

@Suite("Answers of etcd that are damaged")
struct EtcdAnswerTests {
    static let texts = [
        #"{"result":{"header":{"revision":"10"},"events":[{"kv":{"key":"L3I=","mod_revision":"2","value":"AA=="}}]}}"#,
        #"{"result":{"header":{},"events":[{"type":"DELETE","kv":{"key":"L3I=","mod_revision":"12"}}]}}"#,
        #"{"result":{"header":{},"canceled":true,"compact_revision":"14"}}"#,
        #"{"result":{"watch_id":"-1","created":true,"canceled":true,"cancel_reason":"permission denied"}}"#,
        #"{"error":{"grpc_code":14,"http_code":503,"message":"transport is closing"}}"#,
        #"{"error":"etcdserver: no leader","code":14}"#,
    ]

    /// A text in which some bytes are others, away, or more.
    static func damaged(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = text
        for _ in 0...random.below(3) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(3) {
            case 0: bytes[place] = UInt8(random.below(256))
            case 1: bytes.remove(at: place)
            default: bytes.insert(random.pick(Array(#"{}[]":,-0199"#.utf8)), at: place)
            }
        }
        return bytes
    }

    @Test("Whatever is changed in them, they are read as something or refused", arguments: 1...4)
    func damage(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var refused = 0
        for _ in 0..<2000 {
            let bytes = Self.damaged(Array(random.pick(Self.texts).utf8), &random)
            do throws(EtcdError) {
                _ = try EtcdWatchLine(bytes, at: "etcd")
            } catch {
                refused += 1
                #expect(error.reason == .malformed)
                #expect(error.description.hasPrefix("etcd: "))
            }
            _ = EtcdError(status: 100 + random.below(500), body: bytes, at: "etcd").description
        }
        #expect((1..<2000).contains(refused))
    }
}
#endif
