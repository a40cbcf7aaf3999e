#if Gateway
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// How Hummingbird's server sets up a connection of the gateway.
///
/// Decisions are made where requests are parsed, on the event loop and on the request line as it was sent: Hummingbird's
/// own channel passes targets through Foundation's URL parser, forgets the version of HTTP, and runs a task for each
/// request. Only forwarded requests need that here.
struct GatewayChannel: ServerChildChannel {
    /// A connection that has been set up.
    struct Connection: ServerChildChannelValue {
        let channel: any Channel
    }

    let core: GatewayCore
    let listener: Listener

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            // The parser counts the target among the header fields. What it lets through is measured once more.
            limits.maxHeaderListSize = core.options.maximumHeaderBytes + IncomingRequest.targetLimit
            limits.maxHeaderFieldSize = limits.maxHeaderListSize
            // How a response ends is decided where the request is known: a HEAD gets no body, HTTP/1.0 no chunks.
            var encoder = HTTPResponseEncoder.Configuration()
            encoder.automaticallySetFramingHeaders = false
            let operations = channel.pipeline.syncOperations
            let line = RequestLineWatch()
            try operations.addHandler(line)
            try operations.addHandlers(
                // Of a client that goes over to another protocol, what it has sent already is for that one.
                HTTPResponseEncoder(configuration: encoder),
                ByteToMessageHandler(
                    HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
                ),
                NIOHTTPResponseHeadersValidator()
            )
            let rules = core.rules(on: channel.eventLoop)
            try operations.addHandler(ConnectionHandler(core: core, rules: rules, line: line, listener: listener))
            if listener.isSecure {
                let local = channel.localAddress
                try TLSHandshake.add(
                    to: channel,
                    core,
                    at: listener.endpoint(localAddress: local?.ipAddress, port: local?.port)
                )
            }
            if listener.takesProxyProtocol {
                try operations.addHandler(ProxyPrefaceHandler(logger: core.logger), position: .first)
            }
            return Connection(channel: channel)
        }
    }

    /// Lasts as long as the connection does.
    func handle(value: Connection, logger: Logger) async {
        try? await value.channel.closeFuture.get()
    }
}
#endif
