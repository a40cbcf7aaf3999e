#if Gateway
import NIOCore
import NIOPosix
import NIOSSL

/// One request over a separate TLS connection, written byte for byte; redirects are not followed.
package struct SecureExchange {
    /// The reason why there is no answer.
    private struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    private let host: String
    private let port: Int
    private let name: String
    private let acceptsAnyCertificate: Bool

    /// Prepares it.
    ///
    /// - Parameters:
    ///   - host: The host or address that is asked.
    ///   - port: The port.
    ///   - name: The name in the handshake, which the certificate is for.
    ///   - acceptsAnyCertificate: True if any certificate will do.
    package init(host: String, port: Int, name: String, acceptsAnyCertificate: Bool) {
        self.host = host
        self.port = port
        self.name = name
        self.acceptsAnyCertificate = acceptsAnyCertificate
    }

    /// Sends a request, and returns the answer up to its end; nil where the connection was closed without one.
    ///
    /// - Parameters:
    ///   - request: The request as bytes, which asks to close the connection.
    ///   - end: The number of bytes that are wanted of an answer; nil while there are too few.
    /// - Returns: The bytes, or nil.
    /// - Throws: An error of the connection.
    package func answer(to request: [UInt8], until end: @escaping @Sendable ([UInt8]) -> Int?) throws -> [UInt8]? {
        var configuration = TLSConfiguration.makeClientConfiguration()
        if acceptsAnyCertificate { configuration.certificateVerification = .none }
        let context = try NIOSSLContext(configuration: configuration)
        let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        let (name, timeout) = (isAddress ? nil : name, TimeAmount.seconds(10))
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: [UInt8]?.self)
        let connected = ClientBootstrap(group: loop).connectTimeout(timeout)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let security = try NIOSSLClientHandler(context: context, serverHostname: name)
                    try channel.pipeline.syncOperations.addHandlers(security, HeadReader(request, promise, until: end))
                }
            }
            .connect(host: host, port: port)
        connected.whenFailure { promise.fail($0) }
        let limit = loop.scheduleTask(in: timeout) {
            promise.fail(Problem(description: "no answer in 10 seconds"))
        }
        defer {
            limit.cancel()
            connected.whenSuccess { $0.close(promise: nil) }
        }
        return try promise.futureResult.wait()
    }
}

/// Collects the head of an answer.
private final class HeadReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let request: [UInt8]
    private let promise: EventLoopPromise<[UInt8]?>
    private let end: @Sendable ([UInt8]) -> Int?
    private var answer: [UInt8] = []

    init(_ request: [UInt8], _ promise: EventLoopPromise<[UInt8]?>, until end: @escaping @Sendable ([UInt8]) -> Int?) {
        self.request = request
        self.end = end
        self.promise = promise
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(NIOAny(ByteBuffer(bytes: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        answer += unwrapInboundIn(data).readableBytesView
        if let count = end(answer) { promise.succeed(Array(answer.prefix(count))) }
    }

    func channelInactive(context: ChannelHandlerContext) { promise.succeed(answer.isEmpty ? nil : answer) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A server that leaves without the farewell of TLS has answered all the same.
        if answer.isEmpty, (error as? NIOSSLError) != .uncleanShutdown { promise.fail(error) }
        context.close(promise: nil)
    }
}
#endif
