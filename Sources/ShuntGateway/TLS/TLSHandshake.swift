#if Gateway
import Logging
import NIOCore
import NIOSSL
import NIOTLS
import Shunt

/// Waits for the name that a client asks for, and then puts TLS in front of a connection, with that server's certificate.
enum TLSHandshake {
    /// The name of the handler that waits for the name.
    static let names = "names"

    /// Adds the handler; what it reads before TLS begins reaches no other.
    static func add(to channel: any Channel, _ core: GatewayCore, at endpoint: RuleRequest.Endpoint?) throws {
        let names = ByteToMessageHandler(
            SNIHandler { [weak channel] result in
                guard let channel else { return core.group.next().makeFailedFuture(ChannelError.ioOnClosedChannel) }
                return begin(result, channel: channel, core: core, at: endpoint)
            },
            // Of a client that asks for a name, this is far more than its first message has.
            maximumBufferSize: 65_536
        )
        try channel.pipeline.syncOperations.addHandler(names, name: Self.names, position: .first)
        try channel.pipeline.syncOperations.addHandler(PlainRequestHandler(), position: .first)
    }

    private static func begin(
        _ result: SNIResult,
        channel: any Channel,
        core: GatewayCore,
        at endpoint: RuleRequest.Endpoint?
    ) -> EventLoopFuture<Void> {
        let name: String? = if case .hostname(let name) = result { name } else { nil }
        do {
            let context = try core.tls.context(for: name, at: endpoint, core.store.snapshot.ruleSet)
            let operations = channel.pipeline.syncOperations
            let names = try operations.handler(type: ByteToMessageHandler<SNIHandler>.self)
            let handler = NIOSSLServerHandler(context: context)
            try operations.addHandler(handler, position: .after(names))
            try operations.addHandler(TLSSessionHandler(name: name, handler), position: .after(handler))
            return channel.eventLoop.makeSucceededVoidFuture()
        } catch {
            core.logger.debug("a handshake was refused", metadata: ["name": "\(name ?? "")", "error": "\(error)"])
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }
}

/// The properties of a TLS session that ends in the gateway: an event of its connection.
struct TLSSession {
    /// The variables of the rules that it sets.
    let inputs: [(name: String, value: [UInt8])]

    init(name: String?, _ version: TLSVersion?) {
        // No client has to send a certificate.
        var inputs = [("ssl_client_verify", "NONE")]
        if let name { inputs.append(("ssl_server_name", name)) }
        switch version {
        case .tlsv1: inputs.append(("ssl_protocol", "TLSv1"))
        case .tlsv11: inputs.append(("ssl_protocol", "TLSv1.1"))
        case .tlsv12: inputs.append(("ssl_protocol", "TLSv1.2"))
        case .tlsv13: inputs.append(("ssl_protocol", "TLSv1.3"))
        default: break
        }
        self.inputs = inputs.map { ($0.0, Array($0.1.utf8)) }
    }
}

/// Reports the session of a connection once its handshake is complete.
final class TLSSessionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let name: String?
    private let handler: NIOSSLServerHandler

    init(name: String?, _ handler: NIOSSLServerHandler) { (self.name, self.handler) = (name, handler) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
            context.fireUserInboundEventTriggered(TLSSession(name: name, handler.tlsVersion))
        }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Hands plain HTTP at a port for TLS on as such: the rules may have a page for it, as in nginx.
final class PlainRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The event for the handlers after this one.
    struct Plain {}

    /// The bytes that have come while the handler that waits for TLS is removed; nil before.
    private var waiting: [NIOAny]?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard waiting == nil else {
            waiting?.append(data)
            return
        }
        let first = unwrapInboundIn(data).readableBytesView.first ?? 0
        let operations = context.pipeline.syncOperations
        // A record of a handshake, or the beginning of version 2.
        if first == 0x16 || first & 0x80 != 0 {
            context.fireChannelRead(data)
            operations.removeHandler(self, promise: nil)
            return
        }
        waiting = [data]
        operations.removeHandler(name: TLSHandshake.names).assumeIsolated()
            .whenComplete { _ in
                context.fireUserInboundEventTriggered(Plain())
                for data in self.waiting ?? [] { context.fireChannelRead(data) }
                context.fireChannelReadComplete()
                operations.removeHandler(self, promise: nil)
            }
    }
}
#endif
