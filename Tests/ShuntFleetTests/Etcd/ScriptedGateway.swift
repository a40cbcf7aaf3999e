#if Fleet
import NIOCore
import NIOHTTP1
import NIOPosix
import ShuntFleet
import Synchronization

/// A server that answers as etcd's JSON gateway was seen to answer, byte by byte where it is asked to.
final class ScriptedGateway: Sendable {
    /// A request that came.
    struct Request: Sendable {
        var path: String
        var body: String
        var headers: HTTPHeaders
    }

    /// An answer to send.
    struct Answer: Sendable {
        var status = 200
        /// The whole answer, with its length; nil: a stream of `lines`.
        var body: String?
        var lines: [String] = []
        /// Bytes of the stream after the lines, again and again for as long as they are taken.
        var flood: [UInt8] = []
        /// True if the connection stays open after the stream.
        var staysOpen = false
        /// True if nothing is ever answered.
        var isSilent = false

        static func json(_ text: String, status: Int = 200) -> Answer { Answer(status: status, body: text) }
        static func stream(_ lines: [String], staysOpen: Bool = false) -> Answer {
            Answer(lines: lines, staysOpen: staysOpen)
        }
    }

    /// The answers by the number of the request, from 0.
    struct Script: Sendable {
        let answer: @Sendable (Int, Request) -> Answer

        init(_ answer: @escaping @Sendable (Int, Request) -> Answer) { self.answer = answer }
    }

    private struct State {
        var requests: [Request] = []
        var open = 0
        var sent = 0
    }

    let url: String
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let state = Mutex(State())

    var requests: [Request] { state.withLock { $0.requests } }
    /// The number of connections that the other side has not closed.
    var openConnections: Int { state.withLock { $0.open } }
    /// The number of bytes of floods that were read.
    var sent: Int { state.withLock { $0.sent } }

    private init(_ channel: any Channel, _ group: MultiThreadedEventLoopGroup) {
        self.channel = channel
        self.group = group
        url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)"
    }

    /// Runs a test with a server.
    ///
    /// - Parameters:
    ///   - isTorn: True if each byte is sent separately.
    ///   - script: What is answered.
    ///   - body: The test.
    /// - Returns: The answers of the test.
    /// - Throws: What the test throws.
    static func with<Result>(
        torn isTorn: Bool = false,
        _ script: Script,
        _ body: (ScriptedGateway) async throws -> Result
    ) async throws -> Result {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let box = Mutex<ScriptedGateway?>(nil)
        let channel = try await ServerBootstrap(group: group)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { child in
                child.eventLoop.makeCompletedFuture {
                    try child.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    guard let server = box.withLock({ $0 }) else { return }
                    try child.pipeline.syncOperations.addHandler(Handler(server, isTorn, script))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = ScriptedGateway(channel, group)
        box.withLock { $0 = server }
        do {
            let result = try await body(server)
            box.withLock { $0 = nil }
            try await group.shutdownGracefully()
            return result
        } catch {
            box.withLock { $0 = nil }
            try await group.shutdownGracefully()
            throw error
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = ByteBuffer

        private let server: ScriptedGateway
        private let isTorn: Bool
        private let script: Script
        private var request = Request(path: "", body: "", headers: [:])

        init(_ server: ScriptedGateway, _ isTorn: Bool, _ script: Script) {
            self.server = server
            self.isTorn = isTorn
            self.script = script
        }

        func channelActive(context: ChannelHandlerContext) { server.state.withLock { $0.open += 1 } }
        func channelInactive(context: ChannelHandlerContext) { server.state.withLock { $0.open -= 1 } }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): request = Request(path: head.uri, body: "", headers: head.headers)
            case .body(let part): request.body += String(buffer: part)
            case .end:
                let number = server.state.withLock { state in
                    state.requests.append(request)
                    return state.requests.count - 1
                }
                write(script.answer(number, request), context)
            }
        }

        private func write(_ answer: Answer, _ context: ChannelHandlerContext) {
            if answer.isSilent { return }
            let head = "HTTP/1.1 \(answer.status) X\r\nContent-Type: application/json\r\n"
            if let body = answer.body {
                return write(head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body, context)
            }
            var text = head + "Transfer-Encoding: chunked\r\n\r\n"
            for line in answer.lines { text += "\(String(line.utf8.count + 1, radix: 16))\r\n\(line)\n\r\n" }
            if answer.flood.isEmpty, !answer.staysOpen { text += "0\r\n\r\n" }
            write(text, context)
            if !answer.flood.isEmpty { flood(answer.flood, context) }
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            let bytes = Array(text.utf8)
            let size = isTorn ? 1 : max(1, bytes.count)
            for start in stride(from: 0, to: bytes.count, by: size) {
                let part = ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)])
                context.writeAndFlush(wrapOutboundOut(part), promise: nil)
            }
        }

        private func flood(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            let chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a]
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: chunk))).assumeIsolated()
                .whenSuccess { [self] in
                    server.state.withLock { $0.sent += bytes.count }
                    context.eventLoop.assumeIsolated().execute { [self] in flood(bytes, context) }
                }
        }
    }
}
#endif
