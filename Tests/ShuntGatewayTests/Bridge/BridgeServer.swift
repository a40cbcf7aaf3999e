#if Gateway && Modules
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NginxOracle
import ServiceLifecycle
import Shunt
import ShuntLinks
import ShuntHummingbird
import ShuntInterfaces
import ShuntModules
import Synchronization

/// A count that modules and tests share.
final class BridgeCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}

/// A server with a bridge and a page, on a port of the loopback interface.
struct BridgeServer: Sendable {
    struct Text: Codable, Sendable { var text: String }
    static let echo = ModuleAction<Text, String>("echo", at: "test://echo", for: .web)
    static let slow = ModuleAction<NoValue, String>("slow", at: "test://slow", for: .web)
    static let fast = ModuleAction<NoValue, String>("fast", at: "test://fast", for: .web)
    static let endless = ModuleAction<NoValue, NoValue>("endless", at: "test://endless", for: .web)
    struct Payment: Codable, Sendable { var amount: Int }
    struct Receipt: Codable, Sendable { var number: String }
    static let pay = ModuleAction<Payment, Receipt>("pay", at: "yourbank://payments/pay", for: .web)
    static let ticks = ModuleFeed<NoValue, Int>("ticks", at: "test://ticks", for: .web)
    static let blocks = ModuleFeed<NoValue, String>("blocks", at: "test://blocks", for: .web)

    /// The counts of what the modules did.
    struct Counts: Sendable {
        let fast = BridgeCount()
        let begun = BridgeCount()
        let cancelled = BridgeCount()
        let blocks = BridgeCount()
    }

    private struct TestModule: ProgramModule {
        let counts: Counts

        func define(_ definition: inout ModuleDefinition<NoValue>) {
            definition.handle(BridgeServer.echo) { input, _ in input.text }
            definition.handle(BridgeServer.pay) { payment, _ in
                guard payment.amount < 1_000 else { throw TestProblem("too much") }
                return Receipt(number: "\(payment.amount) of \(payment.amount)")
            }
            definition.handle(BridgeServer.fast) { [counts] _, _ in
                counts.fast.add()
                return "fast"
            }
            definition.handle(BridgeServer.slow) { [counts] _, _ in
                while counts.fast.value == 0 { try await Task.sleep(for: .milliseconds(1)) }
                return "slow"
            }
            definition.handle(BridgeServer.endless) { [counts] _, _ in
                counts.begun.add()
                do { try await Task.sleep(for: .seconds(1_000)) } catch { counts.cancelled.add() }
                return NoValue()
            }
            definition.stream(BridgeServer.ticks) { [counts] _, _, writer in
                counts.begun.add()
                do {
                    for tick in 0... {
                        try await writer.write(tick)
                        try await Task.sleep(for: .milliseconds(2))
                    }
                } catch {
                    counts.cancelled.add()
                    throw error
                }
            }
            definition.stream(BridgeServer.blocks) { [counts] _, _, writer in
                for number in 0..<10_000 {
                    try await writer.write("\(number) " + String(repeating: "x", count: 32 << 10))
                    counts.blocks.add()
                }
            }
        }
    }

    let port: UInt16
    let counts: Counts
    let shutDown: @Sendable () async -> Void

    /// The page that browsers see at the root.
    static let page = """
        <!doctype html><title>bridge</title><link rel="icon" href="data:,"><script type="module">
        import { Bridge } from "/bridge.js";
        window.Bridge = Bridge;
        </script>
        """

    /// The page of the example of the bank.
    private static let payPage: String = {
        let root = #filePath.dropLast("/Tests/ShuntGatewayTests/Bridge/BridgeServer.swift".utf8.count)
        return (try? String(contentsOfFile: root + "/Examples/bank/page/pay.html", encoding: .utf8)) ?? ""
    }()

