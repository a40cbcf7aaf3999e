#if Gateway
import NIOCore
import NIOHTTP1

/// How a connection of the gateway is set up.
///
/// Decisions are made where requests are parsed, on the event loop and on the request line as it was sent.
struct GatewayChannel: Sendable {
    let core: GatewayCore
    let listener: Listener

    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
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
        }
    }
}
#endif
