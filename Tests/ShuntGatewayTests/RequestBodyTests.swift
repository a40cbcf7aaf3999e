#if Gateway
import NIOCore
import Testing

@testable import ShuntGateway

/// The part of a body that is kept, so that it can be sent again.
@Suite struct RequestBodyTests {
    static let usual = RequestBody.keptLimit

    private static func body(_ room: BodyRoom?) -> RequestBody { RequestBody(room: room) }

    private static func add(_ count: Int, _ part: Int, to body: inout RequestBody, isSent: Bool = true) {
        for start in stride(from: 0, to: count, by: part) {
            body.add(ByteBuffer(repeating: 0x61, count: min(part, count - start)), isSent: isSent)
        }
    }

    @Test(
        "Bodies of up to 1 MiB are kept where the request may be sent twice, and 64 KiB of any other",
        arguments: [
            (60_000, 1_000, false, true), (60_000, 1_000, true, true), (66_000, 1_000, false, false),
            (66_000, 1_000, true, true), (1 << 20, 1_024, true, true), (1 << 20, 1 << 20, true, true),
            (1 << 21, 16_384, true, false), (60_000, 1, true, false), (1_000, 1, false, true),
        ]
    )
    func limits(_ count: Int, _ part: Int, _ hasRoom: Bool, _ isKept: Bool) {
        let room = BodyRoom()
        var body = Self.body(hasRoom ? room : nil)
        Self.add(count, part, to: &body)
        #expect(body.isKept == isKept)
        #expect(body.kept.reduce(0) { $0 + $1.readableBytes } == (isKept ? count : 0))
        body.forget()
        // All of it is free again.
        #expect(room.take(16 << 20) && !room.take(1))
    }

    @Test("The part that was not sent yet is kept, up to the limit")
    func unsent() {
        var body = Self.body(nil)
        Self.add(Self.usual, 1_024, to: &body, isSent: false)
        #expect(body.isKept)
        #expect(!body.mayGrow)
        Self.add(1, 1, to: &body, isSent: true)
        #expect(!body.isKept)
    }

    @Test("A body without a known length grows while there is room, and is not kept for a second time")
    func unknownLength() {
        let room = BodyRoom()
        var body = RequestBody(room: room, isRepeatable: false)
        for _ in 0..<16 {
            Self.add(Self.usual, Self.usual, to: &body, isSent: false)
            let isGrown = body.grow()
            #expect(isGrown)
        }
        Self.add(Self.usual, Self.usual, to: &body, isSent: false)
        let isFull = !body.grow()
        #expect(isFull && body.isKept)
        Self.add(1, 1, to: &body, isSent: true)
        #expect(!body.isKept)
        #expect(room.take(16 << 20))
    }

    @Test("The bodies of an event loop share 16 MiB in addition to 64 KiB each, and one gets what an ended one had")
    func room() {
        let room = BodyRoom()
        var bodies = (0..<20).map { _ in Self.body(room) }
        for index in bodies.indices { Self.add(1 << 20, 1 << 14, to: &bodies[index]) }
        #expect(bodies.count { $0.isKept } == 17)
        #expect(!bodies[17].isKept)
        bodies[3].forget()
        var next = Self.body(room)
        Self.add(1 << 20, 1 << 14, to: &next)
        #expect(next.isKept)
    }
}
#endif
