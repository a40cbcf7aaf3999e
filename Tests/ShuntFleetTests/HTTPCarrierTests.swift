#if Fleet
import NginxOracle
import Shunt
import ShuntFleet
import TestFolder
import Testing

@Suite("Releases over HTTP", .enabled(if: NginxProcess.executable != nil, "nginx is not installed"))
struct HTTPCarrierTests {
    @Test("A tree that nginx serves is followed, and an unchanged pointer costs one 304")
    func following() async throws {
        let fleet = try ReleasedFleet()
        try await fleet.publish(ReleasedFleet.answer(201))
        let server = try #require(try ReleaseServer(fleet.tree.path))
        let node = fleet.node(carriers: [try HTTPCarrier(server.base + "web")])
        let store = try await node.open()
        #expect(ReleasedFleet.status(store) == 201)
        await node.look()
        await node.look()
        try await fleet.publish(ReleasedFleet.answer(202))
        await node.look()
        #expect(ReleasedFleet.status(store) == 202)
        #expect(await node.condition == nil)
        #expect(server.answers == ["200", "304", "304", "200"].map { "\($0) /web/pointer" })
    }

    @Test("A server that asks to wait is not asked again before")
    func retryAfter() async throws {
        let fleet = try ReleasedFleet()
        let server = try #require(try ReleaseServer(fleet.tree.path))
        let carrier = try HTTPCarrier(server.base + "busy/", clock: fleet.clock)
        let first = await #expect(throws: FleetError.self) { try await carrier.pointer() }
        #expect(first?.description == "\(server.base)busy/pointer: status 429")
        for _ in 0..<7 {
            let error = await #expect(throws: FleetError.self) { try await carrier.pointer() }
            #expect(error?.description.contains("the server requires a wait of") == true)
            try await fleet.clock.sleep(until: fleet.clock.now + .seconds(1))
        }
        await #expect(throws: FleetError.self) { try await carrier.pointer() }
        #expect(server.answers.count == 2)
    }

    @Test("A file that is missing, too large, byte by byte or silent is a failure with the URL")
    func failures() async throws {
        let fleet = try ReleasedFleet()
        let release = try await fleet.publish(ReleasedFleet.answer(201))
        let server = try #require(try ReleaseServer(fleet.tree.path))
        let carrier = try HTTPCarrier(server.base + "web/")
        let missing = await #expect(throws: FleetError.self) { try await carrier.blob(release.set, limit: 100) }
        #expect(missing?.description == "\(server.base)web/blobs/\(release.set): status 404")
        let large = await #expect(throws: FleetError.self) { try await carrier.manifest(release.set, limit: 100) }
        #expect(large?.description == "\(server.base)web/sets/\(release.set): it has more than 100 bytes")
        let slow = try HTTPCarrier(server.base + "slow/", clock: fleet.clock, patience: .milliseconds(300))
        let late = await #expect(throws: FleetError.self) { try await slow.pointer() }
        #expect(late?.description == "\(server.base)slow/pointer: the answer took longer than 0.3 seconds")
        let silent = try LoopbackSocket.listening()
        let nobody = try HTTPCarrier(
            "http://127.0.0.1:\(silent.port)/",
            clock: fleet.clock,
            patience: .milliseconds(300)
        )
        await #expect(throws: FleetError.self) { try await nobody.pointer() }
    }

    @Test(
        "A text that is not the URL of a tree is refused",
        arguments: ["web", "ftp://a/", "http://a/?x=1", "https://a/#b", ""]
    )
    func urls(url: String) {
        #expect(throws: FleetError.self) { try HTTPCarrier(url) }
    }
}
#endif