    private static func html(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// A port that is free.
    private static func freePort() throws -> UInt16 { try LoopbackSocket.listening().port }

    /// The server did not listen, such as where another test has taken its port.
    private struct CannotListen: Error {}

    /// Runs a test against a server, which has several tries to listen.
    static func with(
        port: UInt16? = nil,
        options: Bridge.Options = Bridge.Options(),
        idleTimeout: TimeAmount? = nil,
        door change: (inout BridgeDoor) -> Void = { _ in },
        _ body: @escaping @Sendable (BridgeServer) async throws -> Void
    ) async throws {
        for attempt in 1... {
            let port = try port ?? freePort()
            do {
                let counts = Counts()
                var assembly = Assembly()
                assembly.add(TestModule(counts: counts))
                let modules = try assembly.build()
                let links = try Links(modules, rules: Engine(try RuleSet(text: "")))
                let origins = ["http://127.0.0.1:\(port)"]
                var door = BridgeDoor(try Bridge(links, origins: origins, options: options), at: "/bridge")
                change(&door)
                let http = HTTP1Channel.Configuration(idleTimeout: idleTimeout)
                return try await modules.run { [door] _ in try await serve(door, http, at: port, counts: counts, body) }
            } catch is CannotListen {
                guard attempt < 20 else { throw TestProblem("the server cannot listen at port \(port)") }
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Serves a door while a test runs.
    private static func serve(
        _ door: BridgeDoor,
        _ http: HTTP1Channel.Configuration,
        at port: UInt16,
        counts: Counts,
        _ body: @escaping @Sendable (BridgeServer) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let (running, isRunning) = AsyncStream<Void>.makeStream()
        let router = Router()
        router.get("/") { _, _ in Self.html(Self.page) }
        router.get("/pay") { _, _ in Self.html(Self.payPage) }
        let app = Application(
            responder: door.responder(otherwise: router.buildResponder()),
            server: door.server(http),
            configuration: .init(address: .hostname("127.0.0.1", port: Int(port))),
            onServerRunning: { _ in isRunning.yield() },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: [app], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(60)
        let group = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { isRunning.finish() }
                try await group.run()
            }
            var starts = running.makeAsyncIterator()
            guard await starts.next() != nil else { throw CannotListen() }
            let result: Result<Void, any Error>
            do {
                let server = BridgeServer(port: port, counts: counts) { await group.triggerGracefulShutdown() }
                result = .success(try await body(server))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }
}

/// A WebSocket that writes what it likes, and blocks.
struct TestWebSocket: ~Copyable {
    private let socket: LoopbackSocket
    private var reader: WireReader
    /// The status of the answer to the handshake.
    let status: Int
    /// The headers of the answer to the handshake.
    let headers: [String: String]

    /// Connects; `lines` are put in the place of the usual headers.
    init(_ port: UInt16, path: String = "/bridge", first: String = "", lines: [String]? = nil) throws {
        let socket = try LoopbackSocket.connected(to: port, timeoutSeconds: 20)
        var reader = WireReader(socket.descriptor)
        let usual = [
            "Origin: http://127.0.0.1:\(port)", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
        ]
        let request = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + (lines ?? usual) + ["", ""]
        if !first.isEmpty {
            guard socket.send(Array(first.utf8)), let head = try reader.head() else { throw TestProblem("no answer") }
            let length = head.fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
            _ = try reader.bytes(length ?? 0)
        }
        guard socket.send(Array(request.joined(separator: "\r\n").utf8)), let head = try reader.head() else {
            throw TestProblem("no answer to the handshake")
        }
        self.socket = socket
        self.reader = reader
        status = Int(head.first.split(separator: " ")[1]) ?? 0
        headers = Dictionary(head.fields.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    }

    /// Sends a frame with a mask of zeros.
    func send(_ opcode: UInt8, _ data: [UInt8], first: UInt8 = 0x80, mask: UInt8 = 0x80) {
        var bytes = [first | opcode]
        switch data.count {
        case 0..<126: bytes.append(mask | UInt8(data.count))
        case 126..<65_536: bytes += [mask | 126, UInt8(data.count >> 8), UInt8(data.count & 255)]
        default: bytes += [mask | 127] + (0..<8).map { UInt8(data.count >> (56 - 8 * $0) & 255) }
        }
        _ = socket.send(bytes + (mask == 0 ? [] : [0, 0, 0, 0]) + data)
    }

    func send(_ text: String) { send(1, Array(text.utf8)) }

    /// The next frame.
    mutating func frame() throws -> (opcode: UInt8, data: [UInt8]) {
        let head = try reader.bytes(2)
        guard head[0] & 0x80 != 0, head[1] & 0x80 == 0 else { throw TestProblem("a part, or a mask") }
        var length = Int(head[1])
        if length >= 126 { length = try reader.bytes(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | Int($1) } }
        return (head[0] & 15, try reader.bytes(length))
    }

    /// The text of the next frame, which is not a ping.
    mutating func text() throws -> String {
        while true {
            let (opcode, data) = try frame()
            if opcode == 1 { return String(decoding: data, as: UTF8.self) }
            guard opcode == 9 else { throw TestProblem("a frame with the opcode \(opcode): \(data)") }
        }
    }

    /// The code and the reason with which the connection ends.
    mutating func end() throws -> (code: Int, reason: String) {
        while true {
            let (opcode, data) = try frame()
            guard opcode == 8 else { continue }
            let code = data.count < 2 ? 0 : Int(data[0]) << 8 | Int(data[1])
            return (code, String(decoding: data.dropFirst(2), as: UTF8.self))
        }
    }

    mutating func isAtEnd() throws -> Bool { try reader.isAtEnd() }
}
#endif
