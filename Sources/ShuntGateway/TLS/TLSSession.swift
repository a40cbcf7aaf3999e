#if Gateway
import NIOCore
import NIOSSL
import NIOTLS

/// The properties of a TLS session that ends in the gateway: an event of its connection.
struct TLSSession {
    /// The variables of the rules that it sets.
    let inputs: [(name: String, value: [UInt8])]

    init(name: String?, _ version: TLSVersion?) {
        // No client is asked for a certificate.
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
#endif
